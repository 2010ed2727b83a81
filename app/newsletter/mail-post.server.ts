import type { Database } from '#app/platform/database/client.server.ts';
import type { PostFieldName, PostFields } from '#app/posts/fields/fields.ts';
import { summaryColumns, toSummary, type PostSummary } from '#app/posts/lists/public-post.ts';
import { pictureColumns } from '#app/posts/pictures/public-image.ts';

/** What a mail shows of a post. `publishedAt` is null until it is public. */
export interface MailPost extends Pick<
  PostSummary,
  'title' | 'slug' | 'excerpt' | 'cover' | 'authors' | 'language'
> {
  bodyHtml: string;
  publishedAt: Date | null;
}

const fieldNames = [
  ...(['title', 'excerpt', 'language', 'coverMediaId', 'coverAlt', 'coverDecorative'] as const),
] satisfies PostFieldName[];

/** Fields of a form that is not saved, and its rendered body. */
type MailFields = Partial<Pick<PostFields, (typeof fieldNames)[number]>> & { bodyHtml?: string };

const columns = { ...summaryColumns, bodyHtml: true } as const;

/** A post for its mail: as it is saved, or with the fields of a form. @returns null for one that is gone */
export async function readMailPost(
  { db }: { db: Database },
  postId: string,
  changed: MailFields = {},
): Promise<MailPost | null> {
  const row = await db.post.findUnique({ where: { id: postId }, select: columns });
  if (!row) return null;
  const coverMediaId = changed.coverMediaId;
  const coverMedia =
    coverMediaId === undefined
      ? row.coverMedia
      : coverMediaId && (await db.media.findUnique({ where: { id: coverMediaId }, select: pictureColumns }));
  const texts = fieldNames.filter((name) => name !== 'coverMediaId' && changed[name] !== undefined);
  const fields = Object.fromEntries(texts.map((name) => [name, changed[name]]));
  const { bodyHtml, ...summary } = { ...row, ...fields, coverMedia: coverMedia || null };
  const { title, slug, excerpt, cover, authors, language } = toSummary(summary);
  const { publishedAt } = row;
  return {
    ...{ title, slug, excerpt, cover, authors, language, publishedAt },
    bodyHtml: changed.bodyHtml ?? bodyHtml,
  };
}
