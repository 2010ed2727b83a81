import type { Db } from '#app/platform/services.ts';
import { readDocumentIdsAfter, readDocumentsAfter } from './document.server.ts';
import type { Searched } from './engine.ts';

const PAGE = 200;

/** How the index differs from the database. */
export interface Comparison {
  sourceCount: number;
  indexedCount: number;
  /** Published, but not in the index. */
  missing: number;
  /** In the index with content that differs from the database. */
  stale: number;
  /** In the index, but not published. */
  orphaned: number;
  /** The posts that are missing, stale or orphaned. */
  different: string[];
}

/** Compares ids and content hashes of the index with the database. @throws engine errors. */
export async function compareIndex(app: Db & Searched): Promise<Comparison> {
  const hashes = new Map<string, string>();
  for await (const { id, hash } of app.search.entries()) hashes.set(id, hash);
  const comparison: Comparison = {
    sourceCount: 0,
    indexedCount: hashes.size,
    missing: 0,
    stale: 0,
    orphaned: 0,
    different: [],
  };
  // In an empty index all posts are missing, so their texts are not needed.
  const readPage = hashes.size === 0 ? readDocumentIdsAfter : readDocumentsAfter;
  for (let after = ''; ;) {
    const documents: { id: string; hash?: string }[] = await readPage(app, after, PAGE);
    if (documents.length === 0) break;
    after = documents.at(-1)!.id;
    comparison.sourceCount += documents.length;
    for (const { id, hash } of documents) {
      const indexed = hashes.get(id);
      hashes.delete(id);
      if (indexed === undefined) comparison.missing += 1;
      else if (indexed === hash) continue;
      else comparison.stale += 1;
      comparison.different.push(id);
    }
  }
  comparison.orphaned = hashes.size;
  comparison.different.push(...hashes.keys());
  return comparison;
}
