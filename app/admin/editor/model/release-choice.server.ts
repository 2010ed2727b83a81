import type { Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { mayActOnPost } from '#app/people/roles.ts';
import type { OwnedPost } from '#app/people/roles.ts';
import { say, type Message } from '#app/platform/message.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readChangedFields } from '#app/releases/post-change.server.ts';
import { listOpenReleases, listReleasesOf, type ReleaseChoice } from '#app/releases/queries.server.ts';
import { textVersionOf } from '#app/releases/text-version.server.ts';

/** Releases as the editor shows them. */
export interface EditorReleases {
  /** Releases to which the post can be saved; empty without the right to publish. */
  open: ReleaseChoice[];
  /** Releases that contain the post, with their action on it. */
  of: { release: ReleaseChoice; action: string }[];
}

/**
 * The releases to which a post can be saved, and the release that `?release=` in the address names. The editor shows
 * the post as it will be with that release, and saves to it.
 * @param post null for a post that does not exist yet
 * @param restored the text that is shown instead of the present one. Its release comes before the one in the address.
 * @returns `chosenId`: the named release, or blank; `change`: the fields that this release changes; `textVersion`: that
 *   of the text with them, for the form of a published post
 */
export async function readOpenReleases(
  { app, user, request }: Pick<ScreenArguments, 'app' | 'user' | 'request'>,
  post: (NonNullable<OwnedPost> & { id: string }) | null,
  restored: { releaseId: string | null; unsavedAt: Date | null; textVersion: string | null } | null = null,
): Promise<{
  shown: EditorReleases;
  chosenId: string;
  change: Partial<PostFields>;
  textVersion?: string;
  notice: Message | null;
}> {
  const none = { shown: { open: [], of: [] }, chosenId: '', change: {}, notice: null };
  if (!mayActOnPost(user, post, 'publish')) return none;
  const [open, of] = await Promise.all([
    listOpenReleases(app),
    post ? listReleasesOf(app, 'post', post.id) : [],
  ]);
  const shown = { open, of: of.map(({ release, action }) => ({ release, action })) };
  const requested = new URL(request.url).searchParams.get('release');
  const chosen = open.find(({ id }) => id === (restored?.releaseId ?? requested));
  const isLive = post?.status === 'published';
  // Unsaved changes keep the text version that their form showed at first.
  const startedFrom = restored?.unsavedAt ? restored.textVersion : null;
  if (!chosen)
    return { ...none, shown, textVersion: isLive ? (startedFrom ?? textVersionOf(null, of)) : undefined };
  const item = of.find(({ releaseId }) => releaseId === chosen.id);
  const change = (item?.action === 'update' && (await readChangedFields(app.db, item))) || {};
  const notice = say(
    'This is the post as it will be with the release “{name}”. Saving changes the release, not what readers see.',
    { name: chosen.name },
  );
  const text = item ?? { releaseId: chosen.id, action: 'update', fields: '{}' };
  // Unsaved changes that an older version of the server stored have no text version. If the release's text was stored
  // after them, they are based on an earlier one.
  const isLater = item && restored?.unsavedAt && item.updatedAt > restored.unsavedAt;
  const textVersion = startedFrom ?? textVersionOf(isLater ? { ...text, action: 'earlier' } : text);
  const ofLive = isLive ? { textVersion, notice } : { notice: null };
  return { shown, chosenId: chosen.id, change, ...ofLive };
}

/** The redirect after a save to a release: the page shows the post as it will be with that release. */
export function withReleaseShown(done: Done, releaseId: string): Done {
  return { ...done, location: `${done.location}?release=${encodeURIComponent(releaseId)}` };
}
