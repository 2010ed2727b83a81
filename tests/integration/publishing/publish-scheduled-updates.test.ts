import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { createPost as savePost, editPost } from '#app/publishing/posts/save.server.ts';
import { cancelScheduledUpdate, scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { readPlannedChanges } from '#app/publishing/trigger/status.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { testNow } from '#tests/support/clock.ts';
import { createCategory, createPost } from '#tests/support/factories.ts';

const minute = 60_000;
const hour = 60 * minute;
const at = (milliseconds: number) => new Date(new Date(testNow).getTime() + milliseconds);

describeWithApp('a scheduled update', (getApp) => {
  async function live(app: App) {
    const post = await savePost(app, {
      intent: 'publish',
      fields: { title: 'Old title', slug: 'kept', body: 'Old text', tags: ['One'] },
      editorId: null,
    });
    return { postId: post.id, version: post.version };
  }

  it('replaces the live version at its time, and not before', async () => {
    const app = getApp();
    const { postId, version } = await live(app);
    const fields = { title: 'New title', slug: 'kept', body: 'New text', tags: ['One', 'Two'] };
    await scheduleUpdate(app, { postId, version, fields, changeAt: at(hour), editorId: null });
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([]);
    expect(await titleOf(app, postId)).toBe('Old title');
    app.clock.advance(hour);
    expect(await publishDue(app, 'command')).toMatchObject({ publishedCount: 0, affectedSlugs: ['kept'] });
    const after = await app.db.post.findUniqueOrThrow({ where: { id: postId }, include: { tags: true } });
    expect(after).toMatchObject({ title: 'New title', body: 'New text', status: 'published' });
    expect(after.bodyHtml).toContain('New text');
    expect(after.tags).toHaveLength(2);
    expect(after.contentUpdatedAt).toEqual(at(hour));
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([]);
  });

  it('refuses a text that takes too long to render, also for a release: nothing fails at its time', async () => {
    const app = getApp();
    const { postId, version } = await live(app);
    const tooLong = new AppError('invalid_input', 'Too long.', { fields: { body: ['Too long.'] } });
    const slow = { ...app, workers: { ...app.workers, renderMarkdown: () => Promise.reject(tooLong) } };
    const change = { postId, version, fields: { body: 'Hostile' }, editorId: null };
    const scheduled = scheduleUpdate(slow, { ...change, changeAt: at(hour) });
    await expect(scheduled).rejects.toBe(tooLong);
    const { id: releaseId } = await createRelease(app, { name: 'R', step: 'save', by: byCommand });
    await expect(keepChangeInRelease(slow, { ...change, releaseId })).rejects.toBe(tooLong);
    expect(await app.db.scheduledUpdate.count()).toBe(0);
    expect(await app.db.releaseItem.count()).toBe(0);
  });

  it('leaves corrections alone that were made meanwhile in other fields', async () => {
    const app = getApp();
    const { postId, version } = await live(app);
    const prepared = { postId, version, fields: { title: 'New title' }, changeAt: at(hour), editorId: null };
    const { version: next } = await scheduleUpdate(app, prepared);
    await editPost(app, {
      postId,
      version: next,
      intent: 'save',
      fields: { body: 'Corrected' },
      editorId: null,
    });
    app.clock.advance(hour);
    await publishDue(app, 'command');
    expect(await app.db.post.findUnique({ where: { id: postId } })).toMatchObject({
      title: 'New title',
      body: 'Corrected',
    });
  });

  it('can be replaced and cancelled; its text stays as a revision', async () => {
    const app = getApp();
    const { postId, version } = await live(app);
    const prepare = (title: string, from: number) =>
      scheduleUpdate(app, {
        postId,
        version: from,
        fields: { title },
        changeAt: at(hour),
        editorId: null,
      });
    await prepare('Second', (await prepare('First', version)).version);
    expect(await app.db.scheduledUpdate.count()).toBe(1);
    await cancelScheduledUpdate(app, postId);
    await expect(cancelScheduledUpdate(app, postId)).rejects.toMatchObject({ code: 'not_found' });
    app.clock.advance(hour);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([]);
    const revisions = await app.db.revision.findMany({ where: { postId, kind: 'prepare' } });
    expect(revisions.map(({ fields }) => (JSON.parse(fields) as { title: string }).title)).toEqual([
      'First',
      'Second',
    ]);
  });

  it('goes when its post is taken back', async () => {
    const app = getApp();
    const { postId, version } = await live(app);
    const fields = { title: 'New title' };
    await scheduleUpdate(app, { postId, version, fields, changeAt: at(hour), editorId: null });
    await editPost(app, { postId, intent: 'draft', fields: {}, editorId: null });
    await editPost(app, { postId, intent: 'publish', fields: {}, editorId: null });
    app.clock.advance(hour);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([]);
    expect(await titleOf(app, postId)).toBe('Old title');
  });

  it('is applied late with times that have passed, and with references that are gone', async () => {
    const app = getApp();
    const { postId, version } = await live(app);
    const category = await createCategory(app);
    const fields = { title: 'New title', categoryId: category.id, archiveAt: at(2 * hour) };
    await scheduleUpdate(app, { postId, version, fields, changeAt: at(hour), editorId: null });
    await app.db.category.delete({ where: { id: category.id } });
    app.clock.advance(3 * hour);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual(['kept']);
    expect(await app.db.post.findUnique({ where: { id: postId } })).toMatchObject({
      title: 'New title',
      categoryId: null,
      status: 'archived',
    });
  });

  it('that cannot be read holds up nothing else, and stays overdue', async () => {
    const app = getApp();
    const [bad, good] = [await live(app), await createPost(app, { status: 'published', slug: 'good' })];
    const leaving = await createPost(app, { status: 'published', archiveAt: at(-minute), slug: 'leaving' });
    for (const [postId, fields] of [
      [bad.postId, '{"title": 5'],
      [good.id, '{"title":"Better"}'],
    ] as const)
      await app.db.scheduledUpdate.create({
        data: { postId, fields, dueAt: at(-20 * minute), createdAt: at(-hour) },
      });
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([good.slug, leaving.slug]);
    expect(await titleOf(app, good.id)).toBe('Better');
    expect(await readPlannedChanges(app)).toMatchObject({
      changes: 1,
      oldestOverdueAt: at(-20 * minute).toISOString(),
    });
  });

  /** Posts whose updates were due one minute after the other, as their slugs say. */
  async function postsWithUpdates(app: App, count: number) {
    const posts: { id: string; slug: string }[] = [];
    for (let index = 10; index < 10 + count; index += 1) {
      const post = await createPost(app, { status: 'published', slug: `post-${index}` });
      const [fields, dueAt] = [`{"title":"Better ${index}"}`, at((index - 60) * minute)];
      await app.db.scheduledUpdate.create({
        data: { postId: post.id, fields, dueAt, createdAt: at(-2 * hour) },
      });
      posts.push(post);
    }
    return posts;
  }

  it('is applied together with others that are due, in the order of their times, each once', async () => {
    const app = getApp();
    const posts = await postsWithUpdates(app, 25);
    const before = await app.db.siteState.findFirst();
    const [first, second] = await Promise.all([publishDue(app, 'command'), publishDue(app, 'route')]);
    const slugs = [...first.affectedSlugs, ...second.affectedSlugs];
    expect(slugs.toSorted()).toEqual(posts.map(({ slug }) => slug));
    expect(first.affectedSlugs).toEqual(first.affectedSlugs.toSorted());
    expect(await app.db.revision.count({ where: { summary: 'Scheduled update' } })).toBe(25);
    // Two transactions.
    const after = await app.db.siteState.findFirstOrThrow();
    expect(after.contentVersion - (before?.contentVersion ?? 0)).toBe(2);
  });

  it('delays none of many others when it cannot be applied', async () => {
    const app = getApp();
    const posts = await postsWithUpdates(app, 25);
    const bad = posts[7]!.id;
    await app.db.scheduledUpdate.update({ where: { postId: bad }, data: { fields: '{"title": 5' } });
    const { affectedSlugs } = await publishDue(app, 'command');
    expect(affectedSlugs).toEqual(posts.filter(({ id }) => id !== bad).map(({ slug }) => slug));
    const left = await app.db.scheduledUpdate.findMany();
    expect(left.map(({ postId }) => postId)).toEqual([bad]);
  });

  it('delays none of many others when the database refuses it', async () => {
    const app = getApp();
    const posts = await postsWithUpdates(app, 3);
    await refuseTitle(app, 'Better 11');
    const { affectedSlugs } = await publishDue(app, 'command');
    expect(affectedSlugs).toEqual([posts[0]!.slug, posts[2]!.slug]);
    expect(await readPlannedChanges(app)).toMatchObject({ changes: 1 });
  });

  it('wants a future time, a published post and a difference; it keeps address and date', async () => {
    const app = getApp();
    const { postId, version } = await live(app);
    const prepare = (fields: object, changeAt: Date | null = at(hour)) =>
      scheduleUpdate(app, { postId, version, fields, changeAt, editorId: null });
    const refusal = (field: string) => ({ code: 'invalid_input', fields: { [field]: [expect.any(String)] } });
    await expect(prepare({ title: 'x' }, null)).rejects.toMatchObject(refusal('changeAt'));
    await expect(prepare({ title: 'x' }, at(0))).rejects.toMatchObject(refusal('changeAt'));
    await expect(prepare({})).rejects.toMatchObject(refusal('changeAt'));
    await expect(prepare({ slug: 'other' })).rejects.toMatchObject(refusal('slug'));
    await expect(prepare({ publishedAt: at(-hour) })).rejects.toMatchObject(refusal('publishedAt'));
    const draft = await createPost(app);
    const forDraft = {
      postId: draft.id,
      version: 1,
      fields: { title: 'x' },
      changeAt: at(hour),
      editorId: null,
    };
    await expect(scheduleUpdate(app, forDraft)).rejects.toMatchObject(refusal('changeAt'));
    expect(await app.db.scheduledUpdate.count()).toBe(0);
  });
});

async function titleOf(app: App, id: string) {
  return (await app.db.post.findUniqueOrThrow({ where: { id } })).title;
}

/** Makes the database refuse a post's title, as it refuses a reference to a row that is gone. */
async function refuseTitle(app: App, title: string) {
  if (app.env.database.dialect === 'sqlite') {
    const refusal = `SELECT RAISE(ABORT, 'Refused') WHERE NEW."title" = '${title}'`;
    await app.db.$executeRawUnsafe(
      `CREATE TRIGGER "refuse" BEFORE UPDATE OF "title" ON "posts" BEGIN ${refusal}; END`,
    );
  } else {
    await app.db.$executeRawUnsafe(`ALTER TABLE "posts" ADD CHECK ("title" <> '${title}')`);
  }
}
