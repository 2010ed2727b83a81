// The site at an instant is made again when something has changed that it may show.
import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { createRelease, editRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { purgeTrashed } from '#app/publishing/trash/purge.server.ts';
import { readFingerprint } from '#app/time-travel/scratch-sites.server.ts';
import { createTestApp, describeWithApp, type TestApp } from '#tests/support/app.ts';
import { recordDatabase } from '#tests/support/recorded-database.ts';

const HOUR = 3_600_000;
const editorId = null;

describeWithApp('the fingerprint of a site at an instant', (getApp) => {
  it('differs after each change that readers do not see yet, and only then', async () => {
    const app = getApp();
    const at = new Date(app.clock.now().getTime() + HOUR);
    const instant = new Date(at.getTime() + HOUR);
    const seen = new Set<string>();
    const changes = hiddenChanges(app, at);
    for (let isOver = false; !isOver; isOver = (await changes.next()).done === true) {
      const fingerprint = await readFingerprint(app, instant);
      expect(seen).not.toContain(fingerprint);
      seen.add(fingerprint);
      expect(await readFingerprint(app, instant)).toBe(fingerprint);
      app.clock.advance(1_000);
    }
    await createPost(app, { intent: 'save', fields: { title: 'Nobody sees it' }, editorId });
    expect(seen).toContain(await readFingerprint(app, instant));
    expect(seen.size).toBe(12);
  });
});

describeWithApp('the fingerprint while the clock is set back', (getApp) => {
  it('differs after changes of a scheduled post and of a scheduled update', async () => {
    const app = getApp();
    const at = new Date(app.clock.now().getTime() + 10 * HOUR);
    const ids: string[] = [];
    const updates: { postId: string; version: number }[] = [];
    for (const title of ['First', 'Second']) {
      const fields = { title, publishedAt: at };
      ids.push((await createPost(app, { intent: 'schedule', fields, editorId })).id);
      const now = { title: `${title} now` };
      const { id: postId, version } = await createPost(app, { intent: 'publish', fields: now, editorId });
      const update = { postId, version, fields: { body: 'One' }, changeAt: at, editorId };
      updates.push({ postId, version: (await scheduleUpdate(app, update)).version });
      app.clock.advance(HOUR);
    }
    const read = () => readFingerprint(app, new Date(at.getTime() + HOUR));
    const seen = [await read()];
    app.clock.advance(-1.5 * HOUR);
    await editPost(app, { postId: ids[0]!, intent: 'save', fields: { body: 'More' }, editorId });
    seen.push(await read());
    await scheduleUpdate(app, { ...updates[0]!, fields: { body: 'Two' }, changeAt: at, editorId });
    seen.push(await read());
    expect(new Set(seen).size).toBe(3);
  });
});

it('the fingerprint reads only an index of the scheduled posts', async () => {
  const app = await createTestApp({ dialect: 'sqlite' });
  const { db, recording } = recordDatabase(app.variables.DATABASE_URL!);
  try {
    await readFingerprint({ ...app, db }, app.clock.now());
    const statement = recording.statements[0]!;
    const plan = await app.db.$queryRawUnsafe<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${statement}`);
    expect(plan.map(({ detail }) => detail)).toContain(
      'SEARCH posts USING COVERING INDEX posts_status_updated_at_idx (status=?)',
    );
  } finally {
    await db.$disconnect();
    await app.close();
  }
});

/** Stops after each change that readers see at a later instant. */
async function* hiddenChanges(app: TestApp, at: Date): AsyncGenerator<void, void> {
  const fields = { title: 'Later', publishedAt: at };
  const scheduled = await createPost(app, { intent: 'schedule', fields, editorId });
  yield;
  await editPost(app, { postId: scheduled.id, intent: 'save', fields: { body: 'More' }, editorId });
  yield;
  const now = await createPost(app, { intent: 'publish', fields: { title: 'Now' }, editorId });
  yield;
  let { version } = now;
  for (const body of ['One', 'Two']) {
    const change = { postId: now.id, version, fields: { body }, changeAt: at, editorId };
    ({ version } = await scheduleUpdate(app, change));
    yield;
  }
  const draft = await createPost(app, { intent: 'save', fields: { title: 'Draft' }, editorId });
  const release = { name: 'R', publishAt: at, by: byCommand };
  const { id: releaseId } = await createRelease(app, { ...release, step: 'schedule' });
  yield;
  await addPostsToRelease(app, { releaseId, postIds: [draft.id], editorId });
  yield;
  await editPost(app, { postId: draft.id, intent: 'save', fields: { body: 'Of a draft' }, editorId });
  yield;
  // It may take an address that the release wants.
  const { id } = await createPost(app, { intent: 'save', fields: { title: 'Another draft' }, editorId });
  yield;
  await trashPost(app, { postId: id, version: 1, editorId, address: '' });
  await editRelease(app, { id: releaseId, step: 'unschedule', by: byCommand });
  yield;
  await purgeTrashed(app, byCommand, { kind: 'post', id });
  yield;
}
