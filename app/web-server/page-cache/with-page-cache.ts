import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { App } from '#app/app.ts';
import type { Observe } from '#app/web-server/access-log.ts';
import { hsts } from '#app/web-server/security-headers.ts';
import type { ContentWatch } from './content-watch.server.ts';
import type { PageCache } from './page-cache.ts';

/** Puts the page cache before the rest of the server: a hit never reaches it. */
export function withPageCache(
  app: App,
  { cache, watch, observe }: { cache: PageCache; watch: ContentWatch; observe: Observe },
  rest: RequestListener,
): RequestListener {
  return (request, response) => {
    const key = cache.keyOf(request);
    if (key === null) {
      // Every change that this process makes comes by such a request; the next hit must see it.
      if (request.method === 'POST') response.once('finish', () => watch.expire());
      rest(request, response);
      return;
    }
    const requestId = randomUUID();
    const fall = (error: unknown) => {
      app.log.error({ err: error, path: key, requestId }, 'A page could not be answered from the cache');
      if (!response.headersSent) rest(request, response);
      else response.destroy();
    };
    try {
      const answered = cache.answer(key, request, response, (cacheState) => {
        observe({ request, response, requestId, cache: cacheState });
        return { 'x-request-id': requestId, ...hsts(app.env, request) };
      });
      if (answered) answered.catch(fall);
    } catch (error) {
      fall(error);
    }
  };
}
