import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease, keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { listScheduledReleases } from '#app/releases/status.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { said } from '#tests/support/texts/said.ts';

const MINUTE = 60_000;
const editorId = null;

describeWithApp('a release that is published late', (getApp) => {
  it('leaves the publication time of a post that went public meanwhile', async () => {
    const app = getApp();
    const publishAt = new Date(app.clock.now().getTime() + MINUTE);
    const { id: releaseId } = await createRelease(app, {
      name: 'Friday',
      publishAt,
      step: 'schedule',
      by: byCommand,
    });
    app.clock.advance(3 * MINUTE);
    const publishedAt = app.clock.now();
    const fields = { title: 'Later', slug: 'later', body: 'Old' };
    const { id: postId, version } = await createPost(app, { intent: 'publish', fields, editorId });
    await keepChangeInRelease(app, { postId, releaseId, version, fields: { body: 'New' }, editorId });
    app.clock.advance(MINUTE);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual(['later']);
    expect(await app.db.post.findUnique({ where: { id: postId } })).toMatchObject({
      publishedAt,
      body: 'New',
    });
  });
});

describeWithApp('a release with a draft whose archive time passes before', (getApp) => {
  it('is blocked, with the reason, when it is scheduled and when it is published', async () => {
    const app = getApp();
    const inMinutes = (count: number) => new Date(app.clock.now().getTime() + count * MINUTE);
    const fields = { title: 'Short', slug: 'short', archiveAt: inMinutes(2) };
    const { id: postId, version } = await createPost(app, { intent: 'save', fields, editorId });
    const release = { name: 'Friday', publishAt: inMinutes(3), step: 'schedule', by: byCommand } as const;
    const { id: releaseId } = await createRelease(app, release);
    await addPostsToRelease(app, { releaseId, postIds: [postId], editorId });
    const problem = '“Short”: Archive time must be after the publication time.';
    expect(await listScheduledReleases(app)).toMatchObject([{ problem: said(problem) }]);
    app.clock.advance(3 * MINUTE);
    await expect(publishRelease(app, { id: releaseId, by: byCommand })).rejects.toThrow(problem);
    await publishDue(app, 'command');
    const read = () => app.db.post.findUnique({ where: { id: postId } });
    expect(await read()).toMatchObject({ status: 'draft', version });
    const later = { archiveAt: inMinutes(60) };
    await editPost(app, { postId, version, intent: 'save', fields: later, editorId });
    await publishDue(app, 'command');
    expect(await read()).toMatchObject({ status: 'published', ...later });
  });
});

describeWithApp('a release with a draft whose title nobody has typed', (getApp) => {
  it('is blocked, with the reason, until the draft has a title', async () => {
    const app = getApp();
    const untitled = { intent: 'save', fields: { title: 'Untitled' }, slugFollowsTitle: true } as const;
    const { id: postId, version } = await createPost(app, { ...untitled, editorId });
    const { id: releaseId } = await createRelease(app, { name: 'Friday', step: 'save', by: byCommand });
    await addPostsToRelease(app, { releaseId, postIds: [postId], editorId });
    const publish = () => publishRelease(app, { id: releaseId, by: byCommand });
    await expect(publish()).rejects.toThrow('“Untitled”: Title is required.');
    await editPost(app, { postId, version, intent: 'save', fields: { title: 'Typed' }, editorId });
    await publish();
    expect(await app.db.post.findUnique({ where: { id: postId } })).toMatchObject({ status: 'published' });
  });
});
