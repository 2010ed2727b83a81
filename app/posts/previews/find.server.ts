import { sha256Of } from '#app/platform/files/sha256.server.ts';
import type { Timed } from '#app/platform/services.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { articleColumns, toArticle, type PostArticle } from '#app/posts/lists/public-post.ts';

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
