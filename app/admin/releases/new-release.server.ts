import { adminUrl } from '#app/admin/admin-url.ts';
import type { ActionArguments, Done } from '#app/admin/screen.ts';
import { unknownIntent } from '#app/admin/unknown-intent.ts';
import { byUser } from '#app/auth/audit.server.ts';
import { parseForm } from '#app/platform/parse-form.ts';
import { createRelease } from '#app/publishing/edit-release.server.ts';
import { addPostsToRelease } from '#app/publishing/release-items.server.ts';
import { newReleaseSchema, readPostIds } from '#app/releases/release.ts';
import { requireAddable } from './release-access.server.ts';

export function load(): Promise<object> {
  return Promise.resolve({});
}

/** Makes a release, scheduled at once if asked. */
export async function act(args: ActionArguments): Promise<Done> {
  const { app, form, user, adminContext, address } = args;
  const { name, publishAt, intent } = parseForm(newReleaseSchema(adminContext.timeZone), form.values);
  if (intent !== 'save' && intent !== 'schedule') throw unknownIntent();
  const postIds = readPostIds(form.all('add'));
  await requireAddable(app, user, postIds, 'add');
  const by = byUser(user, address);
  const release = await createRelease(app, { name, publishAt, step: intent, by });
  const { id, status } = release;
  if (postIds.length > 0) await addPostsToRelease(app, { releaseId: id, postIds, editorId: user.id });
  return { location: adminUrl(adminContext.adminPath, 'releases', id), id, version: release.version, status };
}
