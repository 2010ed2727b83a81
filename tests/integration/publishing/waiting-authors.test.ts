import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createAdministrator, deleteUser } from '#app/publishing/accounts/change.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { rollBackRelease, listChangedSince } from '#app/publishing/releases/roll-back.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { readRelease } from '#app/releases/queries.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { openScratchSite } from '#tests/support/scratch-site.ts';

const MINUTE = 60_000;
const editorId = null;

describeWithApp('a change of authors that waits for its time', (getApp) => {
  it.each(['release', 'update'])('keeps the name of an account that is deleted before (%s)', async (kind) => {
    const app = getApp();
    const ed = await createEd(app);
    const { id, at } = await planAuthors(app, kind, ['ed', 'A Guest']);
    await deleteUser(app, byCommand, { userId: ed.id, heirId: null });
    const site = await openScratchSite(app, at);
    expect(await authorsOf(site.app, id)).toEqual(['Ed Miller', 'A Guest']);
    await site.close();
    app.clock.advance(9 * MINUTE);
    await publishDue(app, 'command');
    expect(await authorsOf(app, id)).toEqual(['Ed Miller', 'A Guest']);
  });

  it.each(['release', 'update'])('follows an account that gets other names (%s)', async (kind) => {
    const app = getApp();
    const ed = await createUser(app, { username: 'ed', displayName: 'Ed Miller', email: 'ed@example.org' });
    const ann = await createUser(app, { username: 'ann', displayName: 'Ann', email: 'ann@example.org' });
    const { id } = await planAuthors(app, kind, ['ed', 'Ann']);
    const password = 'a long enough password';
    const rename = (email: string, username: string, displayName: string) =>
      createAdministrator(app, { email, username, displayName, password });
    await rename('ed@example.org', 'edward', 'Edward Miller');
    await rename('ann@example.org', 'ann', 'Ann Lee');
    app.clock.advance(9 * MINUTE);
    await publishDue(app, 'command');
    expect(await authorsOf(app, id)).toEqual([ed.id, ann.id]);
  });
});

describeWithApp('a rollback of authors', (getApp) => {
  it.each(['now', 'scheduled'])('keeps the name of an account that was deleted since (%s)', async (when) => {
    const app = getApp();
    const ed = await createEd(app);
    const ann = await createUser(app, { username: 'ann', displayName: 'Ann' });
    const fields = { title: 'A post', authors: ['ed', 'ann'] };
    const post = await createPost(app, { intent: 'publish', fields, editorId });
    const { id: releaseId } = await createRelease(app, { name: 'Friday', step: 'save', by: byCommand });
    const change = { postId: post.id, version: post.version, editorId, releaseId };
    await keepChangeInRelease(app, { ...change, fields: { authors: ['ann', 'ed', 'A Guest'] } });
    app.clock.advance(MINUTE);
    await publishRelease(app, { id: releaseId, by: byCommand });
    const deleteEd = async () => {
      app.clock.advance(MINUTE);
      await deleteUser(app, byCommand, { userId: ed.id, heirId: null });
      app.clock.advance(MINUTE);
    };
    if (when === 'now') await deleteEd();
    expect(await listChangedSince(app, await readRelease(app, releaseId))).toEqual([]);
    const rollbackAt = when === 'now' ? null : new Date(app.clock.now().getTime() + 10 * MINUTE);
    await rollBackRelease(app, { id: releaseId, rollbackAt, by: byCommand });
    if (when === 'scheduled') {
      await deleteEd();
      app.clock.advance(10 * MINUTE);
      await publishDue(app, 'command');
    }
    expect(await authorsOf(app, post.id)).toEqual(['Ed Miller', ann.id]);
  });
});

describeWithApp('the site before an account was deleted', (getApp) => {
  it('has the name of its owner at a post that changed since', async () => {
    const app = getApp();
    const ed = await createEd(app);
    const fields = { title: 'A post', authors: ['ed', 'A Guest'] };
    const { id, version } = await createPost(app, { intent: 'publish', fields, editorId });
    app.clock.advance(MINUTE);
    const instant = app.clock.now();
    app.clock.advance(MINUTE);
    const { id: releaseId } = await createRelease(app, { name: 'Friday', step: 'save', by: byCommand });
    const change = { postId: id, version, editorId, releaseId };
    await keepChangeInRelease(app, { ...change, fields: { authors: ['A Guest'] } });
    await publishRelease(app, { id: releaseId, by: byCommand });
    app.clock.advance(MINUTE);
    await deleteUser(app, byCommand, { userId: ed.id, heirId: null });
    app.clock.advance(MINUTE);
    const site = await openScratchSite(app, instant);
    expect(await authorsOf(site.app, id)).toEqual(['Ed Miller', 'A Guest']);
    await site.close();
  });
});

/** An account that can be deleted: another one is an administrator. */
async function createEd(app: TestApp) {
  await createUser(app, { role: 'administrator', passwordHash: 'x' });
  return createUser(app, { username: 'ed', displayName: 'Ed Miller' });
}

async function planAuthors(app: TestApp, kind: string, authors: string[]) {
  const { id, version } = await createPost(app, { intent: 'publish', fields: { title: 'A post' }, editorId });
  const at = new Date(app.clock.now().getTime() + 10 * MINUTE);
  const change = { postId: id, version, fields: { authors }, editorId };
  if (kind === 'update') await scheduleUpdate(app, { ...change, changeAt: at });
  else {
    const release = { name: 'Friday', publishAt: at, step: 'schedule', by: byCommand } as const;
    const { id: releaseId } = await createRelease(app, release);
    await keepChangeInRelease(app, { ...change, releaseId });
  }
  app.clock.advance(MINUTE);
  return { id, at };
}

/** The authors of a post in order: the id of each account, the name of each guest. */
async function authorsOf({ db }: Pick<TestApp, 'db'>, postId: string): Promise<string[]> {
  const rows = await db.postAuthor.findMany({ where: { postId }, orderBy: { position: 'asc' } });
  return rows.map(({ userId, name }) => userId ?? name);
}
