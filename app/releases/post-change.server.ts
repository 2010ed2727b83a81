import { createHash } from 'node:crypto';
import type { Transaction } from '#app/platform/database/client.server.ts';
import type { Db } from '#app/platform/services.ts';
import { type PostFields, pickFields } from '#app/posts/fields/fields.ts';
import {
  readStoredText,
  changedFields,
  newestFirst,
  readRevisionFields,
  readStoredFields,
  storeFields,
} from '#app/posts/fields/stored.ts';
import { readPresentFields, type TermReader } from '#app/posts/terms/references.server.ts';
import type { ReleaseItemRow } from './items.ts';

/** The fields that an item changes of its post, with their present terms; null for fields that cannot be read. */
export async function readChangedFields(
  db: TermReader,
  { fields: json }: Pick<ReleaseItemRow, 'fields'>,
): Promise<Partial<PostFields> | null> {
  const stored = readStoredText(json);
  return stored && readPresentFields(db, stored);
}

/** The fields that a release changes of a published post; null when it changes none. */
export async function readPostChange(
  db: TermReader & Pick<Transaction, 'releaseItem'>,
  { releaseId, postId }: { releaseId: string; postId: string },
): Promise<Partial<PostFields> | null> {
  const where = { releaseId, kind: 'post', subjectId: postId, action: 'update' };
  const item = await db.releaseItem.findFirst({ where, select: { fields: true } });
  return item && readChangedFields(db, item);
}

type Change = Pick<ReleaseItemRow, 'releaseId' | 'action' | 'fields'>;

/** Begins the text version of a public text. The releases of which its form says more follow. */
const PUBLIC_TEXT = 'public';
/** The stored fields of a change that has none. */
const NO_CHANGE = '{}';
/** Texts kept for a release among which that of an open form is looked for. */
const TEXTS_READ = 20;

/**
 * The version of the text of a post that a form shows. A save to a release compares it with the version of the text that
 * the release has by then. The post's own version does not tell: a save to a release changes nothing of the post itself.
 * @param change the change in the release whose text the form shows; null: the form shows the public text
 * @param of for the public text: the changes of the post in releases, as the form names them
 */
export function textVersionOf(
  change: Change | null,
  of: readonly Pick<Change, 'releaseId' | 'action'>[] = [],
): string {
  if (!change) {
    const withoutText = of.filter(({ action }) => action !== 'update');
    return [PUBLIC_TEXT, ...withoutText.map(({ releaseId }) => releaseId)].join(' ');
  }
  const digest = createHash('sha256')
    .update(`${change.action} ${textOf(change)}`)
    .digest('base64url');
  return `${change.releaseId} ${digest}`;
}

/** Without what the terms of its fields were: these have other names meanwhile, and the text is the same. */
function textOf({ action, fields: json }: Change): string {
  const fields = action === 'update' ? readStoredFields(json) : null;
  return fields ? storeFields(fields) : json;
}

/**
 * True if a form with this text version shows what the release has of the post now. Otherwise its save would replace what
 * was stored there since the form was opened, by somebody else or in another tab.
 */
export function showsText(textVersion: string, change: Change): boolean {
  if (textVersion.startsWith(`${change.releaseId} `)) return textVersion === textVersionOf(change);
  if (change.action === 'update') return change.fields === NO_CHANGE;
  // The form of the public text offers a release that archives the post, and says that it does.
  const [first, ...named] = textVersion.split(' ');
  return first === PUBLIC_TEXT && named.includes(change.releaseId);
}

/**
 * The fields that a release changed of a post when a form with this text version was opened; null when no kept text has
 * it.
 * @param saved the post as it was then
 */
export async function findOpenedChange(
  app: Db,
  { postId, releaseId, textVersion }: { postId: string; releaseId: string; textVersion: string },
  saved: PostFields,
): Promise<Partial<PostFields> | null> {
  const isOf = (fields: string) => textVersion === textVersionOf({ releaseId, action: 'update', fields });
  if (!textVersion.startsWith(`${releaseId} `) || isOf(NO_CHANGE)) return {};
  // One that archives the post changes no field.
  if (textVersion === textVersionOf({ releaseId, action: 'archive', fields: NO_CHANGE })) return {};
  const rows = await app.db.revision.findMany({
    where: { postId, releaseId, kind: 'prepare' },
    orderBy: newestFirst,
    take: TEXTS_READ,
    select: { fields: true },
  });
  for (const row of rows) {
    const fields = readRevisionFields(row.fields);
    const change = fields && pickFields(fields, changedFields(saved, fields));
    if (change && isOf(storeFields(change))) return change;
  }
  return null;
}
