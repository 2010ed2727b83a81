import { beforeAll, expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { listAutosaves, listRevisions, readRevision } from '#app/posts/history/revisions.server.ts';
import { readConflict } from '#app/posts/history/conflict.server.ts';
import { saveAutosave } from '#app/publishing/posts/autosave.server.ts';
import { createPost, editPost, type EditPostInput } from '#app/publishing/posts/save.server.ts';
import { restoreRevision } from '#app/publishing/posts/restore-revision.server.ts';
import { keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { testNow } from '#tests/support/clock.ts';
import { createCategory, createUser } from '#tests/support/factories.ts';
import { scheduleRelease } from '#tests/support/releases.ts';
import { said } from '#tests/support/texts/said.ts';

const hour = 3_600_000;
const at = (milliseconds: number) => new Date(new Date(testNow).getTime() + milliseconds);

describeWithOneApp('a save that comes too late', (getApp) => {
  const theirs = { body: 'Their text', tags: ['Theirs'] };
  const mine = { title: 'My title', body: 'My text', tags: ['Shared'] };
  let late: EditPostInput & { version: number; fields: typeof mine };
  let conflict: Awaited<ReturnType<typeof readConflict>>;
  beforeAll(async () => {
    const app = getApp();
    const { me, they, postId } = await sharedPost(app);
    await editPost(app, { postId, version: 1, intent: 'save', fields: theirs, editorId: they });
    late = { postId, version: 1, intent: 'save', fields: mine, editorId: me };
    await expect(editPost(app, late)).rejects.toMatchObject({ code: 'conflict', status: 409 });
    // A reload sends the form again; one copy is enough.
    await expect(editPost(app, late)).rejects.toMatchObject({ code: 'conflict' });
    conflict = await readConflict(app, late);
  });

  it('shows base, mine and theirs, and what both make together', () => {
    expect(conflict.base).toMatchObject({ title: 'Title', body: 'Text', tags: ['Shared'] });
    expect(conflict.mine).toMatchObject(mine);
    expect(conflict.theirs).toMatchObject({ title: 'Title', ...theirs });
    expect(conflict).toMatchObject({ version: 2, status: 'draft', savedBy: 'They' });
    expect(conflict.differences).toEqual([
      { field: 'title', changedBy: 'me' },
      { field: 'body', changedBy: 'both' },
      { field: 'tags', changedBy: 'them' },
    ]);
    expect(conflict.merged).toMatchObject({ title: 'My title', body: 'My text', tags: ['Theirs'] });
  });

  it('is kept as a revision, once', async () => {
    const { postId } = late;
    const kept = (await listRevisions(getApp(), postId)).filter(({ kind }) => kind === 'conflict');
    expect(kept).toMatchObject([{ author: 'Me', postVersion: 1 }]);
    expect((await readRevision(getApp(), postId, kept[0]!.id)).fields).toMatchObject(mine);
  });

  it('can be saved together with the newer text', async () => {
    const resolved = { ...late, version: conflict.version, fields: conflict.merged };
    expect(await editPost(getApp(), resolved)).toMatchObject({ version: 3 });
  });
});

describeWithApp('a save that comes too late', (getApp) => {
  it('meets the trigger as well: what it published is not taken back unseen', async () => {
    const app = getApp();
    const { me, postId } = await sharedPost(app);
    const schedule = { intent: 'schedule' as const, fields: { publishedAt: at(hour) }, editorId: me };
    await editPost(app, { postId, version: 1, ...schedule });
    app.clock.advance(hour);
    await publishDue(app, 'command');
    const late = { postId, version: 2, intent: 'draft' as const, fields: { title: 'Late' }, editorId: me };
    await expect(editPost(app, late)).rejects.toMatchObject({ code: 'conflict' });
    const conflict = await readConflict(app, late);
    expect(conflict).toMatchObject({ status: 'published', savedBy: null });
    expect(conflict.differences).toEqual([{ field: 'title', changedBy: 'me' }]);
    // The version that the trigger made has no revision of its own; its base is the text before.
    expect((await readConflict(app, { ...late, version: 3 })).base).toMatchObject({ title: 'Title' });
  });

  it('of a deleted post says that it is gone', async () => {
    const app = getApp();
    const { me, postId } = await sharedPost(app);
    await app.db.post.delete({ where: { id: postId } });
    await expect(
      editPost(app, { postId, version: 1, intent: 'save', fields: { title: 'x' }, editorId: me }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('without a base that is still kept shows mine and theirs', async () => {
    const app = getApp();
    const { postId } = await sharedPost(app);
    await app.db.revision.deleteMany();
    const conflict = await readConflict(app, { postId, version: 1, fields: { title: 'Mine' } });
    expect(conflict.base).toBeNull();
    expect(conflict.differences).toEqual([{ field: 'title', changedBy: 'both' }]);
  });
});

describeWithApp('revisions', (getApp) => {
  it('say who changed what and when', async () => {
    const app = getApp();
    const { they, postId } = await sharedPost(app);
    app.clock.advance(1000);
    const fields = { body: 'New', categoryId: (await createCategory(app)).id };
    await editPost(app, { postId, version: 1, intent: 'publish', fields, editorId: they });
    const [second, first] = await listRevisions(app, postId);
    expect(second).toMatchObject({
      ...{ kind: 'save', author: 'They', postVersion: 2, summary: '', createdAt: at(1000) },
      outcome: { changed: ['text', 'category', 'publication time'], from: 'draft', to: 'published' },
    });
    expect(first).toMatchObject({
      ...{ kind: 'save', author: 'Me', postVersion: 1, summary: 'Created', createdAt: at(0) },
      outcome: { to: 'draft' },
    });
    expect(await app.db.revision.count()).toBe(2);
  });

  /** A published post whose second version had another text, and a category that is gone. */
  async function postWithThreeVersions(app: TestApp) {
    const { me, postId } = await sharedPost(app);
    const { id: categoryId } = await createCategory(app);
    const second = { body: 'With category', categoryId };
    await editPost(app, { postId, intent: 'save', fields: second, editorId: me });
    const third = { body: 'Third', categoryId: null, slug: 'moved' };
    await editPost(app, { postId, intent: 'publish', fields: third, editorId: me });
    await app.db.category.delete({ where: { id: categoryId } });
    app.clock.advance(hour);
    const { id } = (await listRevisions(app, postId)).find(({ postVersion }) => postVersion === 2)!;
    return { postId, revisionId: id, version: 3, editorId: me };
  }

  it('come back as a new revision, without moving the post', async () => {
    const app = getApp();
    const restore = await postWithThreeVersions(app);
    const { postId } = restore;
    const restored = await restoreRevision(app, restore);
    expect(restored).toMatchObject({ slug: 'moved', status: 'published', version: 4 });
    expect(await app.db.post.findUnique({ where: { id: postId } })).toMatchObject({
      body: 'With category',
      categoryId: null,
      publishedAt: at(0),
    });
    const [newest] = await listRevisions(app, postId);
    expect(newest).toMatchObject({
      kind: 'restore',
      summary: said('Restored from version 2'),
      outcome: { changed: ['text'] },
    });
    // The version is no longer the newest.
    await expect(restoreRevision(app, restore)).rejects.toMatchObject({ code: 'conflict' });
    const gone = restoreRevision(app, { ...restore, revisionId: 'gone' });
    await expect(gone).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are kept by number and by age, the current text always', async () => {
    const app = getApp();
    const { me, postId } = await sharedPost(app);
    const setting = (key: string, value: string) =>
      app.db.setting.upsert({ where: { key }, create: { key, value, updatedAt: at(0) }, update: { value } });
    const versions = async () => (await listRevisions(app, postId)).map(({ postVersion }) => postVersion);
    const save = (body: string) => editPost(app, { postId, intent: 'save', fields: { body }, editorId: me });
    for (let count = 2; count <= 28; count += 1) await save(`${count}`);
    expect(await versions()).toEqual(Array.from({ length: 25 }, (_, index) => 28 - index));
    await setting('revision_keep_count', '3');
    await setting('revision_keep_days', '10');
    app.clock.advance(9 * 24 * hour);
    await save('29');
    expect(await versions()).toEqual([29, 28, 27]);
    app.clock.advance(2 * 24 * hour);
    await editPost(app, { postId, intent: 'publish', fields: {}, editorId: me });
    expect(await versions()).toEqual([30, 29]);
    app.clock.advance(20 * 24 * hour);
    await expect(
      editPost(app, { postId, version: 1, intent: 'save', fields: { body: 'late' }, editorId: me }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect((await listRevisions(app, postId)).map(({ kind }) => kind)).toEqual(['conflict', 'save']);
  });

  it('leaves unsaved changes, however often others save', async () => {
    const app = getApp();
    const { me, they, postId } = await sharedPost(app);
    const { version } = await editPost(app, { postId, intent: 'publish', fields: {}, editorId: they });
    await saveAutosave(app, { postId, version, fields: { body: 'Mine' }, editorId: me });
    for (let count = 1; count <= 30; count += 1) {
      const fields = { body: `Theirs ${count}` };
      await editPost(app, { postId, intent: 'save', fields, editorId: they });
    }
    expect(await listAutosaves(app, { postId, editorId: me })).toHaveLength(1);
  });
});

async function sharedPost(app: App) {
  const me = (await createUser(app, { displayName: 'Me' })).id;
  const they = (await createUser(app, { displayName: 'They' })).id;
  const fields = { title: 'Title', body: 'Text', tags: ['Shared'] };
  const { id: postId } = await createPost(app, { intent: 'draft', fields, editorId: me });
  return { me, they, postId };
}

describeWithApp('a save to a release that comes too late', (getApp) => {
  it('is kept as a revision that belongs to the release', async () => {
    const app = getApp();
    const { id: editorId } = await createUser(app);
    const { id: postId } = await createPost(app, { intent: 'publish', fields: { title: 'Live' }, editorId });
    const { id: releaseId } = await scheduleRelease(app, 5);
    await editPost(app, { postId, intent: 'save', fields: { title: 'Newer' }, editorId: null });
    const late = { postId, releaseId, version: 1, fields: { body: 'Under embargo' }, editorId };
    await expect(keepChangeInRelease(app, late)).rejects.toMatchObject({ code: 'conflict' });
    const kept = (await listRevisions(app, postId)).find(({ kind }) => kind === 'conflict');
    expect(kept).toMatchObject({ releaseId });
    expect((await readRevision(app, postId, kept!.id)).fields.body).toBe('Under embargo');
  });
});
