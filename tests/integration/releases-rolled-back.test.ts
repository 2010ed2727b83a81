import { expect, it } from 'vitest';
import { byCommand } from '#app/auth/audit.server.ts';
import { createRelease } from '#app/publishing/edit-release.server.ts';
import { publishDue } from '#app/publishing/publish-due.server.ts';
import { publishRelease } from '#app/publishing/publish-release.server.ts';
import { addPostsToRelease } from '#app/publishing/release-items.server.ts';
import { rollBackRelease } from '#app/publishing/rollback-release.server.ts';
import { createPost } from '#app/publishing/save-post.server.ts';
import { describeWithApp } from '#tests/support/app.ts';

const minute = 60_000;

describeWithApp('a release', (getApp) => {
  it('waits for no scheduled rollback once it has been rolled back', async () => {
    const app = getApp();
    const fresh = await createPost(app, { intent: 'save', fields: { title: 'fresh' }, editorId: null });
    const { id: releaseId } = await createRelease(app, { name: 'Friday', step: 'save', by: byCommand });
    await addPostsToRelease(app, { releaseId, postIds: [fresh.id], editorId: null });
    await publishRelease(app, { id: releaseId, by: byCommand });
    const monday = await rollBackRelease(app, {
      id: releaseId,
      rollbackAt: new Date(app.clock.now().getTime() + 60 * minute),
      by: byCommand,
    });
    const now = await rollBackRelease(app, { id: releaseId, by: byCommand });
    expect(await app.db.release.findUnique({ where: { id: monday.id } })).toMatchObject({ status: 'draft' });
    // Somebody publishes it again: that is to last.
    await rollBackRelease(app, { id: now.id, by: byCommand });
    app.clock.advance(90 * minute);
    expect((await publishDue(app, 'command')).affectedSlugs).toEqual([]);
    expect(await app.db.post.findUnique({ where: { id: fresh.id } })).toMatchObject({ status: 'published' });
  });
});
