import { oneOf } from '#app/platform/narrow.ts';
import type { Db } from '#app/platform/services.ts';
import { postFieldNames, type PostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { notTrashed, type PostStatus, postStatuses } from '#app/posts/fields/states.ts';
import { changedFields } from '#app/posts/fields/stored.ts';
import { postNotFound } from '../not-found.ts';
import { findLastEditor, findSavedFields } from './revisions.server.ts';

/** A save of a stale version: the three texts, and who changed what. */
export interface PostConflict {
  /** What the editor had opened; null when that revision is no longer kept. */
  base: PostFields | null;
  mine: PostFields;
  /** The present state of the post, or of its text in the release. */
  theirs: PostFields;
  /** The version to send with the resolved text. */
  version: number;
  status: PostStatus;
  /** Display name of who saved last; null for the trigger, a command or a removed account. */
  savedBy: string | null;
  savedAt: Date;
  /** For each field that differs between mine and theirs, who changed it. */
  differences: { field: keyof PostFields; changedBy: 'me' | 'them' | 'both' }[];
  /**
   * Their text with the fields that only I have changed; fields that both changed are mine. The editor shows it first.
   */
  merged: PostFields;
}

/** What a release changes of a post, when the conflict is about its text in the release. */
export interface ChangeInRelease {
  /** The fields that it changed when the form was opened; null when that is no longer known. */
  opened: Partial<PostFields> | null;
  present: Partial<PostFields>;
  savedBy: string | null;
  savedAt: Date;
}

/**
 * Reads a conflict for its screen.
 * @param input.version the version that the editor had open
 * @param input.fields the submitted fields
 * @param input.readChange reads what a release changes, from the post at the opened version; null: the conflict is about
 *   the post itself
 * @throws AppError `not_found`.
 */
export async function readConflict(
  app: Db,
  input: {
    postId: string;
    version: number;
    fields: Partial<PostFields>;
    readChange?: (saved: PostFields) => Promise<ChangeInRelease | null>;
  },
): Promise<PostConflict> {
  const { postId, version } = input;
  const row = await app.db.post.findUnique({ where: { id: postId, ...notTrashed } });
  if (!row) throw postNotFound();
  const live = await readPostFields(app.db, row);
  const saved = await findSavedFields(app, postId, version);
  const started = saved ?? live;
  const change = (await input.readChange?.(started)) ?? null;
  const theirs = { ...live, ...change?.present };
  const base = change ? change.opened && { ...started, ...change.opened } : saved;
  const opened = base ?? theirs;
  const mine = { ...opened, ...input.fields };
  // A blank slug means that nobody chose one, so the opened one stays.
  if (mine.slug === '') mine.slug = opened.slug;
  return {
    base,
    mine,
    theirs,
    version: row.version,
    status: oneOf(postStatuses, row.status),
    savedBy: change ? change.savedBy : await findLastEditor(app, row),
    savedAt: change?.savedAt ?? row.updatedAt,
    ...compare(base, mine, theirs),
  };
}

/** Who changed what, and the merged fields. Pure. */
function compare(
  base: PostFields | null,
  mine: PostFields,
  theirs: PostFields,
): Pick<PostConflict, 'differences' | 'merged'> {
  const byMe = new Set(base ? changedFields(base, mine) : postFieldNames);
  const byThem = new Set(base ? changedFields(base, theirs) : postFieldNames);
  const differences = changedFields(mine, theirs).map((field) => ({
    field,
    changedBy: byMe.has(field)
      ? byThem.has(field)
        ? ('both' as const)
        : ('me' as const)
      : ('them' as const),
  }));
  const takenFromMe = differences.filter(({ changedBy }) => changedBy !== 'them');
  const merged = { ...theirs, ...Object.fromEntries(takenFromMe.map(({ field }) => [field, mine[field]])) };
  return { differences, merged };
}
