import { expect, it } from 'vitest';
import { byCommand } from '#app/auth/audit.server.ts';
import { checkPublishing } from '#app/posts/status.server.ts';
import { changeSettings } from '#app/publishing/change-settings.server.ts';
import { createRelease } from '#app/publishing/edit-release.server.ts';
import { publishDue } from '#app/publishing/publish-due.server.ts';
import { publishRelease } from '#app/publishing/publish-release.server.ts';
import {
  addPostsToRelease,
  archivePostInRelease,
  keepChangeInRelease,
} from '#app/publishing/release-items.server.ts';
import { rollBackRelease } from '#app/publishing/rollback-release.server.ts';
import { saveAutosave } from '#app/publishing/save-autosave.server.ts';
import { createPost, editPost } from '#app/publishing/save-post.server.ts';
import { blockedOf, listScheduledReleases } from '#app/releases/status.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { testNow } from '#tests/support/clock.ts';
import { createUser } from '#tests/support/factories.ts';

const minute = 60_000;
const at = (minutes: number) => new Date(new Date(testNow).getTime() + minutes * minute);
const editorId = null;

const posted = (app: TestApp, { id }: { id: string }) => app.db.post.findUnique({ where: { id } });

/** A post that is due at a time by itself. */
const single = (app: TestApp, title: string, minutes: number) =>
  createPost(app, { intent: 'schedule', fields: { title, publishedAt: at(minutes) }, editorId });

const keep = (app: TestApp, releaseId: string, { id, version }: Saved, fields: ChangedFields) =>
  keepChangeInRelease(app, { postId: id, releaseId, version, fields, editorId });

const archive = (app: TestApp, releaseId: string, { id, version }: Saved) =>
  archivePostInRelease(app, { postId: id, releaseId, version, editorId });

type Saved = Awaited<ReturnType<typeof createPost>>;
type ChangedFields = Parameters<typeof keepChangeInRelease>[1]['fields'];

/** Everything that a release of these tests changes for readers. */
const stateOf = async (app: TestApp) => ({
  posts: await app.db.post.findMany({
    orderBy: { id: 'asc' },
    omit: { version: true, updatedAt: true, hasBeenPublic: true },
    include: { tags: { select: { tag: { select: { name: true } } } } },
  }),
  sitemap: await app.db.sitemapEntry.findMany({ orderBy: { path: 'asc' } }),
  title: (await app.db.setting.findUnique({ where: { key: 'site_title' } }))?.value,
});

describeWithApp('a release', (getApp) => {
  const scheduled = (app: TestApp, minutes: number, name = 'Friday') =>
    createRelease(app, { name, publishAt: at(minutes), step: 'schedule', by: byCommand });
  const live = (app: TestApp, slug: string, fields = {}) =>
    createPost(app, { intent: 'publish', fields: { title: slug, slug, body: 'Old', ...fields }, editorId });
  const draft = (app: TestApp, slug: string) =>
    createPost(app, { intent: 'save', fields: { title: slug, slug }, editorId });
  const versionOf = async (app: TestApp) =>
    (await app.db.siteState.findUnique({ where: { id: 1 } }))!.contentVersion;

  it('publishes drafts, changes and archives in one content version, in the order of time among single posts', async () => {
    const app = getApp();
    const [fresh, changed, leaving] = [
      await draft(app, 'fresh'),
      await live(app, 'changed'),
      await live(app, 'leaving'),
    ];
    const [early, late] = [await single(app, 'early', 5), await single(app, 'late', 15)];
    const { id: releaseId } = await scheduled(app, 10);
    await addPostsToRelease(app, { releaseId, postIds: [fresh.id], editorId });
    await keep(app, releaseId, changed, { slug: 'changed-now', body: 'New **text**', tags: ['Sea'] });
    await archive(app, releaseId, leaving);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([]);
    app.clock.advance(20 * minute);
    const before = await versionOf(app);
    const result = await publishDue(app, 'command');
    expect(result.publishedPostIds).toEqual([early.id, fresh.id, late.id]);
    expect(result.publishedCount).toBe(3);
    expect(result.affectedSlugs.toSorted()).toEqual(['changed-now', 'early', 'fresh', 'late', 'leaving']);
    // The single posts' two batches, and the release.
    expect(await versionOf(app)).toBe(before + 3);
    expect(await posted(app, fresh)).toMatchObject({
      status: 'published',
      publishedAt: at(10),
    });
    expect(await posted(app, changed)).toMatchObject({
      slug: 'changed-now',
      bodyHtml: '<p>New <strong>text</strong></p>',
      contentUpdatedAt: at(20),
    });
    expect(await posted(app, leaving)).toMatchObject({ status: 'archived' });
    expect(await app.db.redirect.findUnique({ where: { path: '/posts/changed' } })).toMatchObject({
      postId: changed.id,
    });
    const paths = (await app.db.sitemapEntry.findMany({ orderBy: { path: 'asc' } })).map(({ path }) => path);
    expect(paths).toEqual(['/posts/changed-now', '/posts/early', '/posts/fresh', '/posts/late']);
    expect(await app.db.searchOutbox.count()).toBe(0);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([]);
  });

  it('is published once by many triggers and buttons at the same time', async () => {
    const app = getApp();
    const { id: releaseId } = await scheduled(app, 10);
    const posts = [await draft(app, 'one'), await draft(app, 'two'), await draft(app, 'three')];
    await addPostsToRelease(app, { releaseId, postIds: posts.map(({ id }) => id), editorId });
    app.clock.advance(11 * minute);
    const button = () => publishRelease(app, { id: releaseId, by: byCommand });
    const [pressed, ...triggers] = await Promise.all([
      button(),
      ...Array.from({ length: 5 }, () => publishDue(app, 'command')),
    ]);
    const reported = [
      pressed?.published ?? [],
      ...triggers.map(({ publishedPostIds }) => publishedPostIds),
    ].flat();
    expect(reported).toHaveLength(3);
    expect(await app.db.post.findMany({ select: { version: true } })).toEqual([
      { version: 2 },
      { version: 2 },
      { version: 2 },
    ]);
    expect(await app.db.auditLog.count({ where: { action: 'release.published' } })).toBe(1);
  });

  it.each(['deleted', 'address', 'setting'] as const)(
    'that cannot be published (%s) changes nothing, is loud and delays nothing',
    async (cause) => {
      const app = getApp();
      const [fresh, gone] = [await draft(app, 'fresh'), await draft(app, 'gone')];
      const renamed = await live(app, 'renamed');
      const { id: releaseId } = await scheduled(app, 10, 'Stuck');
      await addPostsToRelease(app, { releaseId, postIds: [fresh.id, gone.id], editorId });
      await keep(app, releaseId, renamed, { slug: 'wanted' });
      const other = await scheduled(app, 10, 'Fine');
      const fine = await draft(app, 'fine');
      await addPostsToRelease(app, { releaseId: other.id, postIds: [fine.id], editorId });
      const alone = await single(app, 'single', 11);
      expect(blockedOf(await listScheduledReleases(app))).toEqual([]);
      if (cause === 'deleted') await app.db.post.delete({ where: { id: gone.id } });
      if (cause === 'address') await live(app, 'wanted');
      if (cause === 'setting') await putSetting(app, releaseId, 'posts_per_page', '0');
      const problem = { deleted: 'was deleted', address: '/posts/wanted', setting: 'Posts per page' }[cause];
      expect(blockedOf(await listScheduledReleases(app))).toMatchObject([
        { id: releaseId, name: 'Stuck', problem: expect.stringContaining(problem) },
      ]);
      expect(await checkPublishing(app)).not.toBe('overdue');
      app.clock.advance(12 * minute);
      expect(await checkPublishing(app)).toBe('overdue');
      const result = await publishDue(app, 'command');
      expect(result.publishedPostIds).toEqual([fine.id, alone.id]);
      expect(await app.db.release.findUnique({ where: { id: releaseId } })).toMatchObject({
        status: 'scheduled',
        problem: expect.stringContaining(problem),
      });
      expect(await posted(app, fresh)).toMatchObject({
        status: 'draft',
        version: 1,
      });
      await publishDue(app, 'command');
      expect(await app.db.auditLog.count({ where: { action: 'release.blocked' } })).toBe(1);
      await expect(publishRelease(app, { id: releaseId, by: byCommand })).rejects.toMatchObject({
        code: 'conflict',
      });
    },
  );

  it('changes settings with its posts', async () => {
    const app = getApp();
    await changeSettings(app, { site_title: 'Before' });
    const { id: releaseId } = await scheduled(app, 10);
    await putSetting(app, releaseId, 'site_title', 'After');
    app.clock.advance(10 * minute);
    const before = await versionOf(app);
    await publishDue(app, 'command');
    expect(await app.db.setting.findUnique({ where: { key: 'site_title' } })).toMatchObject({
      value: 'After',
    });
    expect(await versionOf(app)).toBe(before + 1);
  });

  it('goes back, but for what was changed since; the way back can be scheduled and taken back itself', async () => {
    const app = getApp();
    await changeSettings(app, { site_title: 'Before' });
    const fields = { excerpt: 'Kept', tags: ['Old'] };
    const [fresh, changed, touched, leaving] = [
      await draft(app, 'fresh'),
      await live(app, 'changed', fields),
      await live(app, 'touched'),
      await live(app, 'leaving'),
    ];
    app.clock.advance(minute);
    const start = await stateOf(app);
    const { id: releaseId } = await scheduled(app, 10);
    await addPostsToRelease(app, { releaseId, postIds: [fresh.id], editorId });
    const change = { title: 'New', body: 'New' };
    await keep(app, releaseId, changed, { ...change, slug: 'changed-now', tags: ['New'] });
    await keep(app, releaseId, touched, change);
    await archive(app, releaseId, leaving);
    await putSetting(app, releaseId, 'site_title', 'After');
    await publishRelease(app, { id: releaseId, by: byCommand });
    const out = await stateOf(app);
    const rollback = await rollBackRelease(app, { id: releaseId, by: byCommand });
    expect(await stateOf(app)).toEqual(start);
    await rollBackRelease(app, { id: rollback.id, by: byCommand });
    expect(await stateOf(app)).toEqual(out);
    app.clock.advance(minute);
    await editPost(app, { postId: touched.id, intent: 'save', fields: { title: 'By hand' }, editorId });
    const later = await rollBackRelease(app, { id: releaseId, rollbackAt: at(60), by: byCommand });
    expect(later).toMatchObject({ status: 'scheduled' });
    app.clock.advance(60 * minute);
    const back = await publishDue(app, 'command');
    expect(back.publishedPostIds).toEqual([leaving.id]);
    expect(await posted(app, touched)).toMatchObject({
      title: 'By hand',
      body: 'Old',
    });
    expect(await posted(app, fresh)).toMatchObject({ status: 'draft' });
  });

  it('moves the pages below a page that it moves, and changes their texts', async () => {
    const app = getApp();
    const { id: releaseId } = await scheduled(app, 10);
    const above = await live(app, 'above', { type: 'page' });
    const below = await live(app, 'below', { type: 'page', parentId: above.id });
    await keep(app, releaseId, above, { slug: 'moved' });
    await keep(app, releaseId, below, { body: 'New' });
    await publishRelease(app, { id: releaseId, by: byCommand });
    const found = await app.db.post.findUnique({ where: { id: below.id } });
    expect(found).toMatchObject({ slug: '/moved/below', body: 'New' });
  });

  it('keeps what is typed into its drafts beside them', async () => {
    const app = getApp();
    const { id: user } = await createUser(app);
    const { id: postId } = await draft(app, 'fresh');
    const input = { postId, editorId: user, version: 1, fields: { body: 'Typed' } };
    const { id: releaseId } = await scheduled(app, 10);
    await addPostsToRelease(app, { releaseId, postIds: [postId], editorId });
    expect(await saveAutosave(app, input)).toMatchObject({ saved: 'copy' });
    app.clock.advance(10 * minute);
    await publishDue(app, 'command');
    expect(await app.db.post.findUnique({ where: { id: postId } })).toMatchObject({
      status: 'published',
      body: '',
    });
  });
});

async function putSetting(app: TestApp, releaseId: string, key: string, value: string): Promise<void> {
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
