import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { App } from '#app/app.ts';
import { checkIndex } from '#app/search/reindex.server.ts';
import { searchPosts } from '#app/search/posts.server.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { dialects } from './databases.ts';
import { createTestEngine, engineKinds, type EngineKind, type TestEngine } from './search-engines.ts';

/** An app over one of the engines, and what belongs to the engine: `test.standIn` has the faults. */
export interface SearchTestApp extends TestApp {
  test: TestEngine;
}

/** Each engine on another database if the run has both: engines do not depend on the database. */
const databaseOf = { embedded: 'sqlite', typesense: dialects.at(-1)! } as const;

/** Builds an `App` with its own engine. */
export async function createSearchApp(
  kind: EngineKind,
  options: TestAppOptions = {},
): Promise<SearchTestApp> {
  const test = await createTestEngine(kind);
  const variables = { ...test.variables, ...options.variables };
  const app = await createTestApp({ dialect: databaseOf[kind], ...options, variables });
  return {
    ...app,
    test,
    async close() {
      await app.close();
      await test.close();
    },
  };
}

/** Runs the same tests on both engines, each test with a new app: `getApp()` inside a test. */
export function describeOnBothEngines(
  name: string,
  body: (getApp: () => SearchTestApp, kind: EngineKind) => void,
): void {
  describe.each(engineKinds)(`${name} (%s)`, (kind) => {
    let app: SearchTestApp | undefined;
    beforeEach(async () => {
      app = await createSearchApp(kind);
    });
    afterEach(async () => {
      await app?.close();
      app = undefined;
    });
    body(() => app!, kind);
  });
}

/** Fails unless the index equals the database. */
export async function expectIndexMatches(app: App, expected: { posts?: number } = {}): Promise<void> {
  const { sourceCount, missing, stale, orphaned } = await checkIndex(app, { repair: false });
  expect({ missing, stale, orphaned }).toEqual({ missing: 0, stale: 0, orphaned: 0 });
  if (expected.posts !== undefined) expect(sourceCount).toBe(expected.posts);
}

/** Slugs of what readers find, best first. */
export async function found(app: App, query: string): Promise<string[]> {
  const { hits } = await searchPosts(app, { query, category: null, tag: null, page: 1, perPage: 50 });
  return hits.map(({ post }) => post.slug);
}
