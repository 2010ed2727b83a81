import { readFile, writeFile } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { parseEnv } from '#app/platform/env.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { createSearchApp, expectIndexMatches, type SearchTestApp } from '#tests/support/search-app.ts';

let app: SearchTestApp;
afterEach(() => app?.close());

it('a file of another kind that SEARCH_HOST names is renamed, not deleted', async () => {
  app = await createSearchApp('embedded');
  const file = app.test.file!;
  await writeFile(file, 'Shopping list: bread, salt.');
  await createPost(app, { intent: 'publish', fields: { title: 'Sea view' }, editorId: null });
  await publishDue(app, 'command');
  await publishDue(app, 'command');
  await expectIndexMatches(app, { posts: 1 });
  expect(await readFile(`${file}.damaged`, 'utf8')).toBe('Shopping list: bread, salt.');
  await writeFile(file, 'Damaged later.');
  await createPost(app, { intent: 'publish', fields: { title: 'Bay view' }, editorId: null });
  await publishDue(app, 'command');
  await publishDue(app, 'command');
  await expectIndexMatches(app, { posts: 2 });
  expect(await readFile(`${file}.damaged`, 'utf8')).toBe('Shopping list: bread, salt.');
});

it('a database of another program that SEARCH_HOST names keeps its tables', async () => {
  app = await createSearchApp('embedded');
  const db = new BetterSqlite3(app.test.file!);
  db.exec("CREATE TABLE notes_text (word); INSERT INTO notes_text VALUES ('bread')");
  db.close();
  await reindexPosts(app, { batchSize: 10 });
  const after = new BetterSqlite3(app.test.file!);
  expect(after.prepare('SELECT word FROM notes_text').pluck().all()).toEqual(['bread']);
  after.close();
});

it('the file of DATABASE_URL is refused as SEARCH_HOST, however it is written', () => {
  const values = { DATABASE_URL: 'file:./data/site.db', SEARCH_HOST: 'file:data/../data/site.db' };
  expect(() => parseEnv(values, 'command')).toThrow(
    'SEARCH_HOST and DATABASE_URL name the same file; give the search index its own',
  );
});
