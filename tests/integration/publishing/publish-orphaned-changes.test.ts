// What an editor prepared takes effect also when the account is deleted before its time.
import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { deleteUser } from '#app/publishing/accounts/change.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';

const HOUR = 3_600_000;

describeWithApp('the account of an editor is deleted', (getApp) => {
  async function livePostAndEditor(app: TestApp) {
    const fields = { title: 'Live', slug: 'live', body: 'Old' };
    const post = await createPost(app, { intent: 'publish', fields, editorId: null });
    await createUser(app, { role: 'administrator', passwordHash: 'x' });
    const { id: editorId } = await createUser(app, { role: 'editor' });
    return { postId: post.id, version: post.version, editorId };
  }

  /** What the trigger changes an hour later, when the account is gone. */
  async function publishWithout(app: TestApp, editorId: string) {
    await deleteUser(app, byCommand, { userId: editorId, heirId: null });
    app.clock.advance(HOUR);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual(['live']);
    expect(await app.db.post.findFirst()).toMatchObject({ body: 'New' });
    const [revision] = await app.db.revision.findMany({ orderBy: { postVersion: 'desc' }, take: 1 });
    expect(revision).toMatchObject({ authorId: null });
    expect(JSON.parse(revision!.fields)).toMatchObject({ body: 'New' });
  }

  it('a scheduled update is applied at its time; its revision has no author', async () => {
    const app = getApp();
    const { editorId, ...post } = await livePostAndEditor(app);
    const changeAt = new Date(app.clock.now().getTime() + HOUR);
    await scheduleUpdate(app, { ...post, fields: { body: 'New' }, changeAt, editorId });
    await publishWithout(app, editorId);
  });

  it('a change in a release is published at its time; its revision has no author', async () => {
    const app = getApp();
    const { editorId, ...post } = await livePostAndEditor(app);
    const publishAt = new Date(app.clock.now().getTime() + HOUR);
    const release = { name: 'Friday', publishAt, step: 'schedule', by: byCommand } as const;
    const { id: releaseId } = await createRelease(app, release);
    await keepChangeInRelease(app, { ...post, releaseId, fields: { body: 'New' }, editorId });
    await publishWithout(app, editorId);
  });
});
