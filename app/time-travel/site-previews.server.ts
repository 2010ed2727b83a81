import { randomBytes } from 'node:crypto';
import { may, type Actor } from '#app/people/roles.ts';
import { newId } from '#app/platform/clock.ts';
import { AppError } from '#app/platform/errors.ts';
import { SITE_PREVIEW } from '#app/platform/http/public-addresses.ts';
import type { Timed } from '#app/platform/services.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { hashPreviewToken } from '#app/posts/previews/links.server.ts';

const LIFETIME_MS = { shared: 7 * DAY_MS, own: DAY_MS };
/** Links that expired long ago are not listed. */
const FORGET_AFTER_MS = 30 * DAY_MS;
const LINKS_SHOWN = 100;

/**
 * Makes a link to the public site as it is at an instant. The link is valid for a day, a shared one for seven days.
 * Only this function returns the token: the database stores its hash.
 * @returns `path` as `/preview/site/<token>/`
 */
export async function createSitePreview(
  app: Timed,
  input: { instant: Date; isShared: boolean; createdById: string },
): Promise<{ id: string; token: string; path: string; expiresAt: Date }> {
  const now = app.clock.now();
  const { instant, isShared, createdById } = input;
  await app.db.sitePreview.deleteMany({
    where: { expiresAt: { lt: new Date(now.getTime() - FORGET_AFTER_MS) } },
  });
  const [id, token] = [newId(app.clock), randomBytes(32).toString('base64url')];
  const expiresAt = new Date(now.getTime() + (isShared ? LIFETIME_MS.shared : LIFETIME_MS.own));
  const tokenHash = hashPreviewToken(token);
  await app.db.sitePreview.create({
    data: { id, tokenHash, instant, isShared, createdById, createdAt: now, expiresAt },
  });
  return { id, token, path: `${SITE_PREVIEW}${token}/`, expiresAt };
}

/** The instant that a token stands for, and the end of the link; null for an unknown, expired or revoked token. */
export async function findSitePreview(
  app: Timed,
  token: string,
): Promise<{ instant: Date; isShared: boolean; expiresAt: Date } | null> {
  return app.db.sitePreview.findUnique({
    where: { tokenHash: hashPreviewToken(token), revokedAt: null, expiresAt: { gt: app.clock.now() } },
    select: { instant: true, isShared: true, expiresAt: true },
  });
}

/** True for one's own links, and for all links if the user may change everybody's posts. */
export function mayRevokeSitePreview(actor: Actor, link: { createdById: string | null }): boolean {
  return may(actor, 'posts:all') || link.createdById === actor.id;
}

/**
 * Revokes a link at once; has no effect on an expired one.
 * @param token the token, or the link's id as in the list
 * @throws AppError `not_found`; `forbidden` for a link of somebody else
 */
export async function revokeSitePreview(app: Timed, actor: Actor, token: string): Promise<void> {
  const where = { OR: [{ tokenHash: hashPreviewToken(token) }, { id: token }] };
  const link = await app.db.sitePreview.findFirst({ where, select: { id: true, createdById: true } });
  if (!link) throw new AppError('not_found', 'This link no longer exists.');
  if (!mayRevokeSitePreview(actor, link))
    throw new AppError('forbidden', 'Only editors can revoke the links of others.');
  await app.db.sitePreview.updateMany({
    where: { id: link.id, revokedAt: null },
    data: { revokedAt: app.clock.now() },
  });
}

/** Shared links, newest first. */
export async function listSitePreviews(app: Timed) {
  const now = app.clock.now();
  const rows = await app.db.sitePreview.findMany({
    where: { isShared: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LINKS_SHOWN,
  });
  const users = await app.db.user.findMany({
    where: { id: { in: rows.flatMap(({ createdById }) => createdById ?? []) } },
    select: { id: true, displayName: true },
  });
  const names = new Map(users.map((user) => [user.id, user.displayName]));
  return rows.map(({ createdById, revokedAt, tokenHash: _tokenHash, ...row }) => ({
    ...row,
    createdById,
    createdBy: (createdById && names.get(createdById)) ?? null,
    state: revokedAt
      ? ('revoked' as const)
      : row.expiresAt <= now
        ? ('expired' as const)
        : ('active' as const),
  }));
}
