import path from 'node:path';
import { createSearchEngine } from '#app/compose.server.ts';
import type { SearchDocument, SearchEngine } from '#app/search/engine.ts';
import { tempFolder } from './temp-folder.ts';
import { startTypesenseStandIn, type TypesenseStandIn } from './typesense-stand-in.ts';

export const engineKinds = ['embedded', 'typesense'] as const;
export type EngineKind = (typeof engineKinds)[number];

/** A separate engine for a test, with the environment variables that name it. */
export interface TestEngine {
  engine: SearchEngine;
  variables: Record<string, string>;
  /** The server behind it, for Typesense. */
  standIn: TypesenseStandIn | null;
  /** The file behind it, for the embedded one. */
  file: string | null;
  /** Another process's engine over the same index. */
  another(): Promise<SearchEngine>;
  close(): Promise<void>;
}

export async function createTestEngine(kind: EngineKind): Promise<TestEngine> {
  const standIn = kind === 'typesense' ? await startTypesenseStandIn() : null;
  const file = standIn ? null : path.join(await tempFolder(), 'search.db');
  const open = () =>
    createSearchEngine(
      standIn ? { kind: 'typesense', nodes: [standIn.url] } : { kind: 'embedded', file: file! },
      {
        apiKey: standIn?.apiKey,
      },
    );
  const opened = [await open()];
  return {
    engine: opened[0]!,
    variables: standIn
      ? { SEARCH_HOST: standIn.url, SEARCH_API_KEY: standIn.apiKey }
      : { SEARCH_HOST: `file:${file}` },
    standIn,
    file,
    async another() {
      const engine = await open();
      opened.push(engine);
      return engine;
    },
    async close() {
      for (const engine of opened) await engine.close();
      await standIn?.stop();
    },
  };
}

let counter = 0;

/** A usual document. Fields that a test does not set are empty or unique. */
export function searchDocument(overrides: Partial<SearchDocument> = {}): SearchDocument {
  counter += 1;
  return {
    id: `00000000-0000-7000-8000-${String(counter).padStart(12, '0')}`,
    slug: `post-${counter}`,
    title: `Untitled ${counter}`,
    excerpt: '',
    body: '',
    category: '',
    tags: [],
    author: '',
    publishedAt: 1_700_000_000 + counter,
    categoryId: '',
    tagIds: [],
    hash: `hash-${counter}`,
    ...overrides,
  };
}
