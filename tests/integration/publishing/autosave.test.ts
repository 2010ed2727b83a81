import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { findAutosave, listRevisions, findUnsavedCopy } from '#app/posts/history/revisions.server.ts';
import { saveAutosave } from '#app/publishing/posts/autosave.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';

const minute = 60_000;

async function sharedPost(app: App, intent: 'draft' | 'publish' = 'draft') {
  const me = (await createUser(app, { displayName: 'Me' })).id;
  const they = (await createUser(app, { displayName: 'They' })).id;
  const fields = { title: 'Title', body: 'Text' };
  const { id: postId } = await createPost(app, { intent, fields, editorId: me });
  return { me, they, postId };
}
const kindsOf = async (app: App, postId: string) =>
  (await listRevisions(app, postId)).map(({ kind }) => kind);
const rowOf = (app: App, id: string) => app.db.post.findUniqueOrThrow({ where: { id } });

describeWithApp('an autosave of a draft', (getApp) => {
  it('writes the draft itself, and a run of them is one revision', async () => {
    const app = getApp();
    const { me: editorId, postId } = await sharedPost(app);
    let version = 1;
    for (const body of ['M', 'My', 'My text']) {
      app.clock.advance(minute);
      const saved = await saveAutosave(app, { postId, editorId, version, fields: { body } });
      expect(saved).toEqual({ saved: 'post', version: version + 1, savedAt: app.clock.now() });
      version = saved.version;
    }
    expect(await rowOf(app, postId)).toMatchObject({
      body: 'My text',
      bodyHtml: '<p>My text</p>',
      version: 4,
    });
    expect(await kindsOf(app, postId)).toEqual(['draft', 'save']);
    expect(await findAutosave(app, { postId, editorId })).toBeNull();
  });

  it('begins another revision after half an hour, after a save, and for another editor', async () => {
    const app = getApp();
    const { me, they, postId } = await sharedPost(app);
    let version = 1;
    const type = async (editorId: string, body: string) => {
      app.clock.advance(minute);
      ({ version } = await saveAutosave(app, { postId, editorId, version, fields: { body } }));
    };
    await type(me, '1');
    app.clock.advance(30 * minute);
    await type(me, '2');
    await type(they, '3');
    const saved = { postId, version, intent: 'save', fields: { body: '4' }, editorId: they } as const;
    ({ version } = await editPost(app, saved));
    await type(they, '5');
    await type(they, '6');
    expect(await kindsOf(app, postId)).toEqual(['draft', 'save', 'draft', 'draft', 'draft', 'save']);
  });

  it('never goes over a newer text: the typed one is kept as a copy', async () => {
    const app = getApp();
    const { me, they, postId } = await sharedPost(app);
    const theirs = {
      postId,
      version: 1,
      intent: 'save',
      fields: { body: 'Theirs' },
      editorId: they,
    } as const;
    await editPost(app, theirs);
    const mine = { postId, editorId: me, version: 1, fields: { body: 'Mine' } };
    await expect(saveAutosave(app, mine)).rejects.toMatchObject({ code: 'conflict', status: 409 });
    expect((await rowOf(app, postId)).body).toBe('Theirs');
    const copy = (await findUnsavedCopy(app, { postId, editorId: me }, { fields: {} }))!;
    // With the older version the save of this copy meets theirs.
    expect(copy).toMatchObject({ changes: { body: 'Mine' }, version: 1, currentVersion: 2 });
  });

  it('leaves out what the post cannot have, and keeps the text', async () => {
    const app = getApp();
    const { me: editorId, postId } = await sharedPost(app);
    await createPost(app, { intent: 'save', fields: { title: 'Other', slug: 'taken' }, editorId });
    const fields = { body: 'Typed', slug: 'taken' };
    await saveAutosave(app, { postId, editorId, version: 1, fields });
    expect(await rowOf(app, postId)).toMatchObject({ body: 'Typed', slug: 'title', version: 2 });
  });

  it('of a post that is gone is refused', async () => {
    const app = getApp();
    const { id: editorId } = await createUser(app);
    const input = { postId: 'gone', editorId, version: 1, fields: {} };
    await expect(saveAutosave(app, input)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describeWithApp('an autosave of what readers or a schedule depend on', (getApp) => {
  it('is one copy for each editor, until that editor’s next save', async () => {
    const app = getApp();
    const { me, they, postId } = await sharedPost(app, 'publish');
    const before = await rowOf(app, postId);
    for (const body of ['M', 'My', 'My t']) {
      app.clock.advance(1000);
      const saved = await saveAutosave(app, { postId, editorId: me, version: 1, fields: { body } });
      expect(saved).toEqual({ saved: 'copy', version: 1, savedAt: app.clock.now() });
    }
    const typedAt = app.clock.now();
    const typing = ['T', 'Th'].map((body) =>
      saveAutosave(app, { postId, editorId: they, version: 1, fields: { body } }),
    );
    await Promise.all(typing);
    expect(await rowOf(app, postId)).toEqual(before);
    expect(await app.db.revision.count({ where: { kind: 'autosave' } })).toBe(2);
    expect((await findAutosave(app, { postId, editorId: me }))!.fields.body).toBe('My t');
    const save = { postId, version: 1, intent: 'save', fields: { body: 'Mine' }, editorId: me } as const;
    await editPost(app, { ...save, includedUntil: typedAt });
    expect(await findAutosave(app, { postId, editorId: me })).toBeNull();
    expect(await findAutosave(app, { postId, editorId: they })).not.toBeNull();
    expect(await kindsOf(app, postId)).not.toContain('conflict');
  });

  it('stays as a revision when a save of another tab does not hold it', async () => {
    const app = getApp();
    const { me: editorId, postId } = await sharedPost(app, 'publish');
    await saveAutosave(app, { postId, editorId, version: 1, fields: { body: 'Typed in one tab' } });
    await editPost(app, { postId, version: 1, intent: 'save', fields: { excerpt: 'x' }, editorId });
    const kept = await app.db.revision.findFirstOrThrow({ where: { postId, kind: 'conflict' } });
    expect(kept.fields).toContain('Typed in one tab');
  });

  it('does not go out with the scheduled post, nor with a scheduled update', async () => {
    const app = getApp();
    const { me: editorId, postId } = await sharedPost(app);
    const publishedAt = new Date(app.clock.now().getTime() + minute);
    await editPost(app, { postId, version: 1, intent: 'schedule', fields: { publishedAt }, editorId });
    await saveAutosave(app, { postId, editorId, version: 2, fields: { body: 'Half-ty' } });
    app.clock.advance(minute);
    await publishDue(app, 'command');
    expect(await rowOf(app, postId)).toMatchObject({ status: 'published', body: 'Text' });
    const changeAt = new Date(app.clock.now().getTime() + minute);
    const other = (await createUser(app)).id;
    const update = { postId, version: 3, fields: { title: 'Updated' }, changeAt, editorId: other };
    await scheduleUpdate(app, update);
    app.clock.advance(minute);
    await publishDue(app, 'command');
    expect(await rowOf(app, postId)).toMatchObject({ title: 'Updated', body: 'Text' });
    // The trigger has not lost what I was typing.
    expect((await findAutosave(app, { postId, editorId }))!.fields.body).toBe('Half-ty');
  });

  it('that only gives back the minute of a time is no change', async () => {
    const app = getApp();
    app.clock.advance(37_456);
    const { me: editorId, postId } = await sharedPost(app, 'publish');
    const shown = new Date(Math.floor(app.clock.now().getTime() / minute) * minute);
    await saveAutosave(app, { postId, editorId, version: 1, fields: { body: 'Text', publishedAt: shown } });
    expect(await findUnsavedCopy(app, { postId, editorId }, { fields: {} })).toBeNull();
  });
});
