import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'vitest';
import type { TestEngine } from './search-engines.ts';

/** Fails if a rebuild has left tables or collections beside the index. */
export async function expectOnlyOneIndex({ file, standIn }: TestEngine): Promise<void> {
  if (standIn) {
    expect([...standIn.collections.keys()]).toEqual([standIn.aliases.get('published_posts')]);
    expect(standIn.collections.has('published_posts')).toBe(false);
    return;
  }
  const db = new BetterSqlite3(file!, { readonly: true });
  const names = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'published\\_posts%' ESCAPE '\\'",
    )
    .pluck()
    .all();
  db.close();
  expect(names).toEqual([]);
}
