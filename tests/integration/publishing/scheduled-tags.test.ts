import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { forgetTextChanges } from '#app/publishing/change/text-changes.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { keepChangeInRelease } from '#app/publishing/releases/items.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { rollBackRelease, listChangedSince } from '#app/publishing/releases/roll-back.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { mergeTags } from '#app/publishing/terms/merge-tags.server.ts';
import { saveTerm } from '#app/publishing/terms/save.server.ts';
import { purgeTerm, restoreTerm, trashTerm } from '#app/publishing/terms/trash.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { readRelease } from '#app/releases/queries.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createCategory, createTag } from '#tests/support/factories.ts';
import { openScratchSite } from '#tests/support/scratch-site.ts';

const MINUTE = 60_000;
const editorId = null;
/** What happens to each before the time; “Old word” is a former name, typed again. */
const tags = ['Sea', 'Bread', 'Gone', 'C++', 'Twice', 'Purged', 'Back', 'Old word', 'New'];

describeWithApp('a change that waits for its time', (getApp) => {
  it.each(['release', 'update'])('follows its tags (%s), in time travel too', async (kind) => {
    const app = getApp();
    const sea = await createTag(app, { name: 'Sea', slug: 'sea' });
    const bread = await createTag(app, { name: 'Bread', slug: 'bread' });
    const food = await createTag(app, { name: 'Food', slug: 'food' });
    const gone = await createTag(app, { name: 'Gone', slug: 'gone' });
    const plus = await createTag(app, { name: 'C++', slug: 'cpp' });
    const twice = await createTag(app, { name: 'Twice', slug: 'twice' });
    const purged = await createTag(app, { name: 'Purged', slug: 'purged' });
    const back = await createTag(app, { name: 'Back', slug: 'back' });
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
    await saveTerm(app, 'tag', plus.id, { name: 'C plus plus', slug: 'cpp', description: '' });
    await saveTerm(app, 'tag', twice.id, { name: 'Two', slug: 'two', description: '' });
    await trashTerm(app, byCommand, { kind: 'tag', id: twice.id });
    await trashTerm(app, byCommand, { kind: 'tag', id: purged.id });
    await purgeTerm(app, byCommand, { kind: 'tag', id: purged.id });
    await trashTerm(app, byCommand, { kind: 'tag', id: back.id });
    await restoreTerm(app, byCommand, { kind: 'tag', id: back.id });
    const expected = ['Ocean', 'Food', 'C plus plus', 'Back', 'Old word', 'New'];
    const site = await openScratchSite(app, at);
    expect(await tagsOf(site.app, post.id)).toEqual(expected);
    await site.close();
    app.clock.advance(9 * MINUTE);
    await publishDue(app, 'command');
    expect(await tagsOf(app, post.id)).toEqual(expected);
    expect(
      await app.db.tag.count({ where: { name: { in: ['Sea', 'Bread', 'Gone', 'C++', 'Twice', 'Purged'] } } }),
    ).toBe(0);
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
    expect(await tagsOf(app, post.id)).toEqual(['Ocean', ...tags.slice(1)]);
    expect(await app.db.post.findUnique({ where: { id: post.id } })).toMatchObject({ title: 'Another' });
  });

  it('finds its tags by name where an older version stored it without their ids', async () => {
    const app = getApp();
    const sea = await createTag(app, { name: 'Sea', slug: 'sea' });
    const post = await createPost(app, { intent: 'publish', fields: { title: 'A post' }, editorId });
    const changeAt = new Date(app.clock.now().getTime() + MINUTE);
    const fields = { tags: ['Sea', 'New'] };
    await scheduleUpdate(app, { postId: post.id, version: post.version, fields, changeAt, editorId });
    const data = { fields: JSON.stringify(fields) };
    await app.db.scheduledUpdate.update({ where: { postId: post.id }, data });
    await saveTerm(app, 'tag', sea.id, { name: 'Ocean', slug: 'sea', description: '' });
    app.clock.advance(MINUTE);
    await publishDue(app, 'command');
    expect(await tagsOf(app, post.id)).toEqual(['Ocean', 'New']);
  });
});

describeWithApp('a rollback', (getApp) => {
  it.each(['now', 'scheduled'])(
    'restores tags and a category that were renamed or trashed since (%s)',
    async (when) => {
      const app = getApp();
      const [sea, bread] = [
        await createTag(app, { name: 'Sea', slug: 'sea' }),
        await createTag(app, { name: 'Bread', slug: 'bread' }),
      ];
      const former = await createCategory(app, { name: 'Former', slug: 'former' });
      const heir = await createCategory(app, { name: 'Heir', slug: 'heir' });
      const fields = { title: 'A post', tags: ['Sea'], categoryId: former.id };
      const post = await createPost(app, { intent: 'publish', fields, editorId });
      const { id: releaseId } = await createRelease(app, { name: 'Friday', step: 'save', by: byCommand });
      const change = { postId: post.id, version: post.version, editorId, releaseId };
      await keepChangeInRelease(app, { ...change, fields: { tags: ['Sea', 'Bread'], categoryId: null } });
      app.clock.advance(MINUTE);
      await publishRelease(app, { id: releaseId, by: byCommand });
      const rename = async () => {
        app.clock.advance(MINUTE);
        await saveTerm(app, 'tag', sea.id, { name: 'Ocean', slug: 'ocean', description: '' });
        await saveTerm(app, 'tag', bread.id, { name: 'Loaf', slug: 'bread', description: '' });
        await trashTerm(app, byCommand, { kind: 'category', id: former.id, heirId: heir.id });
        app.clock.advance(MINUTE);
      };
      if (when === 'now') await rename();
      expect(await listChangedSince(app, await readRelease(app, releaseId))).toEqual([]);
      const rollbackAt = when === 'now' ? null : new Date(app.clock.now().getTime() + 10 * MINUTE);
      await rollBackRelease(app, { id: releaseId, rollbackAt, by: byCommand });
      if (when === 'scheduled') {
        await rename();
        app.clock.advance(10 * MINUTE);
        await publishDue(app, 'command');
      }
      expect(await tagsOf(app, post.id)).toEqual(['Ocean']);
      expect(await app.db.post.findUnique({ where: { id: post.id } })).toMatchObject({ categoryId: heir.id });
      expect(await app.db.tag.count()).toBe(2);
    },
  );
});

describeWithApp('a change that waits while tags take each other’s names', (getApp) => {
  const save = (app: TestApp, { id, slug }: { id: string; slug: string }, name: string) =>
    saveTerm(app, 'tag', id, { name, slug, description: '' });
  const slugsOf = async ({ db }: TestApp, postId: string) => {
    const rows = await db.postTag.findMany({
      where: { postId },
      orderBy: { position: 'asc' },
      select: { tag: { select: { slug: true } } },
    });
    return rows.map(({ tag }) => tag.slug);
  };

  it.each(['release', 'update'])('keeps the tags that it was given (%s)', async (kind) => {
    const app = getApp();
    const [sea, lake] = [
      await createTag(app, { name: 'Sea', slug: 'sea' }),
      await createTag(app, { name: 'Lake', slug: 'lake' }),
    ];
    const post = await createPost(app, { intent: 'publish', fields: { title: 'A post' }, editorId });
    const at = new Date(app.clock.now().getTime() + 10 * MINUTE);
    await planTags(app, kind, post, at, ['Sea']);
    app.clock.advance(MINUTE);
    await save(app, { ...sea, slug: 'sea' }, 'Lake');
    await save(app, { ...lake, slug: 'lake' }, 'Sea');
    app.clock.advance(9 * MINUTE);
    await publishDue(app, 'command');
    expect(await slugsOf(app, post.id)).toEqual(['sea']);
  });

  it.each(['release', 'update'])('follows a tag that was typed in lower case (%s)', async (kind) => {
    const app = getApp();
    const sea = await createTag(app, { name: 'Sea', slug: 'sea' });
    const post = await createPost(app, { intent: 'publish', fields: { title: 'A post' }, editorId });
    const at = new Date(app.clock.now().getTime() + 10 * MINUTE);
    await planTags(app, kind, post, at, ['sea']);
    app.clock.advance(MINUTE);
    await save(app, { ...sea, slug: 'ocean' }, 'Ocean');
    app.clock.advance(9 * MINUTE);
    await publishDue(app, 'command');
    expect(await tagsOf(app, post.id)).toEqual(['Ocean']);
    expect(await app.db.tag.count()).toBe(1);
  });

  it('finds a tag again that came back from the trash after another one had its name', async () => {
    const app = getApp();
    const sea = await createTag(app, { name: 'Sea', slug: 'sea' });
    const post = await createPost(app, { intent: 'publish', fields: { title: 'A post' }, editorId });
    const at = new Date(app.clock.now().getTime() + 20 * MINUTE);
    await planTags(app, 'release', post, at, ['Sea']);
    app.clock.advance(MINUTE);
    await trashTerm(app, byCommand, { kind: 'tag', id: sea.id });
    app.clock.advance(MINUTE);
    const other = await createTag(app, { name: 'Sea', slug: 'sea-2' });
    await save(app, { ...other, slug: 'ocean' }, 'Ocean');
    app.clock.advance(MINUTE);
    await restoreTerm(app, byCommand, { kind: 'tag', id: sea.id });
    app.clock.advance(20 * MINUTE);
    await publishDue(app, 'command');
    expect(await tagsOf(app, post.id)).toEqual(['Sea']);
  });

  it('follows a tag whose change is older than the revisions that are kept', async () => {
    const app = getApp();
    await changeSettings(app, { revision_keep_days: '1' });
    const sea = await createTag(app, { name: 'Sea', slug: 'sea' });
    const post = await createPost(app, { intent: 'publish', fields: { title: 'A post' }, editorId });
    const at = new Date(app.clock.now().getTime() + 5000 * MINUTE);
    await planTags(app, 'release', post, at, ['Sea']);
    app.clock.advance(MINUTE);
    await save(app, { ...sea, slug: 'ocean' }, 'Ocean');
    app.clock.advance(4000 * MINUTE);
    await publishDue(app, 'command');
    await forgetTextChanges(app);
    app.clock.advance(2000 * MINUTE);
    await publishDue(app, 'command');
    expect(await tagsOf(app, post.id)).toEqual(['Ocean']);
  });

  it('follows a tag in a rollback that was scheduled after the tag was renamed, long ago', async () => {
    const app = getApp();
    await changeSettings(app, { revision_keep_days: '1' });
    const sea = await createTag(app, { name: 'Sea', slug: 'sea' });
    const fields = { title: 'A post', tags: ['Sea'] };
    const post = await createPost(app, { intent: 'publish', fields, editorId });
    const at = new Date(app.clock.now().getTime() + MINUTE);
    const releaseId = await planTags(app, 'release', post, at, ['Sale']);
    app.clock.advance(MINUTE);
    await publishDue(app, 'command');
    app.clock.advance(MINUTE);
    await save(app, { ...sea, slug: 'ocean' }, 'Ocean');
    app.clock.advance(MINUTE);
    const rollbackAt = new Date(at.getTime() + 5000 * MINUTE);
    await rollBackRelease(app, { id: releaseId!, rollbackAt, by: byCommand });
    app.clock.advance(4000 * MINUTE);
    await publishDue(app, 'command');
    await forgetTextChanges(app);
    const site = await openScratchSite(app, rollbackAt);
    expect(await tagsOf(site.app, post.id)).toEqual(['Ocean']);
    await site.close();
    app.clock.advance(2000 * MINUTE);
    await publishDue(app, 'command');
    expect(await tagsOf(app, post.id)).toEqual(['Ocean']);
  });
});

async function planTags(
  app: TestApp,
  kind: string,
  { id: postId, version }: { id: string; version: number },
  at: Date,
  planned = tags,
): Promise<string | null> {
  const change = { postId, version, fields: { tags: planned }, editorId };
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
