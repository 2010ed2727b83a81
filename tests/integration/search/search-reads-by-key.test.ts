import type { SqlQuery } from '@prisma/driver-adapter-utils';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '#app/platform/database/client.server.ts';
import { readDocuments } from '#app/search/document.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { searchPosts } from '#app/search/posts.server.ts';
import { createPosts } from '#tests/support/factories.ts';
import { recordDatabase } from '#tests/support/recorded-database.ts';
import { createSearchApp, type SearchTestApp } from '#tests/support/search-app.ts';

let app: SearchTestApp;
let watched: Database;
let statements: SqlQuery[];
let ids: string[];
beforeEach(async () => {
  app = await createSearchApp('embedded', { dialect: 'sqlite' });
  ids = await createPosts(app, 12, { status: 'published', title: 'Lighthouse' });
  await reindexPosts(app, { batchSize: 200 });
  const recorded = recordDatabase(app.variables.DATABASE_URL!);
  watched = recorded.db;
  statements = recorded.recording.queries;
});
afterEach(async () => {
  await watched.$disconnect();
  await app.close();
});

// Without ANALYZE the plan does not depend on how many posts there are.
it.each<[string, (db: Database) => Promise<unknown>]>([
  ['the hits of a search', (db) => searchPosts({ ...app, db }, ask)],
  ['the documents of changed posts', (db) => readDocuments({ db }, ids)],
])('%s are read by primary key', async (_, read) => {
  await read(watched);
  const plans = statements.filter(({ sql }) => /\b(main`\.`posts|FROM posts)\b/.test(sql)).map(planOf);
  expect(plans.length).toBeGreaterThan(0);
  const steps = plans.flat().filter((step) => /\bposts\b/.test(step));
  expect(steps.filter((step) => !/SEARCH .*\(id=\?\)/.test(step))).toEqual([]);
});

const ask = { query: 'lighthouse', category: null, tag: null, page: 1, perPage: 10 };

function planOf({ sql, args }: SqlQuery): string[] {
  const db = new BetterSqlite3(app.variables.DATABASE_URL!.replace(/^file:/, ''), { readonly: true });
  try {
    const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...args) as { detail: string }[];
    return rows.map(({ detail }) => detail);
  } finally {
    db.close();
  }
}
