import type { SearchTarget } from '#app/platform/env.server.ts';
import type { SearchEngine } from './engine.ts';

/**
 * The engine that `SEARCH_HOST` names. Opens nothing before its first use. Loads only this engine's code: Typesense's
 * client is a seventh of the processor time of a short command.
 */
export async function createSearchEngine(
  target: SearchTarget,
  { apiKey }: { apiKey?: string },
): Promise<SearchEngine> {
  if (target.kind === 'typesense') {
    const { createTypesenseEngine } = await import('./typesense/engine.server.ts');
    return createTypesenseEngine(target.nodes, apiKey);
  }
  const { createEmbeddedEngine } = await import('./embedded/engine.server.ts');
  return createEmbeddedEngine(target.file);
}
