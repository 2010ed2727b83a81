import type { Transaction } from '#app/platform/database/client.server.ts';

/**
 * Deletes the stored reasons why the last trigger could not publish releases, when something was restored or an address
 * was freed. Screens then check each release anew, and the next trigger tries again. Called before the change writes
 * posts or terms: the publication of a release and the replacement of a picture lock releases first, too.
 */
export async function forgetReleaseProblems(tx: Transaction): Promise<void> {
  await tx.release.updateMany({
    where: { status: 'scheduled', problem: { not: '' } },
    data: { problem: '' },
  });
}
