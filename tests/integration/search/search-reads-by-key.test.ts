import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { transactionOptions, type Database } from '#app/platform/database/client.server.ts';
import { readDocuments } from '#app/search/document.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { searchPosts } from '#app/search/search-posts.server.ts';
import { PrismaClient } from '#prisma/sqlite/generated/client.ts';
import { createPosts } from '#tests/support/factories.ts';
import { createSearchApp, type SearchTestApp } from '#tests/support/search-app.ts';

/** A statement of the product, with its values. */
interface Statement {
  sql: string;
  args: unknown[];
}

let app: SearchTestApp;
let watched: PrismaClient;
let statements: Statement[];
let ids: string[];
beforeEach(async () => {
  app = await createSearchApp('embedded', { dialect: 'sqlite' });
  ids = await createPosts(app, 12, { status: 'published', title: 'Lighthouse' });
  await reindexPosts(app, { batchSize: 200 });
  statements = [];
  const factory = new PrismaBetterSqlite3({ url: app.variables.DATABASE_URL! });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = (query) => {
      statements.push({ sql: query.sql, args: query.args });
      return queryRaw(query);
    };
    return adapter;
  };
  watched = new PrismaClient({ adapter: factory, transactionOptions });
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

function planOf({ sql, args }: Statement): string[] {
  const db = new BetterSqlite3(app.variables.DATABASE_URL!.replace(/^file:/, ''), { readonly: true });
  try {
    const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...args) as { detail: string }[];
    return rows.map(({ detail }) => detail);
  } finally {
    db.close();
  }
}
