import { readLiveTexts, type RedirectTarget } from '#app/releases/live-texts.server.ts';
import type { PublicChange } from './public-change.server.ts';

/**
 * Sets the target of a redirect; null removes the redirect. The record says since when the former one was there: no
 * record tells when the redirect of a post was made.
 */
export async function writeRedirect(
  { tx, now, recordTexts }: PublicChange,
  path: string,
  target: RedirectTarget | null,
): Promise<void> {
  const before = await readLiveTexts(tx, 'redirect', path);
  const row = await tx.redirect.findUnique({ where: { path }, select: { createdAt: true } });
  if (!target) await tx.redirect.deleteMany({ where: { path } });
  else {
    const leadsTo = { postId: null, categoryId: null, tagId: null, [`${target.kind}Id`]: target.id };
    await tx.redirect.upsert({
      where: { path },
      create: { path, createdAt: now, ...leadsTo },
      update: { createdAt: now, ...leadsTo },
    });
  }
  const to = target && `${target.kind} ${target.id}`;
  if (to === before!.to) return;
  const since = row?.createdAt.toISOString() ?? null;
  recordTexts('redirect', path, { ...before, since }, { to, since: target && now.toISOString() });
}
