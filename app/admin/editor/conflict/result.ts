import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext, Done } from '#app/admin/frame/screen.ts';
import type { ConflictPage } from './conflict.server.ts';
import type { ScheduledConflictPage } from './scheduled.server.ts';
import type { UnsavedCopyPage } from './unsaved-copy.server.ts';

/** What the editor shows after an action that stays on the page. */
export interface EditorResult {
  /** The rendered text. */
  preview: string;
  conflict: ConflictPage;
  scheduledConflict: ScheduledConflictPage;
  unsavedCopy: UnsavedCopyPage;
  /** The form makes a new post, since somebody has deleted the old one. */
  isReplacement: true;
}

/** The redirect after a save, and the answer to a script. */
export function savedPost(
  { adminPath }: Pick<AdminContext, 'adminPath'>,
  { id, version, status, textVersion }: { id: string; version: number; status: string; textVersion?: string },
): Done {
  return { location: adminUrl(adminPath, 'posts', id), id, version, status, releaseText: textVersion };
}
