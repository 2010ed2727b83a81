import type { SearchTarget } from '#app/platform/env.server.ts';
import { createEmbeddedEngine } from './embedded/embedded-engine.server.ts';
import type { SearchEngine } from './engine.ts';
import { createTypesenseEngine } from './typesense/typesense-engine.server.ts';

/** The engine that `SEARCH_HOST` names. It opens nothing before its first use. */
export function createSearchEngine(target: SearchTarget, { apiKey }: { apiKey?: string }): SearchEngine {
  return target.kind === 'typesense'
    ? createTypesenseEngine(target.nodes, apiKey)
    : createEmbeddedEngine(target.file);
}
