import type { Transaction } from '#app/platform/database.server.ts';

/**
 * Forgets why the last trigger could not publish a release, when something came back or an address was freed: screens
 * check each release anew, and the next trigger tries it again.
 */
export async function forgetReleaseProblems(tx: Transaction): Promise<void> {
  await tx.release.updateMany({
    where: { status: 'scheduled', problem: { not: '' } },
    data: { problem: '' },
  });
}
