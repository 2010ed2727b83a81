import { hkdfSync } from 'node:crypto';
import { newId } from '#app/platform/clock.ts';
import { AppError } from '#app/platform/errors.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import type { Configured, Timed } from '#app/platform/services.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { notTrashed, TRASHED } from '#app/posts/fields/states.ts';
import { articleColumns, toArticle, type PostArticle } from '#app/posts/lists/public-post.ts';
import { postNotFound } from '#app/posts/not-found.ts';

const LIFETIME_MS = 7 * DAY_MS;
/** Links that expired this long ago are deleted. */
const FORGET_AFTER_MS = 30 * DAY_MS;

interface PreviewLink {
  id: string;
  /** Display name of the creator; null for a removed account. */
  createdBy: string | null;
  createdAt: Date;
  expiresAt: Date;
  state: 'active' | 'expired' | 'revoked';
  /** `/preview/<token>` of an active link; null also if the link was created with another `AUTH_SECRET`. */
  path: string | null;
}

/**
 * Creates a link to a post that is not public yet, valid for seven days. The database stores only the token's hash. The
 * backend derives the token from `AUTH_SECRET` when it shows the link.
 * @returns `path` as `/preview/<token>`
 * @throws AppError `not_found`.
 */
export async function createPreviewLink(
  app: Timed & Configured,
  input: { postId: string; createdById: string | null },
): Promise<{ id: string; path: string; expiresAt: Date }> {
  const { postId, createdById } = input;
  const post = await app.db.post.findUnique({ where: { id: postId, ...notTrashed }, select: { id: true } });
  if (!post) throw postNotFound();
  const now = app.clock.now();
  await app.db.previewLink.deleteMany({
    where: { postId, expiresAt: { lt: new Date(now.getTime() - FORGET_AFTER_MS) } },
  });
  const id = newId(app.clock);
  const token = tokenOf(app, id);
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  await app.db.previewLink.create({
    data: { id, postId, tokenHash: hashPreviewToken(token), createdById, createdAt: now, expiresAt },
  });
  return { id, path: previewPath(token), expiresAt };
}

function tokenOf({ env }: Configured, linkId: string): string {
  if (!env.authSecret) throw new AppError('not_configured', 'AUTH_SECRET is not configured');
  const bytes = hkdfSync('sha256', env.authSecret, linkId, 'dateline preview links', 32);
  return Buffer.from(bytes).toString('base64url');
}

const previewPath = (token: string) => `/preview/${token}`;

/** Revokes a link at once; has no effect on a revoked one. @throws AppError `not_found`. */
export async function revokePreviewLink(
  app: Timed,
  { postId, linkId }: { postId: string; linkId: string },
): Promise<void> {
  const where = { id: linkId, postId };
  const { count } = await app.db.previewLink.updateMany({
    where: { ...where, revokedAt: null },
    data: { revokedAt: app.clock.now() },
  });
  if (count === 0 && !(await app.db.previewLink.findUnique({ where })))
    throw new AppError('not_found', 'This preview link no longer exists.');
}

/** Lists a post's preview links, newest first. */
export async function listPreviewLinks(app: Timed & Configured, postId: string): Promise<PreviewLink[]> {
  const now = app.clock.now();
  const rows = await app.db.previewLink.findMany({
    where: { postId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  const creators = rows.flatMap(({ createdById }) => createdById ?? []);
  const users = await app.db.user.findMany({
    where: { id: { in: creators } },
    select: { id: true, displayName: true },
  });
  const names = new Map(users.map((user) => [user.id, user.displayName]));
  return rows.map(({ id, tokenHash, createdById, createdAt, expiresAt, revokedAt }) => {
    const state = revokedAt ? 'revoked' : expiresAt <= now ? 'expired' : 'active';
    const token = state === 'active' ? tokenOf(app, id) : null;
    return {
      id,
      createdBy: (createdById && names.get(createdById)) ?? null,
      createdAt,
      expiresAt,
      state,
      path: token !== null && hashPreviewToken(token) === tokenHash ? previewPath(token) : null,
    };
  });
}

/** The SHA-256 of a preview link's token in hexadecimal, which the database stores. */
export function hashPreviewToken(token: string): string {
  return sha256Of(token);
}

/** The post of a preview link, in any state but the trash; null for an unknown, expired or revoked link. */
export async function findPreview(
  app: Timed,
  token: string,
): Promise<{ post: PostArticle; status: string } | null> {
  const link = await app.db.previewLink.findUnique({
    where: { tokenHash: hashPreviewToken(token), revokedAt: null, expiresAt: { gt: app.clock.now() } },
    select: { post: { select: { ...articleColumns, status: true } } },
  });
  if (!link || link.post.status === TRASHED) return null;
  const { status, ...row } = link.post;
  return { post: toArticle(row), status };
}
