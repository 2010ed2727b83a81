import { keysOf } from '#app/platform/narrow.ts';
import { type PostFields, pickFields } from '#app/posts/fields/fields.ts';
import { intentFor, type StateIntent } from '#app/posts/fields/states.ts';
import { changedFields, readStoredText, sameValue, type StoredText } from '#app/posts/fields/stored.ts';
import { readPostUndo, type ReleaseItemRow } from '#app/releases/items.ts';

/** The change that an item of a release makes to its post. */
export interface ItemChange {
  fields: PostFields;
  intent: StateIntent;
  contentUpdatedAt?: Date;
}

/** The parts of a post's state on which the change depends. */
interface CurrentPost {
  status: string;
  contentUpdatedAt: Date;
}

interface Publication {
  at: Date;
  present: (stored: StoredText) => Promise<Partial<PostFields>>;
}

/**
 * The change that an item makes to its post in its present state; null when it changes nothing. Does not handle items
 * that publish a hidden post.
 * @param run.at when the release is published
 * @param run.present gives what is stored its present terms (`readPresentFields`)
 */
export async function planItemChange(
  item: ReleaseItemRow,
  current: CurrentPost,
  before: PostFields,
  { at, present }: Publication,
): Promise<ItemChange | null> {
  switch (item.action) {
    case 'archive':
      return current.status === 'published'
        ? { fields: { ...before, archiveAt: null }, intent: 'archive' }
        : null;
    case 'update': {
      const stored = readStoredText(item.fields);
      const changes = stored && (await present(stored));
      const fields = { ...before, ...changes };
      // A published post has no time in the future. The editor may have entered one while the post was still scheduled.
      if (current.status === 'published' && changes?.publishedAt && changes.publishedAt > at)
        fields.publishedAt = at;
      return changedFields(before, fields).length > 0 ? { fields, intent: 'save' } : null;
    }
    case 'restore':
      return restored(item, current, before, { at, present });
    default:
      return null;
  }
}

/** Undoes what another release changed, except what has been changed again since. */
async function restored(
  { fields: json }: ReleaseItemRow,
  current: CurrentPost,
  live: PostFields,
  { at, present }: Publication,
): Promise<ItemChange | null> {
  const undo = readPostUndo(json);
  if (!undo) return null;
  const { before: leftState, after: restoredState } = undo;
  const [left, former] = [await present(leftState), await present(restoredState)];
  const isUnchanged = (name: keyof PostFields) => name in former && sameValue(live[name], left[name]!);
  const names = keysOf(left).filter(isUnchanged);
  const fields: PostFields = { ...live, ...pickFields(former as PostFields, names) };
  const undoesStatus = current.status === leftState.status && restoredState.status !== leftState.status;
  if (names.length === 0 && !undoesStatus) return null;
  const isPast = restoredState.status === 'scheduled' && (!fields.publishedAt || fields.publishedAt <= at);
  const status = isPast ? 'draft' : restoredState.status;
  const isUntouched = current.contentUpdatedAt.getTime() === leftState.contentUpdatedAt.getTime();
  return {
    fields,
    intent: undoesStatus ? intentFor[status] : 'save',
    ...(isUntouched && { contentUpdatedAt: restoredState.contentUpdatedAt }),
  };
}
