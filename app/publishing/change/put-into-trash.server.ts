import type { Transaction } from '#app/platform/database/client.server.ts';
import { keyWithKind } from '#app/platform/trash-key.ts';
import type { TrashKind } from './trash-item.ts';

interface TrashEntry {
  id: string;
  kind: TrashKind;
  title: string;
  path?: string;
  ownerId?: string | null;
  details?: string;
  trashedById: string | null;
  trashedAt: Date;
}

/** Writes an entry of the trash. */
export async function putIntoTrash(tx: Transaction, { id, ...entry }: TrashEntry): Promise<void> {
  const other = await tx.trashItem.findUnique({ where: { id }, select: { id: true } });
  await tx.trashItem.create({ data: { ...entry, id: other ? keyWithKind(entry.kind, id) : id } });
}
