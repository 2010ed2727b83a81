import { beforeAll, expect, it } from 'vitest';
import { saveAutosave } from '#app/publishing/posts/autosave.server.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { addPostsToRelease, keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { checkPublishing } from '#app/publishing/trigger/status.server.ts';
import { blockedOf, listScheduledReleases } from '#app/releases/status.server.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import {
  archiveIn,
  at,
  contentVersionOf,
  keepChange,
  minute,
  publish,
  publishPost,
  putSetting,
  readPost,
  rollBack,
  saveDraft,
  schedulePost,
  scheduleRelease,
  stateOf,
  type Saved,
} from '#tests/support/releases.ts';

const editorId = null;

describeWithOneApp('a release of a draft, a change and an archive, among scheduled posts', (getApp) => {
  let posts: Record<'fresh' | 'changed' | 'leaving' | 'early' | 'late', Saved>;
  let versionBefore: number;
  let result: Awaited<ReturnType<typeof publishDue>>;

  beforeAll(async () => {
    const app = getApp();
    posts = {
      fresh: await saveDraft(app, 'fresh'),
      changed: await publishPost(app, 'changed'),
      leaving: await publishPost(app, 'leaving'),
      early: await schedulePost(app, 'early', 5),
      late: await schedulePost(app, 'late', 15),
    };
    const { id: releaseId } = await scheduleRelease(app, 10);
    await addPostsToRelease(app, { releaseId, postIds: [posts.fresh.id], editorId });
    await keepChange(app, releaseId, posts.changed, {
      slug: 'changed-now',
      body: 'New **text**',
      tags: ['Sea'],
    });
    await archiveIn(app, releaseId, posts.leaving);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([]);
    app.clock.advance(20 * minute);
    versionBefore = await contentVersionOf(app);
    result = await publishDue(app, 'command');
  });

  it('is published in the order of time, in one content version, and once', async () => {
    expect(result.publishedPostIds).toEqual([posts.early.id, posts.fresh.id, posts.late.id]);
    expect(result.publishedCount).toBe(3);
    expect(result.affectedSlugs.toSorted()).toEqual(['changed-now', 'early', 'fresh', 'late', 'leaving']);
    // The single posts' two batches, and the release.
    expect(await contentVersionOf(getApp())).toBe(versionBefore + 3);
    expect((await publishDue(getApp(), 'command')).affectedSlugs).toEqual([]);
  });

  it('publishes the draft, changes the live post and archives the third', async () => {
    expect(await readPost(getApp(), posts.fresh)).toMatchObject({ status: 'published', publishedAt: at(10) });
    expect(await readPost(getApp(), posts.changed)).toMatchObject({
      slug: 'changed-now',
      bodyHtml: '<p>New <strong>text</strong></p>',
      contentUpdatedAt: at(20),
    });
    expect(await readPost(getApp(), posts.leaving)).toMatchObject({ status: 'archived' });
  });

  it('changes redirects, sitemap and search with them', async () => {
    const { db } = getApp();
    const redirect = await db.redirect.findUnique({ where: { path: '/posts/changed' } });
    expect(redirect).toMatchObject({ postId: posts.changed.id });
    const paths = (await db.sitemapEntry.findMany({ orderBy: { path: 'asc' } })).map(({ path }) => path);
    expect(paths).toEqual(['/posts/changed-now', '/posts/early', '/posts/fresh', '/posts/late']);
    expect(await db.searchOutbox.count()).toBe(0);
  });
});

/** What stops a release of these posts, and the words that say so. */
const causes: [
  what: string,
  problem: string,
  stop: (app: TestApp, release: StuckRelease) => Promise<unknown>,
][] = [
  [
    'whose post was deleted',
    'was deleted',
    (app, { gone }) => app.db.post.delete({ where: { id: gone.id } }),
  ],
  ['whose address is taken', '/posts/wanted', (app) => publishPost(app, 'wanted')],
  ['whose setting is invalid', 'Posts per page', (app, { id }) => putSetting(app, id, 'posts_per_page', '0')],
];

interface StuckRelease {
  id: string;
  fresh: Saved;
  gone: Saved;
}

for (const [what, problem, stop] of causes)
  describeWithOneApp(`a release ${what}`, (getApp) => {
    let stuck: StuckRelease;
    let publishable: string[];
    beforeAll(async () => {
      const app = getApp();
      const [fresh, gone] = [await saveDraft(app, 'fresh'), await saveDraft(app, 'gone')];
      const renamed = await publishPost(app, 'renamed');
      const { id } = await scheduleRelease(app, 10, 'Stuck');
      await addPostsToRelease(app, { releaseId: id, postIds: [fresh.id, gone.id], editorId });
      await keepChange(app, id, renamed, { slug: 'wanted' });
      const other = await scheduleRelease(app, 10, 'Fine');
      const fine = await saveDraft(app, 'fine');
      await addPostsToRelease(app, { releaseId: other.id, postIds: [fine.id], editorId });
      const alone = await schedulePost(app, 'single', 11);
      stuck = { id, fresh, gone };
      publishable = [fine.id, alone.id];
      expect(blockedOf(await listScheduledReleases(app))).toEqual([]);
      await stop(app, stuck);
    });

    it('is named before its time, and is overdue after it', async () => {
      const app = getApp();
      expect(blockedOf(await listScheduledReleases(app))).toMatchObject([
        { id: stuck.id, name: 'Stuck', problem: expect.stringContaining(problem) },
      ]);
      expect(await checkPublishing(app)).not.toBe('overdue');
      app.clock.advance(12 * minute);
      expect(await checkPublishing(app)).toBe('overdue');
    });

    it('changes nothing and delays nothing else', async () => {
      const app = getApp();
      expect((await publishDue(app, 'command')).publishedPostIds).toEqual(publishable);
      expect(await app.db.release.findUnique({ where: { id: stuck.id } })).toMatchObject({
        status: 'scheduled',
        problem: expect.stringContaining(problem),
      });
      expect(await readPost(app, stuck.fresh)).toMatchObject({ status: 'draft', version: 1 });
    });

    it('is recorded once, and refused to whoever publishes it by hand', async () => {
      await publishDue(getApp(), 'command');
      expect(await getApp().db.auditLog.count({ where: { action: 'release.blocked' } })).toBe(1);
      await expect(publish(getApp(), stuck.id)).rejects.toMatchObject({ code: 'conflict' });
    });
  });

describeWithOneApp('the rollback of a release', (getApp) => {
  let posts: Record<'fresh' | 'changed' | 'touched' | 'leaving', Saved>;
  let releaseId: string;
  let before: Awaited<ReturnType<typeof stateOf>>;

  beforeAll(async () => {
    const app = getApp();
    await changeSettings(app, { site_title: 'Before' });
    posts = {
      fresh: await saveDraft(app, 'fresh'),
      changed: await publishPost(app, 'changed', { excerpt: 'Kept', tags: ['Old'] }),
      touched: await publishPost(app, 'touched'),
      leaving: await publishPost(app, 'leaving'),
    };
    app.clock.advance(minute);
    before = await stateOf(app);
    ({ id: releaseId } = await scheduleRelease(app, 10));
    await addPostsToRelease(app, { releaseId, postIds: [posts.fresh.id], editorId });
    const change = { title: 'New', body: 'New' };
    await keepChange(app, releaseId, posts.changed, { ...change, slug: 'changed-now', tags: ['New'] });
    await keepChange(app, releaseId, posts.touched, change);
    await archiveIn(app, releaseId, posts.leaving);
    await putSetting(app, releaseId, 'site_title', 'After');
    await publish(app, releaseId);
  });

  it('gives back what was, and can be taken back itself', async () => {
    const app = getApp();
    const out = await stateOf(app);
    const rollback = await rollBack(app, releaseId);
    expect(await stateOf(app)).toEqual(before);
    await rollBack(app, rollback.id);
    expect(await stateOf(app)).toEqual(out);
  });

  it('can be scheduled, and keeps what was changed since', async () => {
    const app = getApp();
    app.clock.advance(minute);
    await editPost(app, { postId: posts.touched.id, intent: 'save', fields: { title: 'By hand' }, editorId });
    expect(await rollBack(app, releaseId, at(60))).toMatchObject({ status: 'scheduled' });
    app.clock.advance(60 * minute);
    expect((await publishDue(app, 'command')).publishedPostIds).toEqual([posts.leaving.id]);
    expect(await readPost(app, posts.touched)).toMatchObject({ title: 'By hand', body: 'Old' });
    expect(await readPost(app, posts.fresh)).toMatchObject({ status: 'draft' });
  });
});

describeWithApp('a release', (getApp) => {
  it('is published once by many triggers and buttons at the same time', async () => {
    const app = getApp();
    const { id: releaseId } = await scheduleRelease(app, 10);
    const posts = [await saveDraft(app, 'one'), await saveDraft(app, 'two'), await saveDraft(app, 'three')];
    await addPostsToRelease(app, { releaseId, postIds: posts.map(({ id }) => id), editorId });
    app.clock.advance(11 * minute);
    const button = () => publish(app, releaseId);
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

  it('changes settings with its posts', async () => {
    const app = getApp();
    await changeSettings(app, { site_title: 'Before' });
    const { id: releaseId } = await scheduleRelease(app, 10);
    await putSetting(app, releaseId, 'site_title', 'After');
    app.clock.advance(10 * minute);
    const before = await contentVersionOf(app);
    await publishDue(app, 'command');
    expect(await app.db.setting.findUnique({ where: { key: 'site_title' } })).toMatchObject({
      value: 'After',
    });
    expect(await contentVersionOf(app)).toBe(before + 1);
  });

  it('moves the pages below a page that it moves, and changes their texts', async () => {
    const app = getApp();
    const { id: releaseId } = await scheduleRelease(app, 10);
    const above = await publishPost(app, 'above', { type: 'page' });
    const below = await publishPost(app, 'below', { type: 'page', parentId: above.id });
    await keepChange(app, releaseId, above, { slug: 'moved' });
    await keepChange(app, releaseId, below, { body: 'New' });
    await publish(app, releaseId);
    const found = await app.db.post.findUnique({ where: { id: below.id } });
    expect(found).toMatchObject({ slug: '/moved/below', body: 'New' });
  });

  it('keeps what is typed into its drafts beside them', async () => {
    const app = getApp();
    const { id: user } = await createUser(app);
    const { id: postId } = await saveDraft(app, 'fresh');
    const input = { postId, editorId: user, version: 1, fields: { body: 'Typed' } };
    const { id: releaseId } = await scheduleRelease(app, 10);
    await addPostsToRelease(app, { releaseId, postIds: [postId], editorId });
    expect(await saveAutosave(app, input)).toMatchObject({ saved: 'copy' });
    app.clock.advance(10 * minute);
    await publishDue(app, 'command');
    expect(await app.db.post.findUnique({ where: { id: postId } })).toMatchObject({
      status: 'published',
      body: '',
    });
  });

  it('changes a publication time to the second of two equal local times', async () => {
    const app = getApp();
    await changeSettings(app, { site_timezone: 'Europe/Berlin' });
    const first = new Date('2025-10-26T00:30:00Z');
    const second = new Date('2025-10-26T01:30:00Z');
    const { id: postId, version } = await publishPost(app, 'clock', { publishedAt: first });
    const { id: releaseId } = await scheduleRelease(app, 10);
    const exactTimes = new Set(['publishedAt']);
    const change = { postId, releaseId, version, fields: { publishedAt: second }, exactTimes, editorId };
    await keepChangeInRelease(app, change);
    await publish(app, releaseId);
    expect(await readPost(app, { id: postId })).toMatchObject({ publishedAt: second });
  });
});
