import { expect, it } from 'vitest';
import { byCommand } from '#app/auth/audit.server.ts';
import { createRelease } from '#app/publishing/edit-release.server.ts';
import { mergeTags } from '#app/publishing/merge-tags.server.ts';
import { publishDue } from '#app/publishing/publish-due.server.ts';
import { keepChangeInRelease } from '#app/publishing/release-items.server.ts';
import { createPost } from '#app/publishing/save-post.server.ts';
import { saveTerm } from '#app/publishing/save-term.server.ts';
import { scheduleUpdate } from '#app/publishing/schedule-update.server.ts';
import { trashTerm } from '#app/publishing/trash-term.server.ts';
import type { App } from '#app/app.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createTag } from '#tests/support/factories.ts';
import { openScratchSite } from '#tests/support/scratch-site.ts';

const MINUTE = 60_000;
const editorId = null;
/** One tag is renamed, one merged, one trashed before the time; “Old word” is a former name, typed again; “New” is new. */
const tags = ['Sea', 'Bread', 'Gone', 'Old word', 'New'];

describeWithApp('a change that waits for its time', (getApp) => {
  it.each(['release', 'update'])('follows its tags (%s), in time travel too', async (kind) => {
    const app = getApp();
    const sea = await createTag(app, { name: 'Sea', slug: 'sea' });
    const bread = await createTag(app, { name: 'Bread', slug: 'bread' });
    const food = await createTag(app, { name: 'Food', slug: 'food' });
    const gone = await createTag(app, { name: 'Gone', slug: 'gone' });
    const word = await createTag(app, { name: 'Old word', slug: 'old-word' });
    await saveTerm(app, 'tag', word.id, { name: 'Word', slug: 'word', description: '' });
    app.clock.advance(MINUTE);
    const post = await createPost(app, { intent: 'publish', fields: { title: 'A post' }, editorId });
    const at = new Date(app.clock.now().getTime() + 10 * MINUTE);
    await planTags(app, kind, post, at);
    app.clock.advance(MINUTE);
    await saveTerm(app, 'tag', sea.id, { name: 'Ocean', slug: 'ocean', description: '' });
    await mergeTags(app, byCommand, { id: bread.id, intoId: food.id });
    await trashTerm(app, byCommand, { kind: 'tag', id: gone.id });
    const expected = ['Ocean', 'Food', 'Old word', 'New'];
    const site = await openScratchSite(app, at);
    expect(await tagsOf(site.app, post.id)).toEqual(expected);
    await site.close();
    app.clock.advance(9 * MINUTE);
    await publishDue(app, 'command');
    expect(await tagsOf(app, post.id)).toEqual(expected);
    expect(await app.db.tag.count({ where: { name: { in: ['Sea', 'Bread', 'Gone'] } } })).toBe(0);
  });

  it('follows its tags in a release that is saved again after a rename', async () => {
    const app = getApp();
    const sea = await createTag(app, { name: 'Sea', slug: 'sea' });
    const post = await createPost(app, { intent: 'publish', fields: { title: 'A post' }, editorId });
    const at = new Date(app.clock.now().getTime() + 10 * MINUTE);
    const releaseId = await planTags(app, 'release', post, at);
    app.clock.advance(MINUTE);
    await saveTerm(app, 'tag', sea.id, { name: 'Ocean', slug: 'ocean', description: '' });
    app.clock.advance(MINUTE);
    const change = { postId: post.id, version: post.version, editorId };
    await keepChangeInRelease(app, { ...change, releaseId: releaseId!, fields: { title: 'Another' } });
    app.clock.advance(8 * MINUTE);
    await publishDue(app, 'command');
    expect(await tagsOf(app, post.id)).toEqual(['Ocean', 'Bread', 'Gone', 'Old word', 'New']);
    expect(await app.db.post.findUnique({ where: { id: post.id } })).toMatchObject({ title: 'Another' });
  });
});

async function planTags(
  app: TestApp,
  kind: string,
  { id: postId, version }: { id: string; version: number },
  at: Date,
): Promise<string | null> {
  const change = { postId, version, fields: { tags }, editorId };
  if (kind === 'update') {
    await scheduleUpdate(app, { ...change, changeAt: at });
    return null;
  }
  const release = { name: 'Friday', publishAt: at, step: 'schedule', by: byCommand } as const;
  const { id: releaseId } = await createRelease(app, release);
  await keepChangeInRelease(app, { ...change, releaseId });
  return releaseId;
}

async function tagsOf({ db }: Pick<App, 'db'>, postId: string): Promise<string[]> {
  const rows = await db.postTag.findMany({
    where: { postId },
    orderBy: { position: 'asc' },
    select: { tag: { select: { name: true } } },
  });
  return rows.map(({ tag }) => tag.name);
}
