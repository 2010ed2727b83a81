// Several saves, as of scripts, that change one post in one release.
import { expect, it } from 'vitest';
import { readStoredFields } from '#app/posts/fields/stored.ts';
import { keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { textVersionOf } from '#app/releases/post-change.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { keepChange, publishPost, scheduleRelease } from '#tests/support/releases.ts';

const changeIn = async (app: TestApp, releaseId: string) =>
  readStoredFields((await app.db.releaseItem.findFirstOrThrow({ where: { releaseId } })).fields);

describeWithApp('a change of a post in a release', (getApp) => {
  it('keeps the fields that a later save leaves out', async () => {
    const app = getApp();
    const post = await publishPost(app, 'tides');
    const { id: releaseId } = await scheduleRelease(app, 10);
    const { version } = await keepChange(app, releaseId, post, { body: 'New', tags: ['Sea'] });
    const fields = { title: 'New title' };
    await keepChangeInRelease(app, { postId: post.id, releaseId, version, fields, editorId: null });
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

  it('is refused to the second of two editors who opened the same text, at the same moment too', async () => {
    const app = getApp();
    const { id: postId, version } = await publishPost(app, 'tides');
    const { id: releaseId } = await scheduleRelease(app, 10);
    const saves = [await createUser(app), await createUser(app)].map(({ id: editorId }) =>
      keepChangeInRelease(app, {
        postId,
        releaseId,
        version,
        fields: { title: editorId },
        editorId,
        textVersion: textVersionOf(null),
      }),
    );
    const outcomes = await Promise.allSettled(saves);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'conflict' },
    });
    expect(await app.db.revision.count({ where: { postId, kind: 'conflict' } })).toBe(1);
  });
});
