import { expect, it } from 'vitest';
import { byCommand } from '#app/auth/audit.server.ts';
import { createRelease } from '#app/publishing/edit-release.server.ts';
import { publishDue } from '#app/publishing/publish-due.server.ts';
import { keepChangeInRelease } from '#app/publishing/release-items.server.ts';
import { createPost } from '#app/publishing/save-post.server.ts';
import { describeWithApp } from '#tests/support/app.ts';

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
