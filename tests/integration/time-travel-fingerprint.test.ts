// The site at an instant is made again when something has changed that it may show.
import { expect, it } from 'vitest';
import { byCommand } from '#app/auth/audit.server.ts';
import { createRelease, editRelease } from '#app/publishing/edit-release.server.ts';
import { addPostsToRelease } from '#app/publishing/release-items.server.ts';
import { createPost, editPost } from '#app/publishing/save-post.server.ts';
import { preparePostChange } from '#app/publishing/schedule-update.server.ts';
import { readFingerprint } from '#app/time-travel/fingerprint.server.ts';
import { describeWithApp } from '#tests/support/app.ts';

const HOUR = 3_600_000;

describeWithApp('the fingerprint of a site at an instant', (getApp) => {
  it('differs after each change that readers do not see yet, and only then', async () => {
    const app = getApp();
    const at = new Date(app.clock.now().getTime() + HOUR);
    const instant = new Date(at.getTime() + HOUR);
    const seen = new Set<string>();
    const expectNew = async () => {
      const fingerprint = await readFingerprint(app, instant);
      expect(seen).not.toContain(fingerprint);
      seen.add(fingerprint);
      expect(await readFingerprint(app, instant)).toBe(fingerprint);
      app.clock.advance(1_000);
    };
    const editorId = null;
    await expectNew();
    const later = { title: 'Later', publishedAt: at };
    const scheduled = await createPost(app, { intent: 'schedule', fields: later, editorId });
    await expectNew();
    await editPost(app, { postId: scheduled.id, intent: 'save', fields: { body: 'More' }, editorId });
    await expectNew();
    const { id: postId, ...post } = await createPost(app, {
      intent: 'publish',
      fields: { title: 'Now' },
      editorId,
    });
    await expectNew();
    let { version } = post;
    for (const body of ['One', 'Two']) {
      const change = { postId, version, fields: { body }, changeAt: at, editorId };
      ({ version } = await preparePostChange(app, change));
      await expectNew();
    }
    const draft = await createPost(app, { intent: 'save', fields: { title: 'Draft' }, editorId });
    const release = { name: 'R', publishAt: at, by: byCommand };
    const { id: releaseId } = await createRelease(app, { ...release, step: 'schedule' });
    await expectNew();
    await addPostsToRelease(app, { releaseId, postIds: [draft.id], editorId });
    await expectNew();
    await editPost(app, { postId: draft.id, intent: 'save', fields: { body: 'Of a draft' }, editorId });
    await expectNew();
    await editRelease(app, { id: releaseId, step: 'unschedule', by: byCommand });
    await expectNew();
    await createPost(app, { intent: 'save', fields: { title: 'Nobody sees it' }, editorId });
    expect(seen).toContain(await readFingerprint(app, instant));
  });
});
