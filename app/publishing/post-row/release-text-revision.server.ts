import type { Transaction } from '#app/platform/database/client.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { changedFields } from '#app/posts/fields/stored.ts';
import { readPostChange } from '#app/publishing/change/present-terms.server.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { writeRevision } from './revisions.server.ts';
import type { PostRow } from './row.server.ts';
import { withFormValues, type ExactTimes } from './times.ts';

/** For which post and release, on which version, by whom. */
interface KeptText {
  postId: string;
  releaseId: string;
  version: number;
  editorId: string | null;
}

/** Stores a text that was kept for a release as a revision. */
export async function writeTextRevision(
  app: PublishingContext,
  tx: Transaction,
  { postId, version, editorId, releaseId }: KeptText,
  fields: PostFields,
): Promise<void> {
  await writeRevision(tx, app.clock, {
    postId,
    postVersion: version,
    kind: 'prepare',
    authorId: editorId,
    fields,
    summary: 'Kept for a release',
    releaseId,
  });
}

/** Stores the fields of a form as a revision if they differ from those that the post has with the release. */
export async function keepTyped(
  app: PublishingContext,
  tx: Transaction,
  input: KeptText & { fields: Partial<PostFields>; exactTimes?: ExactTimes },
  { current, timeZone }: { current: PostRow; timeZone: string },
): Promise<void> {
  const shown = { ...(await readPostFields(tx, current)), ...(await readPostChange({ db: tx }, input)) };
  const typed = withFormValues(shown, input.fields, timeZone, input.exactTimes);
  // A blank slug means that nobody chose one.
  const fields = { ...typed, slug: typed.slug || shown.slug };
  if (changedFields(shown, fields).length > 0) await writeTextRevision(app, tx, input, fields);
}
