// Posts and releases for the tests of publishing releases: nobody's, at minutes after the start of the tests' clock.
import { byCommand } from '#app/people/audit/audit.server.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { archivePostInRelease, keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { rollBackRelease } from '#app/publishing/releases/roll-back.server.ts';
import { keepTextsInRelease, wantedRedirect } from '#app/publishing/releases/texts.server.ts';
import type { TestApp } from './app.ts';
import { testNow } from './clock.ts';

export const minute = 60_000;
export const at = (minutes: number) => new Date(new Date(testNow).getTime() + minutes * minute);
const editorId = null;

export const readPost = (app: TestApp, { id }: { id: string }) => app.db.post.findUnique({ where: { id } });

/** A post that is due at a time by itself. */
export const schedulePost = (app: TestApp, title: string, minutes: number) =>
  createPost(app, { intent: 'schedule', fields: { title, publishedAt: at(minutes) }, editorId });

export const keepChange = (app: TestApp, releaseId: string, { id, version }: Saved, fields: ChangedFields) =>
  keepChangeInRelease(app, { postId: id, releaseId, version, fields, editorId });

export const archiveIn = (app: TestApp, releaseId: string, { id, version }: Saved) =>
  archivePostInRelease(app, { postId: id, releaseId, version, editorId });

export type Saved = Awaited<ReturnType<typeof createPost>>;
type ChangedFields = Parameters<typeof keepChangeInRelease>[1]['fields'];

/** Everything that a release of these tests changes for readers. */
export const stateOf = async (app: TestApp) => ({
  posts: await app.db.post.findMany({
    orderBy: { id: 'asc' },
    omit: { version: true, updatedAt: true, hasBeenPublic: true },
    include: { tags: { select: { tag: { select: { name: true } } } } },
  }),
  sitemap: await app.db.sitemapEntry.findMany({ orderBy: { path: 'asc' } }),
  title: (await app.db.setting.findUnique({ where: { key: 'site_title' } }))?.value,
});

export const scheduleRelease = (app: TestApp, minutes: number, name = 'Friday') =>
  createRelease(app, { name, publishAt: at(minutes), step: 'schedule', by: byCommand });
export const publishPost = (app: TestApp, slug: string, fields = {}) =>
  createPost(app, { intent: 'publish', fields: { title: slug, slug, body: 'Old', ...fields }, editorId });
export const saveDraft = (app: TestApp, slug: string) =>
  createPost(app, { intent: 'save', fields: { title: slug, slug }, editorId });
export const contentVersionOf = async (app: TestApp) =>
  (await app.db.siteState.findUnique({ where: { id: 1 } }))!.contentVersion;

export const publish = (app: TestApp, id: string) => publishRelease(app, { id, by: byCommand });

export const rollBack = (app: TestApp, id: string, rollbackAt?: Date) =>
  rollBackRelease(app, { id, rollbackAt, by: byCommand });

/** Adds a setting to a release. */
export async function putSetting(app: TestApp, releaseId: string, key: string, value: string): Promise<void> {
  const now = app.clock.now();
  await app.db.releaseItem.create({
    data: {
      id: crypto.randomUUID(),
      releaseId,
      kind: 'setting',
      subjectId: key,
      action: 'update',
      fields: JSON.stringify({ value }),
      createdAt: now,
      updatedAt: now,
    },
  });
}

/** Adds a redirect to a release, or its end with a blank `to`, as the release's form does. */
export async function keepRedirectInRelease(
  app: PublishingContext,
  { from, to, ...input }: { releaseId: string; editorId: string | null; from: string; to: string },
): Promise<void> {
  const redirect = await wantedRedirect(app, { releaseId: input.releaseId, from, to });
  await keepTextsInRelease(app, { ...input, wanted: [redirect], replaces: true });
}
