// The site at an instant at which something was due that the trigger published only later.
import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease, keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { putSetting } from '#tests/support/releases.ts';
import { openScratchSite } from '#tests/support/scratch-site.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
const editorId = null;

/** What readers see of the posts and the title of the site at an instant. */
async function siteAt(app: TestApp, instant: Date) {
  const site = await openScratchSite(app, instant);
  try {
    const posts = await site.app.db.post.findMany({
      where: { status: 'published' },
      orderBy: { slug: 'asc' },
      select: { slug: true, title: true, body: true, publishedAt: true, contentUpdatedAt: true },
    });
    return { posts, title: (await readSettings(site.app)).site_title };
  } finally {
    await site.close();
  }
}

const textsOf = ({ posts }: Awaited<ReturnType<typeof siteAt>>) =>
  posts.map(({ slug, title, body }) => `${slug}: ${title}, ${body}`);

describeWithApp('the site at the minute of a release', (getApp) => {
  it('is the same before the trigger, while it is late, and after it', async () => {
    const app = getApp();
    const create = async (intent: 'publish' | 'save' | 'schedule', slug: string, publishedAt?: Date) =>
      createPost(app, { intent, fields: { title: slug, slug, body: 'Old', publishedAt }, editorId });
    const due = new Date(app.clock.now().getTime() + HOUR);
    const [changed, updated, edited] = [
      await create('publish', 'changed'),
      await create('publish', 'updated'),
      await create('publish', 'edited'),
    ];
    await create('schedule', 'single', due);
    const draft = await create('save', 'draft');
    const { id: releaseId } = await createRelease(app, {
      ...{ name: 'Friday', publishAt: due, step: 'schedule', by: byCommand },
    });
    await addPostsToRelease(app, { releaseId, postIds: [draft.id], editorId });
    const { id: postId, version } = changed;
    await keepChangeInRelease(app, { postId, releaseId, version, fields: { body: 'New' }, editorId });
    await putSetting(app, releaseId, 'site_title', 'New');
    await scheduleUpdate(app, {
      ...{ postId: updated.id, version: updated.version, fields: { body: 'New' }, changeAt: due, editorId },
    });

    const before = await siteAt(app, due);
    expect(textsOf(before)).toEqual([
      'changed: changed, New',
      'draft: draft, Old',
      'edited: edited, Old',
      'single: single, Old',
      'updated: updated, New',
    ]);
    expect(before.title).toBe('New');
    app.clock.advance(HOUR + SECOND);
    await editPost(app, { postId: edited.id, intent: 'save', fields: { body: 'Later' }, editorId });
    expect(await siteAt(app, due)).toEqual(before);
    app.clock.advance(2 * SECOND);
    await publishDue(app, 'command');
    expect(await siteAt(app, due)).toEqual(before);
    app.clock.advance(HOUR);
    await editPost(app, { postId, intent: 'save', fields: { body: 'Newest' }, editorId });
    expect(await siteAt(app, due)).toEqual(before);
    expect(textsOf(await siteAt(app, new Date(due.getTime() - SECOND)))).toEqual([
      'changed: changed, Old',
      'edited: edited, Old',
      'updated: updated, Old',
    ]);
    expect(textsOf(await siteAt(app, new Date(due.getTime() + HOUR)))).toEqual([
      'changed: changed, New',
      'draft: draft, Old',
      'edited: edited, Later',
      'single: single, Old',
      'updated: updated, New',
    ]);
  });

  it('lacks a release that was blocked then, until it was mended', async () => {
    const app = getApp();
    const due = new Date(app.clock.now().getTime() + HOUR);
    const fields = { title: 'Short', slug: 'short', archiveAt: new Date(due.getTime() - SECOND) };
    const { id } = await createPost(app, { intent: 'save', fields, editorId });
    const { id: releaseId } = await createRelease(app, {
      ...{ name: 'Friday', publishAt: due, step: 'schedule', by: byCommand },
    });
    await addPostsToRelease(app, { releaseId, postIds: [id], editorId });
    app.clock.advance(HOUR + SECOND);
    await publishDue(app, 'command');
    app.clock.advance(HOUR);
    await editPost(app, { postId: id, intent: 'save', fields: { archiveAt: null }, editorId });
    await publishDue(app, 'command');
    const published = app.clock.now();
    app.clock.advance(HOUR);
    expect((await siteAt(app, due)).posts).toEqual([]);
    expect((await siteAt(app, published)).posts).toHaveLength(1);
  });
});
