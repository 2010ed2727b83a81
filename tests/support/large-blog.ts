// Blogs of any size for measurements and query plans, written as fast as the database takes rows.
import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { insertJson, type JsonColumnType } from '#app/platform/database/insert-rows.server.ts';
import type { Dialect } from '#app/platform/env.server.ts';
import { rebuildCounts } from '#app/publishing/change/rebuild-counts.server.ts';
import { createUser } from './factories.ts';

export interface LargeBlogOptions {
  posts: number;
  /** HTML of the posts, repeated as needed; a sentence by default. */
  texts?: string[];
  /** Titles, each followed by the post's number. */
  titles?: string[];
}

export interface LargeBlog {
  /** Newest first. */
  slugs: string[];
  /** Newest first. */
  ids: string[];
  authorIds: string[];
  categoryIds: string[];
  tagIds: string[];
}

const CATEGORIES = 10;
const TAGS = 50;
const AUTHORS = 20;
const TAGS_A_POST = 3;
const BATCH = 2_000;
/** A busy machine takes minutes. */
const TIMEOUT_MS = 40 * 60_000;
const YEARS_MS = 10 * 365 * 24 * 60 * 60 * 1000;

/**
 * Published posts over ten years, one in a hundred with a draft, one in two hundred with an archived post beside it.
 * Nothing of it is in the search index.
 */
export async function insertLargeBlog(app: App, options: LargeBlogOptions): Promise<LargeBlog> {
  const { dialect } = app.env.database;
  const now = app.clock.now();
  const authorIds: string[] = [];
  for (let number = 0; number < AUTHORS; number += 1)
    authorIds.push((await createUser(app, { username: `writer-${number}` })).id);
  const terms = (kind: string, count: number) =>
    Array.from({ length: count }, (_, number) => ({
      id: `${kind}-${String(number).padStart(3, '0')}`,
      name: `${kind} ${number}`,
      slug: `${kind}-${number}`,
      createdAt: now,
      updatedAt: now,
    }));
  const [categories, tags] = [terms('category', CATEGORIES), terms('tag', TAGS)];
  await app.db.category.createMany({ data: categories });
  await app.db.tag.createMany({ data: tags });
  const blog: LargeBlog = {
    slugs: [],
    ids: [],
    authorIds,
    categoryIds: categories.map(({ id }) => id),
    tagIds: tags.map(({ id }) => id),
  };
  await app.db.$transaction(
    async (tx) => {
      const definitions = await dropTriggersAndIndexes(tx, dialect);
      for (let from = 0; from < options.posts; from += BATCH)
        await insertBatch(tx, dialect, blog, { ...options, from, now });
      for (const definition of definitions) await tx.$executeRawUnsafe(definition);
      if (dialect === 'postgresql') await tx.$executeRawUnsafe('ANALYZE');
      // Takes less time than what the triggers do for each row.
      await rebuildCounts(tx, dialect);
    },
    { timeout: TIMEOUT_MS },
  );
  await app.db.siteState.updateMany({ data: { contentVersion: { increment: 1 } } });
  if (dialect === 'postgresql') await app.db.$executeRawUnsafe('ANALYZE');
  return blog;
}

async function insertBatch(
  tx: Transaction,
  dialect: Dialect,
  blog: LargeBlog,
  {
    posts,
    from,
    now,
    texts = ['<p>A boat came in.</p>'],
    titles = ['Boats'],
  }: LargeBlogOptions & { from: number; now: Date },
): Promise<void> {
  const rows = [];
  const tagRows = [];
  const entries = [];
  const byAuthor = [];
  for (let number = from; number < Math.min(from + BATCH, posts); number += 1) {
    const publishedAt = new Date(now.getTime() - 60_000 - Math.floor(((number + 0.5) / posts) * YEARS_MS));
    const id = idAt(publishedAt, number);
    const slug = `post-${number}`;
    const text = texts[number % texts.length]!;
    const post = {
      id,
      slug,
      title: `${titles[number % titles.length]!} ${number}`,
      excerpt: 'What happens on the quay before the city wakes, and who pays for it.',
      body: text,
      body_html: text,
      word_count: 800,
      status: 'published',
      has_been_public: true,
      published_at: publishedAt.toISOString(),
      author_id: blog.authorIds[number % AUTHORS]!,
      category_id: blog.categoryIds[number % CATEGORIES]!,
      content_updated_at: publishedAt.toISOString(),
      created_at: publishedAt.toISOString(),
      updated_at: publishedAt.toISOString(),
    };
    rows.push(post);
    if (number % 100 === 0) rows.push(beside(post, 'draft', publishedAt));
    if (number % 200 === 0) rows.push(beside(post, 'archived', publishedAt));
    for (let position = 0; position < TAGS_A_POST; position += 1)
      tagRows.push({ post_id: id, tag_id: blog.tagIds[(number + position * 7) % TAGS]!, position });
    entries.push({ path: `/posts/${slug}`, post_id: id, last_modified: publishedAt.toISOString() });
    byAuthor.push({ post_id: id, user_id: post.author_id, listed_in: '', published_at: post.published_at });
    blog.ids.push(id);
    blog.slugs.push(slug);
  }
  await insert(tx, dialect, 'posts', postColumns, rows);
  await insert(tx, dialect, 'post_tags', { post_id: text, tag_id: text, position: integer }, tagRows);
  const authorColumns = { post_id: text, user_id: text, listed_in: text, published_at: time };
  await insert(tx, dialect, 'author_posts', authorColumns, byAuthor);
  await insert(tx, dialect, 'sitemap_entries', { path: text, post_id: text, last_modified: time }, entries);
}

function beside<Post extends { id: string; slug: string }>(post: Post, status: string, at: Date): Post {
  return {
    ...post,
    id: idAt(at, post.slug.length, status.slice(0, 2)),
    slug: `${post.slug}-${status}`,
    status,
  };
}

/** Like a UUIDv7: in the order of time. */
function idAt(at: Date, number: number, mark = '00'): string {
  const stamp = at.getTime().toString(16).padStart(12, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7000-80${mark === '00' ? '00' : 'ff'}-${mark.padEnd(4, '0')}${number.toString(16).padStart(8, '0')}`;
}

type Columns = Record<string, { type: JsonColumnType }>;
const text = { type: 'text' } as const;
const time = { type: 'time' } as const;
const integer = { type: 'integer' } as const;
const postColumns: Columns = {
  id: text,
  slug: text,
  title: text,
  excerpt: text,
  body: text,
  body_html: text,
  word_count: integer,
  status: text,
  has_been_public: { type: 'boolean' },
  published_at: time,
  author_id: text,
  category_id: text,
  content_updated_at: time,
  created_at: time,
  updated_at: time,
};

async function insert(
  tx: Transaction,
  dialect: Dialect,
  table: string,
  columns: Columns,
  rows: object[],
): Promise<void> {
  if (rows.length > 0) await insertJson(tx, dialect, table, columns, JSON.stringify(rows));
}

/**
 * Drops the triggers that keep counts, and the indexes: to build these afterwards takes less time. On PostgreSQL no
 * trigger runs until the transaction ends, nor the check of a foreign key.
 * @returns the SQL that makes them again
 */
async function dropTriggersAndIndexes(tx: Transaction, dialect: Dialect): Promise<string[]> {
  if (dialect === 'postgresql') await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
  const definitions: { drop: string; create: string }[] =
    dialect === 'postgresql'
      ? await tx.$queryRaw`
          SELECT format('DROP INDEX %I', indexname) AS "drop", indexdef AS "create" FROM pg_indexes
          WHERE tablename IN ('posts', 'post_tags', 'author_posts', 'sitemap_entries')
            AND indexname NOT IN (SELECT conname FROM pg_constraint)`
      : await tx.$queryRaw`
          SELECT 'DROP ' || type || ' "' || name || '"' AS "drop", sql AS "create" FROM sqlite_schema
          WHERE type = 'trigger' OR type = 'index' AND sql IS NOT NULL
            AND tbl_name IN ('posts', 'post_tags', 'author_posts', 'sitemap_entries')`;
  for (const { drop } of definitions) await tx.$executeRawUnsafe(drop);
  return definitions.map(({ create }) => create);
}
