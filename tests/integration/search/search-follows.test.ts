import path from 'node:path';
import { expect, it } from 'vitest';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { importFrom } from '#app/import/run/import.server.ts';
import { postFieldNames, postFields, type PostFields } from '#app/posts/fields/fields.ts';
import { createAdministrator, deleteUser, saveProfile } from '#app/publishing/accounts/change.server.ts';
import { changePosts } from '#app/publishing/posts/change-many.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { restoreRevision } from '#app/publishing/posts/restore-revision.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { mergeTags } from '#app/publishing/terms/merge-tags.server.ts';
import { saveTerm } from '#app/publishing/terms/save.server.ts';
import { trashTerm } from '#app/publishing/terms/trash.server.ts';
import { deletePost } from '#app/publishing/trash/purge.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import type { IndexEntry } from '#app/search/engine.ts';
import { addFiles, folderWith } from '#tests/support/content-folders.ts';
import { editorLogin } from '#tests/support/demo-content.ts';
import { createCategory, createTag, createUser } from '#tests/support/factories.ts';
import {
  describeOnBothEngines,
  expectIndexMatches as expectInLineNow,
  found as foundNow,
  type SearchTestApp,
} from '#tests/support/search-app.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const by = { userId: null, actor: 'test', address: '' };
const HOUR_MS = 3_600_000;

describeOnBothEngines('the index right after', (getApp) => {
  const publish = (fields: Partial<PostFields>) =>
    createPost(getApp(), { intent: 'publish', fields, editorId: null });
  const edit = (postId: string, fields: Partial<PostFields>, intent: 'save' | 'archive' | 'draft' = 'save') =>
    editPost(getApp(), { postId, intent, fields, editorId: null });

  it('a publication, an edit and a new address', async () => {
    const app = getApp();
    const post = await publish({ title: 'Morning tide', body: 'A word about herring.' });
    await expectIndexMatches(app, { posts: 1 });
    expect(await found(app, 'herring')).toEqual(['morning-tide']);
    await edit(post.id, { title: 'Evening tide', body: 'A word about mackerel.' });
    await expectIndexMatches(app);
    expect(await found(app, 'herring')).toEqual([]);
    expect(await found(app, 'mackerel evening')).toEqual(['morning-tide']);
    await edit(post.id, { slug: 'tides' });
    expect((await entries(app)).map(({ slug }) => slug)).toEqual(['tides']);
    await expectIndexMatches(app);
  });

  it('a save of the text fields: those are searched that the catalogue says', async () => {
    const app = getApp();
    const post = await publish({ title: 'Before', slug: 'fields' });
    const names = postFieldNames.filter((name) => postFields[name].diff === 'text' && name !== 'slug');
    const wordIn = (name: string) => `${name.toLowerCase()}marker`;
    await edit(post.id, Object.fromEntries(names.map((name) => [name, wordIn(name)])));
    const searched: string[] = [];
    for (const name of names) if ((await found(app, wordIn(name))).length > 0) searched.push(name);
    expect(searched).toEqual(names.filter((name) => postFields[name].search !== null));
    await expectIndexMatches(app, { posts: 1 });
  });

  it('a draft, a schedule, the trigger, and a scheduled archiving', async () => {
    const app = getApp();
    const now = app.clock.now().getTime();
    const later = new Date(now + HOUR_MS);
    const fields = { title: 'Tomorrow’s ferry', publishedAt: later, archiveAt: new Date(now + 3 * HOUR_MS) };
    await createPost(app, { intent: 'draft', fields: { title: 'An idea about ferries' }, editorId: null });
    await createPost(app, { intent: 'schedule', fields, editorId: null });
    expect(await entries(app)).toEqual([]);
    app.clock.advance(2 * HOUR_MS);
    await publishDue(app, 'command');
    expect(await found(app, 'ferry')).toEqual(['tomorrow-s-ferry']);
    await expectIndexMatches(app, { posts: 1 });
    app.clock.advance(2 * HOUR_MS);
    await publishDue(app, 'command');
    expect(await entries(app)).toEqual([]);
    await expectIndexMatches(app, { posts: 0 });
  });

  it('a scheduled update that the trigger applies', async () => {
    const app = getApp();
    const post = await publish({ title: 'Prices of ice', body: 'Old figures.' });
    const changeAt = new Date(app.clock.now().getTime() + HOUR_MS);
    const change = { postId: post.id, version: post.version, changeAt, editorId: null };
    await scheduleUpdate(app, { ...change, fields: { body: 'Brand-new figures.' } });
    expect(await found(app, 'brand-new')).toEqual([]);
    app.clock.advance(2 * HOUR_MS);
    await publishDue(app, 'command');
    expect(await found(app, 'brand-new')).toEqual(['prices-of-ice']);
    await expectIndexMatches(app);
  });

  it('an archiving, a return to draft and a deletion', async () => {
    const app = getApp();
    const [a, b, c] = [
      await publish({ title: 'Leaving one' }),
      await publish({ title: 'Leaving two' }),
      await publish({ title: 'Leaving three' }),
    ];
    await edit(a.id, {}, 'archive');
    await edit(b.id, {}, 'draft');
    expect(await found(app, 'leaving')).toEqual(['leaving-three']);
    await deletePost(app, { postId: c.id });
    expect(await entries(app)).toEqual([]);
    await expectIndexMatches(app, { posts: 0 });
    await changePosts(app, { ids: [a.id, b.id], intent: 'publish', editorId: null });
    await expectIndexMatches(app, { posts: 2 });
  });

  it('a restored revision', async () => {
    const app = getApp();
    const { id } = await publish({ title: 'The pier', body: 'Closed since March.' });
    await edit(id, { body: 'Open since yesterday.' });
    const revisions = await app.db.revision.findMany({ where: { postId: id } });
    const first = revisions.find(({ fields }) => fields.includes('Closed since March'))!;
    await restoreRevision(app, { postId: id, revisionId: first.id, editorId: null });
    expect(await found(app, 'closed march')).toEqual(['the-pier']);
    await expectIndexMatches(app);
  });

  it('a renamed and a deleted category', async () => {
    const app = getApp();
    const category = await createCategory(app, { name: 'Harbour', slug: 'harbour' });
    await publish({ title: 'One boat', categoryId: category.id });
    await edit((await publish({ title: 'A hidden boat', categoryId: category.id })).id, {}, 'archive');
    expect(await found(app, 'harbour')).toEqual(['one-boat']);
    await saveTerm(app, 'category', category.id, { name: 'Seaport', slug: 'harbour', description: '' });
    expect(await found(app, 'seaport')).toEqual(['one-boat']);
    expect(await found(app, 'harbour')).toEqual([]);
    await expectIndexMatches(app, { posts: 1 });
    await trashTerm(app, by, { kind: 'category', id: category.id });
    expect(await found(app, 'seaport')).toEqual([]);
    await expectIndexMatches(app);
  });

  it('a renamed, a merged and a deleted tag', async () => {
    const app = getApp();
    await publish({ title: 'First', tags: ['Trains'] });
    await publish({ title: 'Second', tags: ['Railways', 'Winter'] });
    const tagOf = (slug: string) => app.db.tag.findUniqueOrThrow({ where: { slug } });
    const [trains, railways] = [await tagOf('trains'), await tagOf('railways')];
    await saveTerm(app, 'tag', trains.id, { name: 'Locomotives', slug: 'trains', description: '' });
    expect(await found(app, 'locomotives')).toEqual(['first']);
    expect(await found(app, 'trains')).toEqual([]);
    await mergeTags(app, by, { id: trains.id, intoId: railways.id });
    expect(await found(app, 'locomotives')).toEqual([]);
    expect((await found(app, 'railways')).sort()).toEqual(['first', 'second']);
    await expectIndexMatches(app, { posts: 2 });
    await trashTerm(app, by, { kind: 'tag', id: railways.id });
    expect(await found(app, 'railways')).toEqual([]);
    await expectIndexMatches(app);
  });

  it('a change of an author’s name, and the end of the account', async () => {
    const app = getApp();
    const author = await createUser(app, { displayName: 'Ada Lindqvist', role: 'editor' });
    const { id } = await publish({ title: 'By somebody' });
    await app.db.post.update({ where: { id }, data: { authorId: author.id } });
    await saveProfile(app, by, author.id, { displayName: 'Ada Okonkwo', bio: '' });
    expect(await found(app, 'okonkwo')).toEqual(['by-somebody']);
    await expectIndexMatches(app);
    const heir = await createAdministrator(app, { ...editorLogin, username: 'sam', displayName: 'Samuel' });
    await deleteUser(app, by, { userId: author.id, heirId: heir.id });
    expect(await found(app, 'samuel')).toEqual(['by-somebody']);
    expect(await found(app, 'okonkwo')).toEqual([]);
    await expectIndexMatches(app);
  });

  it('an import of a folder, and the next one of what changed there', async () => {
    const app = getApp();
    const file = (body: string) => `---\ntitle: From a file\ndate: 2026-01-02\n---\n${body}\n`;
    const input = await folderWith({ 'a.md': file('Written elsewhere.') });
    await importFrom(app, { from: 'markdown', input, dryRun: false });
    expect(await found(app, 'elsewhere')).toEqual(['a']);
    await addFiles(input, { 'a.md': file('Rewritten.') });
    await importFrom(app, { from: 'markdown', input, dryRun: false });
    expect(await found(app, 'rewritten')).toEqual(['a']);
    await expectIndexMatches(app, { posts: 1 });
  });

  it.each([false, true])('a restored backup, rebuilding: %s', async (reindexSearch) => {
    const app = getApp();
    const kept = await publish({ title: 'In the backup', body: 'As it was.' });
    await publish({ title: 'Also in the backup', tags: ['Kept'] });
    const inputDir = path.join(await tempFolder(), 'backup');
    await exportBackup(app, { outputDir: inputDir });
    await edit(kept.id, { body: 'As it is now.' });
    await publish({ title: 'Not in the backup' });
    await importBackup(app, { inputDir, force: true, reindexSearch });
    expect((await found(app, 'backup')).sort()).toEqual(['also-in-the-backup', 'in-the-backup']);
    expect(await found(app, 'was')).toEqual(['in-the-backup']);
    await expectIndexMatches(app, { posts: 2 });
    expect(await app.db.searchOutbox.count()).toBe(0);
  });

  it('many changes at once by several processes', async () => {
    const app = getApp();
    const tag = await createTag(app, { name: 'Crowd', slug: 'crowd' });
    const posts = await Promise.all(
      Array.from({ length: 12 }, (_, index) => publish({ title: `Post of many ${index}`, tags: ['Crowd'] })),
    );
    const other = { ...app, search: await app.test.another() };
    await Promise.all([
      ...posts.slice(0, 4).map(({ id }) => edit(id, { body: 'Changed at once.' })),
      ...posts.slice(4, 8).map(({ id }) => edit(id, {}, 'archive')),
      ...posts.slice(8).map(({ id }) => deletePost(other, { postId: id })),
      saveTerm(other, 'tag', tag.id, { name: 'Throng', slug: 'crowd', description: '' }),
      publishDue(other, 'command'),
    ]);
    await expectIndexMatches(app, { posts: 4 });
  });
});

// On a busy machine a save may stop waiting before its drain has ended.
async function expectIndexMatches(app: SearchTestApp, expected?: { posts?: number }): Promise<void> {
  await app.drains.ended();
  await expectInLineNow(app, expected);
}

async function found(app: SearchTestApp, query: string): Promise<string[]> {
  await app.drains.ended();
  return foundNow(app, query);
}

async function entries(app: SearchTestApp): Promise<IndexEntry[]> {
  await app.drains.ended();
  const all: IndexEntry[] = [];
  for await (const entry of app.search.entries()) all.push(entry);
  return all;
}
