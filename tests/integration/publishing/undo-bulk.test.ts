// What a bulk action takes from a post comes back when it is undone: a scheduled update, and the text before unsaved changes.
import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { readScheduledUpdate } from '#app/posts/history/scheduled-update.server.ts';
import { saveAutosave } from '#app/publishing/posts/autosave.server.ts';
import { changePosts, type ChangePostsInput } from '#app/publishing/posts/change-many.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { saveTerm } from '#app/publishing/terms/save.server.ts';
import { trashTerm } from '#app/publishing/terms/trash.server.ts';
import { rememberUndo, undo } from '#app/publishing/trash/undo.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { createCategory, createTag, createUser } from '#tests/support/factories.ts';
import { said } from '#tests/support/texts/said.ts';

const DAY_MS = 86_400_000;

async function livePost(app: App) {
  const user = await createUser(app, { role: 'editor' });
  const fields = { title: 'Tides', body: 'As it was.' };
  const { id } = await createPost(app, { intent: 'publish', fields, editorId: user.id });
  return { id, user: { ...user, role: 'editor' as const } };
}

/** Does it to the post, and undoes it. */
async function doAndUndo(
  app: App,
  { id, user }: Awaited<ReturnType<typeof livePost>>,
  input: Pick<ChangePostsInput, 'intent' | 'useUnsavedChanges'>,
) {
  const done = await changePosts(app, { ids: [id], editorId: user.id, ...input });
  expect(done.refused).toEqual([]);
  const meanwhile = await app.db.post.findUniqueOrThrow({ where: { id } });
  const step = { back: 'posts', changes: done.undo };
  const undoId = (await rememberUndo(app, user.id, 'Done.', step))!;
  expect(await undo(app, { user, address: '127.0.0.1' }, undoId)).toEqual({
    back: 'posts',
    undone: 1,
    kept: 0,
  });
  return { meanwhile, post: await app.db.post.findUniqueOrThrow({ where: { id } }) };
}

describeWithApp('undoing a bulk action', (getApp) => {
  it.each(['draft', 'archive', 'delete', 'tag'] as const)(
    'brings back the scheduled update after %s',
    async (intent) => {
      const app = getApp();
      const live = await livePost(app);
      const changeAt = new Date(app.clock.now().getTime() + DAY_MS);
      const body = 'As it will be.';
      const { id: postId, user } = live;
      await scheduleUpdate(app, { postId, version: 1, fields: { body }, changeAt, editorId: user.id });
      const update = await readScheduledUpdate(app, postId);
      const { post } = await doAndUndo(app, live, { intent });
      expect(post).toMatchObject({ status: 'published', body: 'As it was.' });
      expect(await readScheduledUpdate(app, postId)).toEqual(update);
    },
  );

  it('takes back the unsaved changes that it had used; they stay as a revision', async () => {
    const app = getApp();
    const live = await livePost(app);
    const typed = { title: 'Tides, again', body: 'Typed, and not meant for readers yet.' };
    const { id: postId, user } = live;
    await saveAutosave(app, { postId, editorId: user.id, version: 1, fields: typed });
    const { meanwhile, post } = await doAndUndo(app, live, { intent: 'archive', useUnsavedChanges: true });
    expect(meanwhile).toMatchObject({ ...typed, status: 'archived' });
    expect(post).toMatchObject({ title: 'Tides', body: 'As it was.', status: 'published' });
    expect(post.bodyHtml).toContain('As it was.');
    const revisions = await app.db.revision.findMany({ where: { postId } });
    expect(revisions.some(({ fields }) => fields.includes(typed.body))).toBe(true);
  });

  it('follows the tags and the category that were renamed or moved to the trash since', async () => {
    const app = getApp();
    const { id: postId, user } = await livePost(app);
    const sea = await createTag(app, { name: 'Sea', slug: 'sea' });
    const former = await createCategory(app, { name: 'Former', slug: 'former' });
    const heir = await createCategory(app, { name: 'Heir', slug: 'heir' });
    const fields = { tags: ['Sea'], categoryId: former.id };
    await editPost(app, { postId, version: 1, intent: 'save', fields, editorId: user.id });
    const typed = { tags: ['Other'], categoryId: null };
    await saveAutosave(app, { postId, editorId: user.id, version: 2, fields: typed });
    const { undo: changes } = await changePosts(app, {
      ids: [postId],
      editorId: user.id,
      intent: 'archive',
      useUnsavedChanges: true,
    });
    const undoId = (await rememberUndo(app, user.id, 'Done.', { back: 'posts', changes }))!;
    app.clock.advance(1000);
    await saveTerm(app, 'tag', sea.id, { name: 'Ocean', slug: 'ocean', description: '' });
    await trashTerm(app, byCommand, { kind: 'category', id: former.id, heirId: heir.id });
    expect(await undo(app, { user, address: '' }, undoId)).toMatchObject({ undone: 1, kept: 0 });
    expect(await app.db.postTag.findMany({ where: { postId } })).toMatchObject([{ tagId: sea.id }]);
    expect(await app.db.post.findUnique({ where: { id: postId } })).toMatchObject({ categoryId: heir.id });
    expect(await app.db.tag.findFirst({ where: { name: 'Sea' } })).toBeNull();
  });

  it('brings nothing back for somebody who may no longer publish', async () => {
    const app = getApp();
    const { id, user } = await livePost(app);
    const { undo: changes } = await changePosts(app, { ids: [id], editorId: user.id, intent: 'delete' });
    const undoId = (await rememberUndo(app, user.id, 'Done.', { back: 'posts', changes }))!;
    const demoted = { ...user, role: 'contributor' as const };
    expect(await undo(app, { user: demoted, address: '' }, undoId)).toMatchObject({ undone: 0, kept: 1 });
    expect(await app.db.post.findUnique({ where: { id } })).toMatchObject({ status: 'trashed' });
  });
});

describeWithApp('adding tags to several posts', (getApp) => {
  it('leaves a post alone that would have more tags than its form accepts', async () => {
    const app = getApp();
    const { id, user } = await livePost(app);
    const tag = (tags: string[]) => changePosts(app, { ids: [id], editorId: user.id, intent: 'tag', tags });
    const many = Array.from({ length: 50 }, (_, index) => `Tag ${index}`);
    expect((await tag(many)).refused).toEqual([]);
    expect((await tag(['Tag 7'])).refused).toEqual([]);
    expect((await tag(['One more'])).refused).toMatchObject([
      { reason: said('A post has at most 50 tags.') },
    ]);
    expect(await app.db.postTag.count({ where: { postId: id } })).toBe(50);
  });
});
