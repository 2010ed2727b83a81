// Several people, or scripts, that change one post in one release.
import { expect, it } from 'vitest';
import { readStoredFields } from '#app/posts/revision.ts';
import { keepChangeInRelease } from '#app/publishing/release-items.server.ts';
import { editPost } from '#app/publishing/save-post.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { archiveIn, keepChange, publishPost, scheduleRelease } from '#tests/support/releases.ts';

const changeIn = async (app: TestApp, releaseId: string) =>
  readStoredFields((await app.db.releaseItem.findFirstOrThrow({ where: { releaseId } })).fields);

describeWithApp('a change of a post in a release', (getApp) => {
  it('is not overwritten by whoever opened it before', async () => {
    const app = getApp();
    const opened = await publishPost(app, 'tides');
    const { id: releaseId } = await scheduleRelease(app, 10);
    await keepChange(app, releaseId, opened, { body: 'By Ada' });
    const late = keepChange(app, releaseId, opened, { body: 'By Bob' });
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    expect(await changeIn(app, releaseId)).toEqual({ body: 'By Ada' });
    await expect(archiveIn(app, releaseId, opened)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('keeps the fields that a later save leaves out', async () => {
    const app = getApp();
    const post = await publishPost(app, 'tides');
    const { id: releaseId } = await scheduleRelease(app, 10);
    const { version } = await keepChange(app, releaseId, post, { body: 'New', tags: ['Sea'] });
    await keepChangeInRelease(app, {
      postId: post.id,
      releaseId,
      version,
      fields: { title: 'New title' },
      editorId: null,
    });
    expect(await changeIn(app, releaseId)).toEqual({ title: 'New title', body: 'New', tags: ['Sea'] });
  });

  it('loses a field that a later save gives its public value', async () => {
    const app = getApp();
    const post = await publishPost(app, 'tides');
    const { id: releaseId } = await scheduleRelease(app, 10);
    const { version } = await keepChange(app, releaseId, post, { body: 'New', tags: ['Sea'] });
    await keepChange(app, releaseId, { ...post, version }, { body: 'Old' });
    expect(await changeIn(app, releaseId)).toEqual({ tags: ['Sea'] });
  });

  it('is archived twice without a conflict', async () => {
    const app = getApp();
    const post = await publishPost(app, 'tides');
    const { id: releaseId } = await scheduleRelease(app, 10);
    await archiveIn(app, releaseId, post);
    await archiveIn(app, releaseId, post);
    await expect(
      editPost(app, { postId: post.id, version: post.version, intent: 'save', fields: {}, editorId: null }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });
});
