import { hash } from 'node:crypto';
import type { Prisma } from '#app/platform/database/client.server.ts';
import { inSteps, TEXTS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import type { Db } from '#app/platform/services.ts';
import {
  type SearchText,
  postFieldNames,
  postFields,
  type PostFieldName,
  mapFields,
} from '#app/posts/fields/fields.ts';
import { isPublic, isPublicAfter } from '#app/posts/lists/queries.server.ts';
import type { SearchDocument } from './engine.ts';
import { textFromHtml } from './text-from-html.ts';
import { WORDS_VERSION } from './words.ts';

/** The post fields whose values are in a text of the document. */
type SearchFieldName = {
  [Name in PostFieldName]: (typeof postFields)[Name]['search'] extends null ? never : Name;
}[PostFieldName];

const searchFieldNames = postFieldNames.filter(
  (name): name is SearchFieldName => postFields[name].search !== null,
);
const namesIn = (text: SearchText) => searchFieldNames.filter((name) => postFields[name].search === text);
const namesInText = { title: namesIn('title'), excerpt: namesIn('excerpt'), body: namesIn('body') };

const columns = {
  ...mapFields(searchFieldNames, () => true as const),
  // Markdown; its text is read from the HTML.
  body: false,
  ...{ bodyHtml: true, id: true, slug: true, publishedAt: true },
  category: { select: { id: true, name: true } },
  author: { select: { displayName: true } },
  authors: { select: { name: true, user: { select: { displayName: true } } }, orderBy: { position: 'asc' } },
  tags: { orderBy: { position: 'asc' }, select: { tag: { select: { id: true, name: true } } } },
} as const satisfies Prisma.PostSelect;

type Row = Prisma.PostGetPayload<{ select: typeof columns }>;

/** The documents of those posts that are published now. */
export async function readDocuments(app: Db, postIds: string[]): Promise<SearchDocument[]> {
  // Reads by primary key alone: with the state in the condition SQLite walks through the index of states.
  return inSteps(postIds, TEXTS_A_STEP, async (chunk) => {
    const posts = await app.db.post.findMany({
      where: { id: { in: chunk } },
      select: { ...columns, status: true },
    });
    return posts.filter(({ status }) => status === isPublic.status).map(toDocument);
  });
}

/** A page of the documents of all published posts in id order, after an id. */
export async function readDocumentsAfter(app: Db, afterId: string, limit: number): Promise<SearchDocument[]> {
  const posts = await app.db.post.findMany({
    where: isPublicAfter(afterId),
    orderBy: { id: 'asc' },
    take: limit,
    select: columns,
  });
  return posts.map(toDocument);
}

/** The ids of such a page, without the texts. */
export function readDocumentIdsAfter(app: Db, afterId: string, limit: number): Promise<{ id: string }[]> {
  return app.db.post.findMany({
    where: isPublicAfter(afterId),
    orderBy: { id: 'asc' },
    take: limit,
    select: { id: true },
  });
}

function toDocument(row: Row): SearchDocument {
  const values = { ...row, body: textFromHtml(row.bodyHtml) };
  const content = {
    id: row.id,
    slug: row.slug,
    title: textOf(values, 'title'),
    excerpt: textOf(values, 'excerpt'),
    body: textOf(values, 'body'),
    category: row.category?.name ?? '',
    tags: row.tags.map(({ tag }) => tag.name),
    author: authorOf(row),
    publishedAt: Math.floor((row.publishedAt?.getTime() ?? 0) / 1000),
    categoryId: row.category?.id ?? '',
    tagIds: row.tags.map(({ tag }) => tag.id),
  };
  return { ...content, hash: hashOf(content) };
}

/** The values of the fields that belong to a text, one below the other. */
function textOf(values: Record<SearchFieldName, string>, text: SearchText): string {
  const texts = namesInText[text].map((name) => values[name]).filter((value) => value !== '');
  // Typesense refuses lone surrogates.
  return texts.join('\n').toWellFormed();
}

// The hash includes the version of the word rules, so that an index made by older rules is stale.
function hashOf({ body, ...rest }: Omit<SearchDocument, 'hash'>): string {
  return hash('sha256', JSON.stringify([WORDS_VERSION, Object.values(rest)]) + body, 'base64url');
}

/** The names of the authors that a post names, else of the account that created it. */
function authorOf({
  author,
  authors,
}: {
  author: { displayName: string } | null;
  authors: { name: string; user: { displayName: string } | null }[];
}): string {
  if (authors.length === 0) return author?.displayName ?? '';
  return authors.map(({ name, user }) => user?.displayName ?? name).join(', ');
}
