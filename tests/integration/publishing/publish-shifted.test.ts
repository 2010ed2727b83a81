import { beforeAll, expect, it } from 'vitest';
import { changePosts } from '#app/publishing/posts/change-many.server.ts';
import { describeWithOneApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';

describeWithOneApp('shifting posts by days', (getApp) => {
  let scheduled: { id: string };
  let draft: { id: string };
  const shift = (ids: string[], days: number) =>
    changePosts(getApp(), { ids, intent: 'shift', shift: { days }, editorId: null });

  beforeAll(async () => {
    const app = getApp();
    await app.db.setting.upsert({
      where: { key: 'site_timezone' },
      create: { key: 'site_timezone', value: 'Europe/Berlin', updatedAt: app.clock.now() },
      update: { value: 'Europe/Berlin' },
    });
    app.clock.set('2026-10-20T00:00:00.000Z');
    scheduled = await createPost(app, {
      status: 'scheduled',
      publishedAt: new Date('2026-10-24T06:00:00.000Z'),
      archiveAt: new Date('2026-10-24T18:00:00.000Z'),
    });
    draft = await createPost(app, { status: 'draft', title: 'No time' });
  });

  it('refuses a time after the year 9999, which SQLite would take for the past', async () => {
    const { changedIds, refused } = await shift([scheduled.id], 3_000_000);
    expect(changedIds).toEqual([]);
    expect(refused).toMatchObject([{ reason: 'Enter a date and time such as 2026-11-20T08:00.' }]);
  });

  it('moves what is scheduled on the wall clock, and refuses what has no time', async () => {
    const { changedIds, refused } = await shift([scheduled.id, draft.id, 'gone'], 1);
    expect(changedIds).toEqual([scheduled.id]);
    expect(refused).toEqual([
      { id: draft.id, title: 'No time', reason: 'Only a scheduled post has a time that can be shifted.' },
      { id: 'gone', title: '', reason: 'This post no longer exists.' },
    ]);
    expect(await getApp().db.post.findUnique({ where: { id: scheduled.id } })).toMatchObject({
      publishedAt: new Date('2026-10-25T07:00:00.000Z'),
      archiveAt: new Date('2026-10-25T19:00:00.000Z'),
    });
  });

  it('refuses a time in the past', async () => {
    const { refused } = await shift([scheduled.id], -30);
    expect(refused).toMatchObject([{ reason: 'Publication time must be in the future.' }]);
  });
});
