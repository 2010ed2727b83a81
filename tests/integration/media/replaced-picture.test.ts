import { expect, it } from 'vitest';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { findAutosave, listRevisions } from '#app/posts/history/revisions.server.ts';
import { replaceMedia } from '#app/publishing/media/change.server.ts';
import { trashMedia } from '#app/publishing/media/trash.server.ts';
import { saveAutosave } from '#app/publishing/posts/autosave.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { keepTextsInRelease } from '#app/publishing/releases/texts.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { beforeTransaction } from '#tests/support/before-transaction.ts';
import { createTag, createUser } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';
import {
  keepChange,
  publish as publishRelease,
  publishPost,
  scheduleRelease,
} from '#tests/support/releases.ts';

const nobody = { editorId: null };
const file = async (seed: number) => ({
  originalName: `${seed}.jpg`,
  bytes: await picture({ seed }),
  uploadedById: null,
});
const upload = async (app: TestApp, seed: number) => storeMedia(app, await file(seed));
const publish = (app: TestApp, body: string) =>
  createPost(app, { intent: 'publish', fields: { title: 'Harbour', body }, ...nobody });
const bodyOf = async (app: TestApp, id: string) =>
  (await app.db.post.findUniqueOrThrow({ where: { id } })).body;

describeWithApp('replacing a picture', (getApp) => {
  it('also changes a post that is saved while it is under way', async () => {
    const app = getApp();
    const old = await upload(app, 1);
    const known = await publish(app, `![](/uploads/${old.path})`);
    const late = await publish(app, 'No picture yet');
    // The successor has its row, and what is rendered ahead is rendered.
    const isStored = async () => (await app.db.media.count()) === 2;
    const racing = beforeTransaction(app, isStored, async () => {
      const fields = { body: `Late: ![](/uploads/${old.path})` };
      await editPost(app, { postId: late.id, intent: 'save', fields, ...nobody });
      await editPost(app, { postId: known.id, intent: 'save', fields, ...nobody });
    });
    const successor = await replaceMedia(racing, byCommand, old.id, await file(2));
    for (const { id } of [known, late])
      expect(await bodyOf(app, id)).toBe(`Late: ![](/uploads/${successor.path})`);
    expect(await app.db.media.count({ where: { id: old.id } })).toBe(0);
  });

  it('leaves a revision in every post that it changes', async () => {
    const app = getApp();
    const old = await upload(app, 1);
    const inBody = await publish(app, `![](/uploads/${old.path})`);
    const fields = { title: 'Cover', coverMediaId: old.id, coverAlt: 'My words' };
    const asCover = await createPost(app, { intent: 'publish', fields, ...nobody });
    const successor = await replaceMedia(app, byCommand, old.id, await file(2));
    for (const [id, field] of [
      [inBody.id, 'text'],
      [asCover.id, 'cover image'],
    ] as const) {
      const [newest] = await listRevisions(app, id);
      expect(newest).toMatchObject({
        postVersion: 2,
        summary: 'Picture replaced',
        outcome: { changed: [field] },
      });
    }
    const cover = await app.db.post.findUniqueOrThrow({ where: { id: asCover.id } });
    expect(cover).toMatchObject({ coverMediaId: successor.id, coverAlt: 'My words', version: 2 });
  });

  it('moves no state and no time, and keeps what editors have typed and not saved', async () => {
    const app = getApp();
    const { id: editorId } = await createUser(app);
    const old = await upload(app, 1);
    const publishedAt = new Date(app.clock.now().getTime() + 60_000);
    const fields = { title: 'Later', body: `![](/uploads/${old.path})`, publishedAt };
    const { id: postId } = await createPost(app, { intent: 'schedule', fields, editorId });
    const typed = { body: `Typed ![](/uploads/${old.path})` };
    await saveAutosave(app, { postId, editorId, version: 1, fields: typed });
    // A trigger that comes late does not make the time wrong.
    app.clock.advance(120_000);
    const successor = await replaceMedia(app, { ...byCommand, userId: editorId }, old.id, await file(2));
    const after = await app.db.post.findUniqueOrThrow({ where: { id: postId } });
    expect(after).toMatchObject({ status: 'scheduled', publishedAt });
    const copy = await findAutosave(app, { postId, editorId });
    expect(copy!.fields.body).toBe(`Typed ![](/uploads/${successor.path})`);
  });

  it('changes what waits in releases: texts, covers and pictures of terms', async () => {
    const app = getApp();
    const old = await upload(app, 1);
    const { id: releaseId } = await scheduleRelease(app, 10);
    const live = await publishPost(app, 'harbour');
    const fields = { body: `New ![](/uploads/${old.path})`, coverMediaId: old.id };
    await keepChange(app, releaseId, live, fields);
    const { id: subjectId } = await createTag(app);
    const wanted = [{ kind: 'tag' as const, subjectId, texts: { picture: `/uploads/${old.path}` } }];
    await keepTextsInRelease(app, { releaseId, ...nobody, wanted, replaces: false });
    await expect(trashMedia(app, byCommand, old.id)).rejects.toThrow('Changes in releases use this file: “');
    const successor = await replaceMedia(app, byCommand, old.id, await file(2));
    const address = `/uploads/${successor.path}`;
    await publishRelease(app, releaseId);
    const post = await app.db.post.findUniqueOrThrow({ where: { id: live.id } });
    expect(post).toMatchObject({ body: `New ![](${address})`, coverMediaId: successor.id });
    expect(post.bodyHtml).toContain(address);
    expect(await app.db.tag.findUnique({ where: { id: subjectId } })).toMatchObject({ picture: address });
  });

  it('does not go to the trash while a release gives it to a term', async () => {
    const app = getApp();
    const { id, path } = await upload(app, 1);
    const { id: releaseId } = await scheduleRelease(app, 10);
    const { id: subjectId } = await createTag(app);
    const wanted = [{ kind: 'tag' as const, subjectId, texts: { picture: `/uploads/${path}` } }];
    await keepTextsInRelease(app, { releaseId, ...nobody, wanted, replaces: false });
    await expect(trashMedia(app, byCommand, id)).rejects.toThrow('Changes in releases use this file');
    await publishRelease(app, releaseId);
    await expect(trashMedia(app, byCommand, id)).rejects.not.toThrow('releases');
  });

  it('renders each text in its own language', async () => {
    const app = getApp();
    const old = await upload(app, 1);
    const fields = { title: 'Hafen', language: 'de', body: `> [!NOTE]\n> ![](/uploads/${old.path})` };
    const { id } = await createPost(app, { intent: 'publish', fields, ...nobody });
    await replaceMedia(app, byCommand, old.id, await file(2));
    const { bodyHtml } = await app.db.post.findUniqueOrThrow({ where: { id } });
    expect(bodyHtml).toContain('Hinweis');
  });

  it('and deleting one leave no post that names a missing file, whatever is saved at that moment', async () => {
    const app = getApp();
    const old = await upload(app, 1);
    const post = await publish(app, 'No picture yet');
    const fields = { body: `![](/uploads/${old.path})` };
    const racing = beforeTransaction(
      app,
      () => Promise.resolve(true),
      () => editPost(app, { postId: post.id, intent: 'save', fields, ...nobody }),
    );
    await expect(trashMedia(racing, byCommand, old.id)).rejects.toThrow('Posts use this file');
  });
});
