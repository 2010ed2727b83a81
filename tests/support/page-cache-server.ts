import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { ContentChanges, type ContentChange } from '#app/web/cache/content-changes.ts';
import { PageCache, type CacheState } from '#app/web/cache/page-cache.ts';
import { wholeAnswer, type PageSource } from '#app/web/pages/page-source.ts';
import { createClient, type Client } from './http-client.ts';

export interface PageCacheServer {
  cache: PageCache;
  client: Client;
  /** Of each answer, in order. */
  states: CacheState[];
  /** The HTTP server in front of the cache. */
  server: Server;
  close(): void;
}

/** The source of a test's pages. */
export type TestPages = Omit<PageSource, 'render' | 'missingPage'> & {
  render: (...asked: Parameters<PageSource['render']>) => Promise<Response | null>;
};

/**
 * A page cache of one megabyte behind a small server, which answers 501 for pages outside the cache and 500 when the
 * cache fails.
 * @param content the result of a check of the database
 */
export async function servePages(
  content: { version: number; changed: ContentChange[] },
  pages: TestPages,
): Promise<PageCacheServer> {
  const changes = new ContentChanges();
  const check = () => {
    changes.take({ version: content.version, since: changes.version, changes: content.changed });
    return content.version;
  };
  const render: PageSource['render'] = async (...asked) => {
    const response = await pages.render(...asked);
    return response && wholeAnswer(response);
  };
  const cache = new PageCache({
    changes,
    watch: { version: check, check },
    source: { ...pages, render, missingPage: async () => null },
    headers: { 'x-content-type-options': 'nosniff' },
    megabytes: 1,
  });
  const states: CacheState[] = [];
  const server = createServer((request, response) => {
    const key = cache.keyOf(request);
    if (key === null) return void response.writeHead(501).end();
    const headers = (state: CacheState) => {
      states.push(state);
      return ['x-request-id', 'one'];
    };
    const answered = cache.answer({ key, request, response, headers });
    Promise.resolve(answered).then(
      (isAnswered) => void (isAnswered || response.writeHead(501).end()),
      () => response.writeHead(500).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = createClient(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  return { cache, client, states, server, close: () => void server.close() };
}
