import type { Prisma, Transaction } from '#app/platform/database/client.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { inChunks, inSteps, TEXTS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import { columnFieldNames, type PostFields, mapFields, pickFields } from '#app/posts/fields/fields.ts';
import { readFieldsOfPosts, readPostFields } from '#app/posts/fields/read.server.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { listOf } from '#app/posts/lists/scope.ts';
import type { RenderedMarkdown } from '#app/posts/markdown/render.server.ts';
import { postNotFound } from '#app/posts/not-found.ts';
import { decodePath } from '#app/posts/paths.ts';
import type { PublicChange } from '#app/publishing/change/public-change.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';

/** Fields that contain the id of another row. The parent of a page is checked with its address. */
const referenceNames = ['categoryId', 'coverMediaId', 'translationOf'] as const;
type ReferenceName = (typeof referenceNames)[number];

export type PostRow = Prisma.PostGetPayload<object>;

/**
 * Locks a post for this transaction and raises its version. The conditional update is both lock and test: of two saves
 * from the same version, only one gets the row.
 * @param version the version that the editor had open; absent: any
 * @throws AppError `not_found`; `conflict` when the post now has another version.
 */
export async function lockPost(
  tx: Transaction,
  { postId, version }: { postId: string; version?: number },
): Promise<PostRow> {
  const [row] = await tx.post.updateManyAndReturn({
    where: { id: postId, version, ...notTrashed },
    data: { version: { increment: 1 } },
  });
  if (row) return row;
  const present = await tx.post.findUnique({
    where: { id: postId, ...notTrashed },
    select: { version: true },
  });
  throw present ? savedMeanwhile() : postNotFound();
}

/** The error of a save of something that somebody has changed since it was opened. */
export function savedMeanwhile(): AppError {
  return new AppError('conflict', 'Someone else saved this post while you were editing.');
}

/**
 * Reads a post for a change that ends with `writePost`, which never overwrites a newer version.
 * @param version the version that the editor had open; absent: any
 * @throws AppError `not_found`; `conflict` when the post now has another version.
 */
export async function readPost(
  tx: Transaction,
  { postId, version }: { postId: string; version?: number },
): Promise<PostRow> {
  const row = await tx.post.findUnique({ where: { id: postId, ...notTrashed } });
  if (!row) throw postNotFound();
  if (version !== undefined && row.version !== version) throw savedMeanwhile();
  return row;
}

/**
 * The columns that store the fields; those of the body only if it was rendered again.
 * @param row.slug the address as rows store it
 */
export function columnsOf(
  fields: PostFields,
  rendered: RenderedMarkdown | undefined,
  row: { slug: string; settings: Pick<Settings, 'site_languages'> },
) {
  const { body, ...own } = pickFields(fields, columnFieldNames);
  const columns = { ...own, slug: row.slug, listedIn: listOf(fields, row.settings) };
  if (!rendered) return columns;
  return {
    ...columns,
    body,
    bodyHtml: rendered.html,
    tableOfContents: JSON.stringify(rendered.tableOfContents),
    wordCount: rendered.wordCount,
  };
}

/**
 * Checks the category and the cover. A new cover without a description gets the library's; from then on the description
 * belongs to the post.
 * @param before the present fields of the post; null for a new one
 * @throws AppError `invalid_input` when the category or the cover image no longer exists.
 */
export async function resolveReferences(
  tx: Transaction,
  requested: PostFields,
  before: Pick<PostFields, ReferenceName> | null,
): Promise<PostFields> {
  const isSame = requested.translationOf === before?.translationOf;
  const translationOf = isSame ? requested.translationOf : await originalOf(tx, requested.translationOf);
  const fields = { ...requested, translationOf };
  const missing = await missingReferences(tx, newReferences(fields, before));
  if (missing.includes('categoryId'))
    throw fieldError('categoryId', 'This category no longer exists. Choose another.');
  if (missing.includes('coverMediaId'))
    throw fieldError('coverMediaId', 'This image no longer exists. Choose another.');
  const { coverMediaId } = fields;
  if (missing.includes('translationOf'))
    throw fieldError('translationOf', 'The translated post no longer exists. Choose another.');
  if (coverMediaId === null || coverMediaId === before?.coverMediaId || fields.coverAlt !== '') return fields;
  const media = await tx.media.findUnique({ where: { id: coverMediaId }, select: { alt: true } });
  return { ...fields, coverAlt: media?.alt ?? '' };
}

const MISSING = 'missing';

/** The id of the original of a translation. `named`: the id or address of the original, or of a translation of it. */
async function originalOf(tx: Transaction, named: string | null): Promise<string | null> {
  if (named === null) return null;
  const written = named.replace(/^https?:\/\/[^/]+/, '');
  const path = decodePath(written) ?? written;
  const where = path.startsWith('/') ? { slug: path.replace(/^\/posts\//, '') } : { id: named };
  const row = await tx.post.findUnique({ where, select: { id: true, translationOf: true } });
  return row ? (row.translationOf ?? row.id) : MISSING;
}

/** The references that differ from the post's present ones. Foreign keys ensure that those exist. */
export function newReferences(fields: PostFields, before: Pick<PostFields, ReferenceName> | null) {
  return mapFields(referenceNames, (name) => (fields[name] === before?.[name] ? null : fields[name]));
}

/** The requested fields, without a description that belongs to the old cover. */
export function withoutOldCoverAlt(before: PostFields, requested: PostFields): PostFields {
  const isNew = requested.coverMediaId !== before.coverMediaId;
  return isNew && requested.coverAlt === before.coverAlt ? { ...requested, coverAlt: '' } : requested;
}

/** Which of a post's references no longer exist. */
export async function missingReferences(
  tx: Transaction,
  { categoryId, coverMediaId, translationOf }: Partial<Pick<PostFields, ReferenceName>>,
): Promise<ReferenceName[]> {
  const missing: ReferenceName[] = [];
  if (categoryId && !(await tx.category.findUnique({ where: { id: categoryId }, select: { id: true } })))
    missing.push('categoryId');
  if (
    coverMediaId &&
    !(await tx.media.findUnique({
      where: { id: coverMediaId, trashedAt: null, mimeType: { startsWith: 'image/' } },
      select: { id: true },
    }))
  )
    missing.push('coverMediaId');
  if (translationOf && (await originalOf(tx, translationOf)) === MISSING) missing.push('translationOf');
  return missing;
}

export interface ReadPost {
  current: PostRow;
  before: PostFields;
}

/**
 * Reads the posts that one transaction changes one after the other, many with one query. Yields each item with its post;
 * null for a post that is gone or in the trash.
 */
export async function* readPosts<Item>(
  change: PublicChange,
  items: readonly Item[],
  postIdOf: (item: Item) => string,
): AsyncGenerator<{ item: Item; post: ReadPost | null }> {
  for (const chunk of inChunks(items, TEXTS_A_STEP)) {
    const ids = chunk.map(postIdOf);
    const rows = await change.tx.post.findMany({ where: { id: { in: ids }, ...notTrashed } });
    const fields = await readFieldsOfPosts(change.tx, rows);
    const posts = new Map(rows.map((row) => [row.id, { current: row, before: fields.get(row.id)! }]));
    for (const item of chunk) {
      const read = posts.get(postIdOf(item));
      yield { item, post: read ? await readAgain(change, read) : null };
    }
  }
}

/**
 * Reads a page or translation again: an earlier change of the transaction may have moved the page with its parent, or
 * have changed the translation's original.
 */
async function readAgain({ tx }: PublicChange, read: ReadPost): Promise<ReadPost | null> {
  const { id, type, translationOf } = read.current;
  if (type !== 'page' && translationOf === null) return read;
  const current = await tx.post.findUnique({ where: { id, ...notTrashed } });
  return current && { current, before: await readPostFields(tx, current) };
}

/**
 * Posts whose state one statement changes. On SQLite the statement blocks the event loop, with the triggers that update
 * counts and lists: 200 posts took 54 ms of processor time.
 */
export const POSTS_PER_STATEMENT = 20;

/** What a claim changes besides the version and the times. */
const states = {
  published: { status: 'published', hasBeenPublic: true },
  // Clears the archive time, so that publishing the post again does not archive it again.
  archived: { status: 'archived', archiveAt: null },
} as const;

interface ClaimedPost {
  id: string;
  slug: string;
  title: string;
}

/**
 * Publishes or archives those of the posts that still meet a condition. The change whose statement returns a row has
 * claimed that post, and no other can.
 * @param claim.where the condition. It stays in the outer WHERE and there is no `limit`: with one, Prisma moves the
 *   status into a subquery, and on PostgreSQL two transactions then both claimed the same rows.
 * @returns the claimed posts, in no order
 */
export async function claimPosts(
  { tx, now, affectsWritten }: PublicChange,
  postIds: readonly string[],
  claim: { to: keyof typeof states; where: object; publishedAt?: Date },
): Promise<ClaimedPost[]> {
  const { to, where, publishedAt } = claim;
  // In a fixed order, so that two changes wait for each other instead of deadlocking.
  const claimed = await inSteps([...postIds].sort(), POSTS_PER_STATEMENT, async (chunk) => {
    const posts = await tx.post.updateManyAndReturn({
      where: { ...where, id: { in: chunk } },
      data: { ...states[to], publishedAt, version: { increment: 1 }, contentUpdatedAt: now, updatedAt: now },
      select: { id: true, slug: true, title: true },
    });
    if (to === 'archived')
      await tx.scheduledUpdate.deleteMany({ where: { postId: { in: posts.map(({ id }) => id) } } });
    return posts;
  });
  affectsWritten(...claimed.map(({ id }) => id));
  return claimed;
}
