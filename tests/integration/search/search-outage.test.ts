import { rm, writeFile } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { saveTerm } from '#app/publishing/terms/save.server.ts';
import { deletePost } from '#app/publishing/trash/purge.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { searchPosts } from '#app/search/posts.server.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';
import { crowding } from '#tests/support/processor-time.ts';
import { createSearchApp, expectIndexMatches, found, type SearchTestApp } from '#tests/support/search-app.ts';
import { noFaults, type TypesenseFaults } from '#tests/support/typesense-stand-in.ts';

/** An outage may cost 2 s, by the issue; the rest is for a loaded machine. */
const outageMs = () => 3_500 * crowding();
const HOUR_MS = 3_600_000;

let app: SearchTestApp;
afterEach(() => app?.close());

describe('Typesense, while it', () => {
  beforeEach(async () => {
    app = await createSearchApp('typesense', { dialect: 'sqlite' });
  });

  const outages: [string, Partial<TypesenseFaults>][] = [
    ['is down', { down: true }],
    ['hangs', { delayMs: Infinity }],
    ['takes 1.2 s for an answer', { delayMs: 1_200 }],
    ['refuses the key', { unauthorized: true }],
    ['is not ready', { notReady: true }],
    ['is out of disk', { outOf: 'OUT_OF_DISK' }],
    ['refuses every document', { failingLine: () => 'Field `x` is out of sorts.' }],
  ];
  it.each(outages)('%s: changes go on, and the next trigger brings the index in line', async (_, faults) => {
    const posts = await publishSome(5);
    Object.assign(app.test.standIn!.faults, faults);
    for (const change of changes(posts)) await inTime(change);
    await insertDuePosts(app, 3, () => app.clock.now());
    await inTime(() => publishDue(app, 'command'));
    // A slow engine may have got them behind the saves.
    if (faults.delayMs !== 1_200) expect(await app.db.searchOutbox.count()).toBeGreaterThan(0);
    app.clock.advance(48 * HOUR_MS);
    await inTime(() => publishDue(app, 'command'));
    Object.assign(app.test.standIn!.faults, noFaults());
    await trigger();
    await expectIndexMatches(app, { posts: 7 });
    expect(await app.db.searchOutbox.count()).toBe(0);
    expect(await found(app, 'sea')).toEqual(['sea-view-1']);
  });

  it('loses its data: the next trigger fills it again', async () => {
    await publishSome(3);
    app.test.standIn!.collections.clear();
    await trigger();
    await expectIndexMatches(app, { posts: 3 });
    app.test.standIn!.aliases.clear();
    await trigger();
    await expectIndexMatches(app, { posts: 3 });
    expect(app.test.standIn!.collections.has('published_posts')).toBe(false);
  });

  it('refuses one document, the others go on and it is reported', async () => {
    const [poisoned] = await publishSome(3);
    app.test.standIn!.faults.failingLine = ({ id }) => (id === poisoned ? 'Bad JSON.' : null);
    await insertDuePosts(app, 250, () => app.clock.now());
    await edit(poisoned!, { body: 'Poison.' });
    await trigger();
    const marks = await app.db.searchOutbox.findMany();
    expect(marks).toMatchObject([{ postId: poisoned, lastError: 'Bad JSON.' }]);
    expect(marks[0]!.attempts).toBeGreaterThanOrEqual(2);
    expect(marks[0]!.nextAttemptAt! > app.clock.now()).toBe(true);
    app.test.standIn!.faults.failingLine = () => null;
    // Also without a trigger, once its time has come.
    app.clock.advance(2 * HOUR_MS);
    await createPost(app, { intent: 'publish', fields: { title: 'Another' }, editorId: null });
    await expectIndexMatches(app, { posts: 254 });
  });

  it('shows nothing in an outage that was archived in it, in hits, counts or facets', async () => {
    const [first] = await publishSome(3);
    app.test.standIn!.faults.outOf = 'OUT_OF_DISK';
    await edit(first!, {}, 'archive');
    const ask = { query: 'view', category: null, tag: null, page: 1, perPage: 10 };
    const result = await searchPosts(app, ask);
    expect(result).toMatchObject({ total: 2, fallback: false, tags: [{ slug: 'coast', count: 2 }] });
    app.test.standIn!.faults.down = true;
    expect(await searchPosts(app, ask)).toMatchObject({ total: 2, fallback: true, tags: [] });
  });

  it('finds pages and posts in every language in an outage too, newest first', async () => {
    await changeSettings(app, { site_languages: 'de' }, byCommand);
    const texts = [
      { title: 'The old sea' },
      { title: 'See und sea', language: 'de' },
      { title: 'About the sea', type: 'page' },
      { title: 'The new sea' },
    ] as const;
    for (const fields of texts) {
      app.clock.advance(HOUR_MS);
      await createPost(app, { intent: 'publish', fields, editorId: null });
    }
    app.test.standIn!.faults.down = true;
    expect(await found(app, 'sea')).toEqual(['the-new-sea', '/about-the-sea', 'see-und-sea', 'the-old-sea']);
  });

  it('takes long documents in parts that it manages in time', async () => {
    await publishSome(1);
    app.test.standIn!.faults.down = true;
    const body = 'Long words about much. '.repeat(12_000);
    for (let number = 0; number < 6; number += 1)
      await createPost(app, { intent: 'publish', fields: { title: `Long ${number}`, body }, editorId: null });
    app.test.standIn!.faults.down = false;
    const sizes: number[] = [];
    app.test.standIn!.onImport = async (documents) => void sizes.push(documents.length);
    // One is enough but for a machine that is very busy.
    for (let times = 0; times < 5 && (await app.db.searchOutbox.count()) > 0; times += 1) await trigger();
    await expectIndexMatches(app, { posts: 7 });
    expect(sizes.length).toBeGreaterThanOrEqual(6);
  });
});

describe('the embedded engine, while its file', () => {
  beforeEach(async () => {
    app = await createSearchApp('embedded');
  });

  it('is held by another process: changes go on and follow with the next trigger', async () => {
    const posts = await publishSome(5);
    const other = new BetterSqlite3(app.test.file!);
    other.prepare('BEGIN IMMEDIATE').run();
    await inTime(() => edit(posts[0]!, { body: 'Changed.' }));
    await inTime(() => edit(posts[1]!, {}, 'archive'));
    await inTime(() => publishDue(app, 'command'));
    expect(await found(app, 'view')).toHaveLength(4);
    expect(await app.db.searchOutbox.count()).toBe(2);
    other.prepare('ROLLBACK').run();
    other.close();
    await trigger();
    await expectIndexMatches(app, { posts: 4 });
  });

  it.each([
    ['is deleted', (file: string) => rm(file)],
    ['is damaged', (file: string) => damage(file)],
    ['is another program’s', (file: string) => writeFile(file, 'Shopping list: bread, salt.')],
  ])('%s: the next trigger fills a new one', async (_, spoil) => {
    await publishSome(5);
    await found(app, 'view');
    await spoil(app.test.file!);
    await trigger();
    await expectIndexMatches(app, { posts: 5 });
    expect(await found(app, 'harbout')).toEqual(await found(app, 'harbour'));
  });
});

async function publishSome(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const fields = { title: `Sea view ${number}`, body: 'A harbour.', tags: ['Coast'] };
    ids.push((await createPost(app, { intent: 'publish', fields, editorId: null })).id);
  }
  await expectIndexMatches(app, { posts: count });
  return ids;
}

function edit(postId: string, fields: object, intent: 'save' | 'archive' = 'save') {
  return editPost(app, { postId, intent, fields, editorId: null });
}

/** One of each kind; four of five posts stay, and one of them keeps its words. */
function changes([, b, c, d, e]: string[]): (() => Promise<unknown>)[] {
  return [
    () => edit(b!, { title: 'Something else', body: 'Nothing of it.' }),
    () => edit(c!, { title: 'Another matter' }),
    () => edit(d!, {}, 'archive'),
    () => deletePost(app, { postId: e! }),
    () => createPost(app, { intent: 'publish', fields: { title: 'New in the outage' }, editorId: null }),
    async () => {
      const tag = await app.db.tag.findUniqueOrThrow({ where: { slug: 'coast' } });
      await saveTerm(app, 'tag', tag.id, { name: 'Shore', slug: 'coast', description: '' });
    },
  ];
}

/** One trigger, or two where the machine is so busy that an engine in good health seems slow. */
async function trigger(): Promise<void> {
  const started = performance.now();
  await publishDue(app, 'command');
  if (performance.now() - started > 1_000) await publishDue(app, 'command');
}

async function inTime(work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  expect(performance.now() - started).toBeLessThan(outageMs());
}

async function damage(file: string): Promise<void> {
  const db = new BetterSqlite3(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  await writeFile(file, Buffer.alloc(40_000, 0x5a), { flag: 'r+' });
}
