import { adminUrl } from '#app/admin/admin-url.ts';
import type { AdminContext, Done } from '#app/admin/screen.ts';
import type { ConflictPage } from './conflict.server.ts';
import type { UnsavedCopyPage } from './unsaved-copy.server.ts';

/** What the editor shows after a button that led nowhere else. */
export interface EditorResult {
  /** The text as readers would see it. */
  preview: string;
  conflict: ConflictPage;
  unsavedCopy: UnsavedCopyPage;
  /** The form takes the place of a post that somebody has deleted. */
  isReplacement: true;
}

/** Where a saved post's form leads, and what it tells a script. */
export function savedPost(
  { adminPath }: Pick<AdminContext, 'adminPath'>,
  { id, version, status }: { id: string; version: number; status: string },
): Done {
  return { location: adminUrl(adminPath, 'posts', id), id, version, status };
}
