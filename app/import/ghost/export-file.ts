import * as z from 'zod';
import { invalidInput } from '#app/platform/errors.ts';
import { parseJson } from '#app/platform/json.ts';

/** A string, which the end of the file may cut off, or a bracket. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\]]/gs;

// Exports of versions 3 to 6 differ in which columns they have; numbers and texts change places.
const id = z.union([z.string(), z.number()]).transform(String);
const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? '' : String(value)));

/** Rows of the tables that an import reads; other columns are ignored. The hash of a post depends on this order. */
export const ghostPostSchema = z.object({
  id,
  ...{ uuid: text, title: text, slug: text, html: text, lexical: text, mobiledoc: text, type: text },
  page: z.union([z.number(), z.boolean()]).nullish(),
  ...{ status: text, visibility: text, feature_image: text, author_id: text, custom_excerpt: text },
  ...{ published_at: text, updated_at: text, canonical_url: text },
  ...{ codeinjection_head: text, codeinjection_foot: text },
  // Before version 3 these were here instead of in posts_meta.
  ...{ meta_title: text, meta_description: text },
});
export type GhostPost = z.output<typeof ghostPostSchema>;

const tag = z.object({ id, name: text, slug: text, description: text, visibility: text });
const user = z.object({ id, name: text, slug: text, email: text, bio: text });
const meta = z.object({ post_id: id, meta_title: text, meta_description: text, feature_image_alt: text });
const setting = z.object({ key: text, value: text });
const ownPost = z.object({ post_id: id, post: z.unknown() });
const postTag = z.object({ post_id: id, tag_id: id, sort_order: z.number().nullish() });
const postAuthor = z.object({ post_id: id, author_id: id, sort_order: z.number().nullish() });

export type GhostTag = z.output<typeof tag>;
export type GhostUser = z.output<typeof user>;
export type GhostMeta = z.output<typeof meta>;

/** A Ghost export with its rows indexed for look-ups. Posts are not checked yet. */
export interface GhostExport {
  /** True for a file that ends too early; `posts` are its complete ones. */
  isTruncated: boolean;
  posts: unknown[];
  tags: Map<string, GhostTag>;
  users: Map<string, GhostUser>;
  meta: Map<string, GhostMeta>;
  /** Post → ids in its order. */
  tagsOfPost: Map<string, string[]>;
  authorsOfPost: Map<string, string[]>;
  /** The zone of days in addresses; `''` without one. */
  timeZone: string;
  /** Post → the additional data about it in an export of Dateline. */
  ownPosts: Map<string, unknown>;
}

const rows = z.array(z.unknown()).catch([]).default([]);
const tables = z.object({
  posts: z.array(z.unknown()),
  ...{ tags: rows, users: rows, posts_meta: rows, posts_tags: rows, posts_authors: rows },
  ...{ dateline_posts: rows, settings: rows },
});
const wrapped = z.union([
  z.object({ db: z.array(z.object({ data: tables })).min(1) }).transform(({ db }) => db[0]!.data),
  z.object({ data: tables }).transform(({ data }) => data),
]);

/**
 * Reads an export, or one that is cut off up to its last whole row.
 * @throws AppError `invalid_input` for any other file
 */
export function readGhostExport(json: string): GhostExport {
  const whole = parseJson(json);
  const value = whole ?? parseJson(repairTruncatedExport(json) ?? '');
  if (value === undefined) throw invalidInput('The file is not JSON: it is damaged or not a Ghost export.');
  const parsed = wrapped.safeParse(value);
  if (!parsed.success) throw invalidInput('This is not a Ghost export: it has no table of posts.');
  const { data } = parsed;
  return {
    isTruncated: whole === undefined,
    posts: data.posts,
    tags: byKey(data.tags, tag, (row) => row.id),
    users: byKey(data.users, user, (row) => row.id),
    meta: byKey(data.posts_meta, meta, (row) => row.post_id),
    tagsOfPost: inOrder(data.posts_tags, postTag, (row) => row.tag_id),
    authorsOfPost: inOrder(data.posts_authors, postAuthor, (row) => row.author_id),
    timeZone: timeZoneIn(data.settings),
    ownPosts: new Map(
      [...byKey(data.dateline_posts, ownPost, (row) => row.post_id)].map(([key, { post }]) => [key, post]),
    ),
  };
}

/** Before version 4 the setting was called `activeTimezone`. */
function timeZoneIn(settings: unknown[]): string {
  const values = byKey(settings, setting, ({ key }) => key);
  return (values.get('timezone') ?? values.get('activeTimezone'))?.value ?? '';
}

/** An invalid row is skipped: the post loses a name, but is imported. */
function byKey<Schema extends z.ZodType>(
  values: unknown[],
  schema: Schema,
  keyOf: (row: z.output<Schema>) => string,
): Map<string, z.output<Schema>> {
  const rows = values.flatMap((value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function inOrder<Row extends { post_id: string; sort_order?: number | null }>(
  values: unknown[],
  schema: z.ZodType<Row>,
  idOf: (row: Row) => string,
): Map<string, string[]> {
  const byPost = new Map<string, Row[]>();
  for (const value of values) {
    const { data: row } = schema.safeParse(value);
    if (row) byPost.set(row.post_id, [...(byPost.get(row.post_id) ?? []), row]);
  }
  const order = (row: Row) => row.sort_order ?? 0;
  return new Map(
    [...byPost].map(([post, list]) => [post, list.sort((a, b) => order(a) - order(b)).map(idOf)]),
  );
}

/**
 * Cuts a truncated Ghost export after its last complete row and closes the open brackets; null when no row is complete.
 * A row is at `{db: [{data: {table: [row]}}]}`, or the same without `db`.
 */
function repairTruncatedExport(json: string): string | null {
  const open: string[] = [];
  let end: { at: number; closing: string } | null = null;
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token);
    if (token !== '}' && token !== ']') continue;
    open.pop();
    const rowsAt = open[1] === '[' ? 5 : 3;
    if (token !== '}' || open.length !== rowsAt || open.at(-1) !== '[') continue;
    const closing = open.map((bracket) => (bracket === '{' ? '}' : ']')).toReversed();
    end = { at: index + 1, closing: closing.join('') };
  }
  return end && json.slice(0, end.at) + end.closing;
}
