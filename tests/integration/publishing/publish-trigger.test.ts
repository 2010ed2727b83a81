import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { createPost as savePost, editPost } from '#app/publishing/posts/save.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import {
  checkPublishing,
  readPlannedChanges,
  readPublishingState,
} from '#app/publishing/trigger/status.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { testNow } from '#tests/support/clock.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';
import { createPost, createPosts } from '#tests/support/factories.ts';

const minute = 60_000;
const hour = 60 * minute;
const at = (milliseconds: number) => new Date(new Date(testNow).getTime() + milliseconds);

describeWithApp('the trigger', (getApp) => {
  it('publishes what is due, at its own time, and nothing else', async () => {
    const app = getApp();
    const late = await createPost(app, { status: 'scheduled', publishedAt: at(-hour), slug: 'late' });
    const now = await createPost(app, { status: 'scheduled', publishedAt: at(0), slug: 'now' });
    const soon = await createPost(app, { status: 'scheduled', publishedAt: at(1) });
    const others = [
      await createPost(app, { status: 'draft', publishedAt: at(-hour) }),
      await createPost(app, { status: 'archived', publishedAt: at(-hour) }),
    ];
    const result = await publishDue(app, 'command');
    expect(result).toEqual({
      publishedCount: 2,
      publishedPostIds: [late.id, now.id],
      affectedSlugs: ['late', 'now'],
      triggeredAt: testNow,
    });
    const after = await statuses(app);
    expect(after.get(late.id)).toEqual({ status: 'published', publishedAt: at(-hour), version: 2 });
    expect(after.get(soon.id)).toEqual({ status: 'scheduled', publishedAt: at(1), version: 1 });
    for (const post of others)
      expect(after.get(post.id)).toEqual({ status: post.status, publishedAt: at(-hour), version: 1 });
    expect(await sitemapPaths(app)).toEqual(['/posts/late', '/posts/now']);
    expect(
      (await app.db.searchOutbox.findMany()).every(({ postId }) => result.publishedPostIds.includes(postId)),
    );
  });

  it('succeeds with nothing due, and then leaves every kept page good', async () => {
    const app = getApp();
    await createPost(app, { status: 'scheduled' });
    expect(await publishDue(app, 'route')).toEqual({
      publishedCount: 0,
      publishedPostIds: [],
      affectedSlugs: [],
      triggeredAt: testNow,
    });
    expect(await contentVersion(app)).toBe(0);
  });

  it('reports more posts than one batch holds in the order of their times, each once', async () => {
    const app = getApp();
    const ids = await insertDuePosts(app, 450, (index) => at(-index * 1000));
    const result = await publishDue(app, 'command');
    expect(result.publishedPostIds).toEqual(ids);
    expect(new Set(result.affectedSlugs).size).toBe(450);
    expect(await app.db.sitemapEntry.count()).toBe(450);
    expect((await publishDue(app, 'command')).publishedCount).toBe(0);
  });

  it('notes each run with who, when, how many and how it ended, and trims old ones', async () => {
    const app = getApp();
    await createPosts(app, 2, { status: 'scheduled', publishedAt: at(-minute) });
    await publishDue(app, 'route');
    app.clock.advance(91 * 24 * hour);
    await publishDue(app, 'command');
    const runs = await app.db.publishRun.findMany();
    expect(runs).toMatchObject([
      {
        source: 'command',
        startedAt: app.clock.now(),
        finishedAt: app.clock.now(),
        publishedCount: 0,
        error: '',
      },
    ]);
  });

  it('cleans the revisions of what it publishes', async () => {
    const app = getApp();
    const { id } = await savePost(app, {
      intent: 'schedule',
      fields: { title: 'Rich in revisions', publishedAt: at(hour) },
      editorId: null,
    });
    for (let version = 1; version <= 5; version += 1)
      await editPost(app, {
        postId: id,
        version,
        intent: 'save',
        fields: { body: `${version}` },
        editorId: null,
      });
    await app.db.setting.upsert({
      where: { key: 'revision_keep_count' },
      create: { key: 'revision_keep_count', value: '2', updatedAt: at(0) },
      update: { value: '2' },
    });
    app.clock.advance(hour);
    await publishDue(app, 'command');
    const kept = await app.db.revision.findMany({ orderBy: { postVersion: 'asc' } });
    expect(kept.map(({ postVersion }) => postVersion)).toEqual([5, 6]);
  });
});

describeWithApp('a scheduled archive', (getApp) => {
  it('is carried out once, affects the slug and is not counted as published', async () => {
    const app = getApp();
    const leaving = await createPost(app, { status: 'published', archiveAt: at(-minute), slug: 'leaving' });
    await createPost(app, { status: 'published', archiveAt: at(minute), slug: 'staying' });
    expect(await publishDue(app, 'command')).toMatchObject({
      publishedCount: 0,
      publishedPostIds: [],
      affectedSlugs: ['leaving'],
    });
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([]);
    expect((await statuses(app)).get(leaving.id)?.status).toBe('archived');
    const again = await editPost(app, { postId: leaving.id, intent: 'publish', fields: {}, editorId: null });
    expect(again.status).toBe('published');
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([]);
  });

  it('is due at its very instant, not a millisecond before', async () => {
    const app = getApp();
    await createPost(app, { status: 'published', archiveAt: at(0), slug: 'now' });
    const soon = await createPost(app, { status: 'published', archiveAt: at(1), slug: 'soon' });
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual(['now']);
    expect((await statuses(app)).get(soon.id)?.status).toBe('published');
    app.clock.advance(1);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual(['soon']);
  });

  it('follows at once when the publication itself was late, and names the slug once', async () => {
    const app = getApp();
    const post = await createPost(app, {
      status: 'scheduled',
      publishedAt: at(-2 * hour),
      archiveAt: at(-hour),
      slug: 'came-and-went',
    });
    expect(await publishDue(app, 'command')).toMatchObject({
      publishedPostIds: [post.id],
      affectedSlugs: ['came-and-went'],
    });
    expect((await statuses(app)).get(post.id)?.status).toBe('archived');
    expect(await sitemapPaths(app)).toEqual([]);
  });

  it('has to lie in the future and after the publication', async () => {
    const app = getApp();
    const save = (archiveAt: Date) =>
      savePost(app, {
        intent: 'schedule',
        fields: { title: 'Short', publishedAt: at(hour), archiveAt },
        editorId: null,
      });
    await expect(save(at(-hour))).rejects.toMatchObject({
      fields: { archiveAt: ['Archive time must be in the future.'] },
    });
    await expect(save(at(hour))).rejects.toMatchObject({
      fields: { archiveAt: ['Archive time must be after the publication time.'] },
    });
    expect((await save(at(2 * hour))).status).toBe('scheduled');
  });
});

describeWithApp('the state of scheduled publishing', (getApp) => {
  it('names overdue posts, the next one and the last trigger; after a trigger nothing is overdue', async () => {
    const app = getApp();
    app.clock.set(new Date());
    const now = app.clock.now().getTime();
    expect(await readPublishingState(app)).toMatchObject({
      overdue: 0,
      lastTriggeredAt: null,
      nextDueAt: null,
    });
    expect(await checkPublishing(app)).toBe('ok');
    await createPost(app, { status: 'scheduled', publishedAt: new Date(now - 16 * minute) });
    await createPost(app, { status: 'scheduled', publishedAt: new Date(now - minute) });
    await createPost(app, { status: 'scheduled', publishedAt: new Date(now + hour) });
    expect(await readPublishingState(app)).toEqual({
      scheduled: 3,
      overdue: 2,
      oldestOverdueAt: new Date(now - 16 * minute).toISOString(),
      nextDueAt: new Date(now + hour).toISOString(),
      lastTriggeredAt: null,
    });
    expect(await checkPublishing(app)).toBe('overdue');
    await publishDue(app, 'command');
    expect(await readPublishingState(app)).toMatchObject({ scheduled: 1, overdue: 0, oldestOverdueAt: null });
    expect(await checkPublishing(app)).toBe('ok');
  });

  it('counts archives and scheduled updates that wait', async () => {
    const app = getApp();
    app.clock.set(new Date());
    const now = app.clock.now().getTime();
    await createPost(app, { status: 'published', archiveAt: new Date(now - 16 * minute) });
    await createPost(app, { status: 'published', archiveAt: new Date(now + hour) });
    expect(await readPlannedChanges(app)).toEqual({
      changes: 0,
      archives: 2,
      oldestOverdueAt: new Date(now - 16 * minute).toISOString(),
      nextDueAt: new Date(now + hour).toISOString(),
    });
    expect(await checkPublishing(app)).toBe('overdue');
  });

  it('notices a process clock that differs from the database’s', async () => {
    const app = getApp();
    app.clock.set(new Date());
    expect(await checkPublishing(app)).toBe('ok');
    app.clock.advance(6_000);
    expect(await checkPublishing(app)).toBe('clock_skew');
    app.clock.advance(-12_500);
    expect(await checkPublishing(app)).toBe('clock_skew');
  });
});

async function statuses(app: App) {
  const rows = await app.db.post.findMany({
    select: { id: true, status: true, publishedAt: true, version: true },
  });
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}

async function sitemapPaths(app: App) {
  const rows = await app.db.sitemapEntry.findMany({ orderBy: { path: 'asc' } });
  return rows.map(({ path }) => path);
}

async function contentVersion(app: App) {
  return (await app.db.siteState.findFirst())?.contentVersion ?? 0;
}
