// Who may bring a file back from the trash by the name of the file in a text.
import { expect, it } from 'vitest';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { trashMedia } from '#app/publishing/media/trash.server.ts';
import { saveAutosave } from '#app/publishing/posts/autosave.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { restorePost, trashPost } from '#app/publishing/posts/trash.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';
import { said } from '#tests/support/texts/said.ts';

const upload = async (app: TestApp, name: string, uploadedById: string | null) =>
  storeMedia(app, {
    originalName: name,
    bytes: await picture({ width: 60, height: 40, seed: name.length }),
    uploadedById,
  });
const text = ({ path }: { path: string }) => `![Boats](/uploads/${path})`;
const message = '“theirs.jpg” is in the trash. Choose another file, or ask an editor to restore it.';

describeWithApp('a file in the trash', (getApp) => {
  const inTrash = async () =>
    (await getApp().db.trashItem.findMany({ where: { kind: 'media' } })).map(({ id }) => id);

  it('comes back by its name in a draft only for somebody who may restore it', async () => {
    const app = getApp();
    const { id: editorId } = await createUser(app, { role: 'contributor' });
    const [theirs, own] = [await upload(app, 'theirs.jpg', null), await upload(app, 'own.jpg', editorId)];
    for (const { id } of [theirs, own]) await trashMedia(app, byCommand, id);
    const save = (fields: object) =>
      createPost(app, { intent: 'save', fields: { title: 'Boats', ...fields }, editorId });
    await expect(save({ body: text(theirs) })).rejects.toMatchObject({
      code: 'invalid_input',
      fields: { body: [said(message)] },
    });
    expect(await app.db.post.count()).toBe(0);
    const { id: postId } = await save({ body: text(own) });
    expect(await inTrash()).toEqual([theirs.id]);
    // An autosave keeps the rest of the form.
    const fields = { title: 'Ships', body: text(theirs) };
    expect(await saveAutosave(app, { postId, editorId, version: 1, fields })).toMatchObject({
      saved: 'post',
      leftOut: { body: [said(message)] },
    });
    const saved = { title: 'Ships', body: text(own) };
    expect(await app.db.post.findUnique({ where: { id: postId } })).toMatchObject(saved);
    expect(await inTrash()).toEqual([theirs.id]);
  });

  it('comes back with a post from the trash only for somebody who may restore both', async () => {
    const app = getApp();
    const [{ id: author }, { id: editor }] = [
      await createUser(app, { role: 'author' }),
      await createUser(app, { role: 'editor' }),
    ];
    const theirs = await upload(app, 'theirs.jpg', editor);
    const fields = { title: 'Boats', body: text(theirs) };
    const { id: postId, version } = await createPost(app, { intent: 'save', fields, editorId: author });
    await trashPost(app, { postId, version, editorId: author });
    await trashMedia(app, byCommand, theirs.id);
    await expect(restorePost(app, { postId, editorId: author })).rejects.toThrow(message);
    expect(await inTrash()).toEqual([theirs.id]);
    await restorePost(app, { postId, editorId: editor });
    expect(await inTrash()).toEqual([]);
  });
});
