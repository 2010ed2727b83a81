import { pathsOf } from '#app/media/library/queries.server.ts';
import { writeAudit } from '#app/people/audit/audit.server.ts';
import { mayChangeMedia } from '#app/people/roles.ts';
import type { Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError, type FieldErrors } from '#app/platform/errors.ts';
import { say, type Message } from '#app/platform/message.ts';
import { trashEntries } from '#app/platform/trash-key.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readEditor } from './addresses.server.ts';
import { byEditor } from './history.server.ts';

/** The part of a write that says who restores files. */
interface Restorer {
  editorId: string | null;
  address?: string;
  kind?: string;
  batch?: object;
}

/**
 * Restores the files in the trash that a post names. A file may be put there while somebody writes a text with it, since
 * only saved texts count as uses. A save calls this after it has written its row: a simultaneous deletion of the file
 * then either sees the post or comes first.
 * @throws AppError `invalid_input` on `body` or `coverMediaId` when the editor may not restore a named file
 */
export async function restoreNamedMedia(
  tx: Transaction,
  clock: Clock,
  { body, coverMediaId }: Pick<PostFields, 'body' | 'coverMediaId'>,
  { editorId, address, kind, batch }: Restorer,
): Promise<void> {
  if (coverMediaId === null && !body.includes('/uploads/')) return;
  // There are few at any time: a file in use leaves the trash.
  const trashed = await tx.media.findMany({
    where: { trashedAt: { not: null } },
    select: { id: true, path: true, variants: true, originalName: true, uploadedById: true },
  });
  const isInBody = (media: (typeof trashed)[number]) =>
    pathsOf(media).some((path) => body.includes(`/uploads/${path}`));
  const named = trashed.filter((media) => media.id === coverMediaId || isInBody(media));
  if (named.length === 0) return;
  // A trigger, which writes in batches, and an import name an editor too, but nobody is saving: no rights are checked.
  if (editorId !== null && !batch && kind !== 'import') {
    const refused = await withoutRights(tx, editorId, named);
    const cover = refused.filter(({ id }) => id === coverMediaId);
    requireNone({ body: refused.filter(isInBody), coverMediaId: cover });
  }
  const ids = named.map(({ id }) => id);
  await tx.media.updateMany({
    where: { id: { in: ids } },
    data: { trashedAt: null, updatedAt: clock.now() },
  });
  await tx.trashItem.deleteMany({ where: trashEntries('media', ids) });
  const by = await byEditor(tx, editorId, address);
  const entries = named.map(({ originalName: subject }) => ({
    action: 'media.restored' as const,
    by,
    subject,
  }));
  await writeAudit(tx, clock, ...entries);
}

interface TrashedMedia {
  id: string;
  originalName: string;
  uploadedById: string | null;
}

/** The files that an editor may not restore. Without this rule, the name of a file in a draft would make it public again. */
async function withoutRights<Media extends TrashedMedia>(
  tx: Transaction,
  editorId: string,
  named: Media[],
): Promise<Media[]> {
  const editor = await readEditor(tx, editorId);
  return named.filter((media) => !editor || !mayChangeMedia(editor, media));
}

function requireNone(refused: Record<'body' | 'coverMediaId', TrashedMedia[]>): void {
  const fields: FieldErrors = {};
  for (const [field, media] of Object.entries(refused))
    if (media.length > 0) fields[field] = media.map(inTrash);
  const [first] = Object.values(fields);
  if (first) throw new AppError('invalid_input', first[0]!, { fields });
}

function inTrash({ originalName: name }: TrashedMedia): Message {
  return say('“{name}” is in the trash. Choose another file, or ask an editor to restore it.', { name });
}
