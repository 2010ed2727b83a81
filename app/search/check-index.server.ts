import { readDocumentsAfter } from './document.server.ts';
import { drainMarked } from './drain-marked.server.ts';
import type { SearchApp } from './drain.server.ts';
import { INDEX_NAME } from './engine.ts';

const PAGE = 200;

/** What `search:check-index` prints (contract, section 2). */
export interface IndexCheck {
  indexName: string;
  sourceCount: number;
  indexedCount: number;
  /** Published, but not in the index. */
  missing: number;
  /** In the index with other content than in the database. */
  stale: number;
  /** In the index, but not published. */
  orphaned: number;
  repaired: boolean;
}

/**
 * Compares ids and content hashes of the index with the database; with `repair` brings the differences in line.
 * The counts are those found before the repair.
 * @throws engine errors.
 */
export async function checkIndex(app: SearchApp, { repair }: { repair: boolean }): Promise<IndexCheck> {
  const hashes = new Map<string, string>();
  for await (const { id, hash } of app.search.entries()) hashes.set(id, hash);
  const indexedCount = hashes.size;
  const different: string[] = [];
  let [sourceCount, missing, stale] = [0, 0, 0];
  for (let after = ''; ;) {
    const documents = await readDocumentsAfter(app, after, PAGE);
    if (documents.length === 0) break;
    after = documents.at(-1)!.id;
    sourceCount += documents.length;
    for (const { id, hash } of documents) {
      const indexed = hashes.get(id);
      hashes.delete(id);
      if (indexed === hash) continue;
      if (indexed === undefined) missing += 1;
      else stale += 1;
      different.push(id);
    }
  }
  const orphans = [...hashes.keys()];
  different.push(...orphans);
  const repaired = repair && different.length > 0;
  if (repaired) await drainMarked(app, different);
  return {
    indexName: INDEX_NAME,
    sourceCount,
    indexedCount,
    missing,
    stale,
    orphaned: orphans.length,
    repaired,
  };
}
