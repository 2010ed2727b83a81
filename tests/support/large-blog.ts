// Blogs of any size for measurements and query plans, written as fast as the database takes rows.
import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import type { Dialect } from '#app/platform/env.server.ts';
import { insertJson, type JsonColumnType } from '#app/platform/json-insert.server.ts';
import { checkCounts } from '#app/publishing/rebuild-counts.server.ts';
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
  await withoutTriggers(app, async (tx) => {
    for (let from = 0; from < options.posts; from += BATCH)
      await insertBatch(tx, dialect, blog, { ...options, from, now });
    await tx.siteState.updateMany({ data: { contentVersion: { increment: 1 } } });
  });
  // Faster than what the triggers do for each row.
  await checkCounts(app, { repair: true });
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

/** Runs `work` in a transaction without the triggers that keep counts. */
async function withoutTriggers(app: App, work: (tx: Transaction) => Promise<void>): Promise<void> {
  const options = { timeout: 40 * 60_000 };
  if (app.env.database.dialect === 'postgresql') {
    const tables = ['posts', 'post_tags', 'author_posts', 'sitemap_entries'];
    await app.db.$transaction(async (tx) => {
      for (const table of tables) await tx.$executeRawUnsafe(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      await work(tx);
      for (const table of tables) await tx.$executeRawUnsafe(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    }, options);
    return;
  }
  await app.db.$transaction(async (tx) => {
    const triggers = await tx.$queryRaw<{ name: string; sql: string }[]>`
      SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`;
    for (const { name } of triggers) await tx.$executeRawUnsafe(`DROP TRIGGER "${name}"`);
    await work(tx);
    for (const { sql } of triggers) await tx.$executeRawUnsafe(sql);
  }, options);
}
