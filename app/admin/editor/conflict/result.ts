import type { ShownDifference } from '#app/admin/differences/describe.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext, Done } from '#app/admin/frame/screen.ts';
import type { Message } from '#app/platform/message.ts';
import type { ShownLine } from '#app/posts/history/compare-texts.ts';
import type { ConflictPage } from './conflict.server.ts';

/** The page that asks whether an action, such as publishing, includes the editor's unsaved changes. */
export interface UnsavedCopyPage {
  title: string;
  at: Date;
  differences: ShownDifference[];
  /** The form as submitted, to be submitted again with the choice. */
  values: Readonly<Record<string, string>>;
}

/** The 409 page of a live change of which the scheduled update changes the same: both, and what the update gets. */
export interface ScheduledConflictPage {
  changeAt: Date;
  fields: {
    name: string;
    label: string;
    live: string;
    scheduled: string;
    /** The name of the form's field with what the scheduled update gets, and its first value. */
    chosenName: string;
    chosen: string;
    /** For the text: what each side has changed. */
    changes: { label: string; lines: ShownLine[] }[];
  }[];
  /** The form as submitted, to be submitted again with the choice. */
  values: Readonly<Record<string, string>>;
}

/** What the editor shows after an action that stays on the page. */
export interface EditorResult {
  preview: string;
  conflict: ConflictPage;
  scheduledConflict: ScheduledConflictPage;
  unsavedCopy: UnsavedCopyPage;
  /** The form makes a new post, since somebody has deleted the old one. */
  isReplacement: true;
  testMail: Message;
}

/** The redirect after a save, and the answer to a script. */
export function savedPost(
  { adminPath }: Pick<AdminContext, 'adminPath'>,
  { id, version, status, textVersion }: { id: string; version: number; status: string; textVersion?: string },
): Done {
  return { location: adminUrl(adminPath, 'posts', id), id, version, status, releaseText: textVersion };
}
