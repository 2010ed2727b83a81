import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { readConflict } from '#app/posts/conflict.server.ts';
import { listRevisions, readRevision } from '#app/posts/revisions.server.ts';
import { publishDue } from '#app/publishing/publish-due.server.ts';
import { restoreRevision } from '#app/publishing/restore-revision.server.ts';
import { createPost, editPost } from '#app/publishing/save-post.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { testNow } from '#tests/support/clock.ts';
import { createCategory, createUser } from '#tests/support/factories.ts';

const hour = 3_600_000;
const at = (milliseconds: number) => new Date(new Date(testNow).getTime() + milliseconds);

describeWithApp('a save that comes too late', (getApp) => {
  it('changes nothing, keeps its text as a revision and shows base, mine and theirs', async () => {
    const app = getApp();
    const { me, they, postId } = await sharedPost(app);
    const theirs = { body: 'Their text', tags: ['Theirs'] };
    await editPost(app, { postId, version: 1, intent: 'save', fields: theirs, editorId: they });
    const mine = { title: 'My title', body: 'My text', tags: ['Shared'] };
    const late = { postId, version: 1, intent: 'save' as const, fields: mine, editorId: me };
    await expect(editPost(app, late)).rejects.toMatchObject({ code: 'conflict', status: 409 });
    // A reload sends the form again; one copy is enough.
    await expect(editPost(app, late)).rejects.toMatchObject({ code: 'conflict' });

    const conflict = await readConflict(app, late);
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

    const kept = (await listRevisions(app, postId)).filter(({ kind }) => kind === 'conflict');
    expect(kept).toMatchObject([{ author: 'Me', postVersion: 1 }]);
    expect((await readRevision(app, postId, kept[0]!.id)).fields).toMatchObject(mine);
    const resolved = { ...late, version: conflict.version, fields: conflict.merged };
    expect(await editPost(app, resolved)).toMatchObject({ version: 3 });
  });

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
    await editPost(app, {
      postId,
      version: 1,
      intent: 'publish',
      fields: { body: 'New', categoryId: (await createCategory(app)).id },
      editorId: they,
    });
    expect(await listRevisions(app, postId)).toMatchObject([
      {
        kind: 'save',
        author: 'They',
        postVersion: 2,
        summary: '',
        outcome: { changed: ['text', 'category', 'publication time'], from: 'draft', to: 'published' },
        createdAt: at(1000),
      },
      {
        kind: 'save',
        author: 'Me',
        postVersion: 1,
        summary: 'Created',
        outcome: { to: 'draft' },
        createdAt: at(0),
      },
    ]);
  });

  it('come back as a new revision, without moving the post', async () => {
    const app = getApp();
    const { me, postId } = await sharedPost(app);
    const { id: categoryId } = await createCategory(app);
    const edit = (fields: object, intent: 'save' | 'publish' = 'save') =>
      editPost(app, { postId, intent, fields, editorId: me });
    await edit({ body: 'With category', categoryId });
    await edit({ body: 'Third', categoryId: null, slug: 'moved' }, 'publish');
    await app.db.category.delete({ where: { id: categoryId } });
    app.clock.advance(hour);
    const second = (await listRevisions(app, postId)).find(({ postVersion }) => postVersion === 2)!;
    const restored = await restoreRevision(app, { postId, revisionId: second.id, version: 3, editorId: me });
    expect(restored).toMatchObject({ slug: 'moved', status: 'published', version: 4 });
    expect(await app.db.post.findUnique({ where: { id: postId } })).toMatchObject({
      body: 'With category',
      categoryId: null,
      publishedAt: at(0),
    });
    const [newest] = await listRevisions(app, postId);
    expect(newest).toMatchObject({
      kind: 'restore',
      summary: 'Restored from version 2',
      outcome: { changed: ['text'] },
    });
    const stale = { postId, revisionId: second.id, version: 3, editorId: me };
    await expect(restoreRevision(app, stale)).rejects.toMatchObject({ code: 'conflict' });
    await expect(restoreRevision(app, { ...stale, revisionId: 'gone' })).rejects.toMatchObject({
      code: 'not_found',
    });
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
});

async function sharedPost(app: App) {
  const me = (await createUser(app, { displayName: 'Me' })).id;
  const they = (await createUser(app, { displayName: 'They' })).id;
  const fields = { title: 'Title', body: 'Text', tags: ['Shared'] };
  const { id: postId } = await createPost(app, { intent: 'draft', fields, editorId: me });
  return { me, they, postId };
}
