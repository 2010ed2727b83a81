import * as z from 'zod';
import { line, requiredLine } from '#app/platform/text/schemas.ts';
import { localTime } from '#app/posts/fields/schemas.ts';
import { definitionOf, settingKeys, storageKeyOf, type SettingKey } from '#app/settings/catalogue.ts';

export const releaseStatuses = ['draft', 'scheduled', 'published'] as const;
export type ReleaseStatus = (typeof releaseStatuses)[number];

/** The condition of a query for releases that are not public yet. It names their states, as the index needs it. */
export const isUnpublished = { status: { in: ['draft', 'scheduled'] satisfies ReleaseStatus[] } };

/** The kinds of things that a release can change. */
export const itemKinds = ['post', 'setting', 'category', 'tag', 'author', 'redirect'] as const;
export type ItemKind = (typeof itemKinds)[number];

/**
 * What a release does with a thing. `publish` and `archive` change a post's state, `update` changes fields. `restore`
 * undoes the changes of another release, except where somebody has changed the thing since.
 */
export const itemActions = ['publish', 'update', 'archive', 'restore'] as const;
export type ItemAction = (typeof itemActions)[number];

/** The most changes of a release. */
export const ITEMS_MAX = 1_000;

const releaseIntents = ['save', 'schedule', 'unschedule', 'publish', 'rollback', 'delete'] as const;

const name = requiredLine(120, 'Name');
const UNKNOWN = 'This action is unknown. Use one of the buttons.';
const intent = z.enum(releaseIntents, UNKNOWN).default('save');

/** The form of a new release (contract, section 12). */
export function newReleaseSchema(timeZone: string) {
  return z.object({ name: name.prefault(''), publishAt: localTime(timeZone).optional(), intent });
}

/** The form of an existing release; an absent field is not changed. */
export function releaseSchema(timeZone: string) {
  return z.object({
    name: name.optional(),
    publishAt: localTime(timeZone).optional(),
    rollbackAt: localTime(timeZone).optional(),
    confirmed: z.enum(['yes', ''], UNKNOWN).optional(),
    /** Adds a redirect from this address to the thing at `redirectTo`; a blank `redirectTo` removes it. */
    redirectFrom: line(500, 'Address').optional(),
    redirectTo: line(500, 'Address').optional(),
    intent,
  });
}

const postId = z.string().min(1).max(64);

/** Post ids of a field that may be repeated. Each value contains one or several ids. */
export function readPostIds(values: readonly string[]): string[] {
  const ids = values.flatMap((value) => value.split(/[\s,]+/)).filter((id) => postId.safeParse(id).success);
  return [...new Set(ids)];
}

/** Groups without a form, groups that readers do not see, and groups whose change could lock people out. */
const outOfReleases = new Set(['delivery', 'email', 'internal', 'newsletter', 'security']);

export function isSettingKey(key: string): key is SettingKey {
  return (settingKeys as string[]).includes(key);
}

/** True for the key of a row that a release can change. */
export function isReleasable(key: SettingKey): boolean {
  const { group, secret, hidden } = definitionOf(key);
  return storageKeyOf(key) === key && !outOfReleases.has(group) && !secret && !hidden;
}
