import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { App } from '#app/app.ts';
import { outageReason } from '#app/platform/database/failure.server.ts';
import { mayBePage } from '#app/platform/http/public-addresses.ts';
import { pathOf, withoutOrigin } from '#app/platform/http/paths.ts';
import type { Observe, Observed } from '#app/web/guards/access-log.ts';
import { answerUnavailable, watchRequest, type OutageGuard } from '#app/web/guards/outages.ts';
import { hsts } from '#app/web/guards/security-headers.ts';
import type { ContentWatch } from './content-changes.ts';
import type { CacheState, PageCache, Visit } from './page-cache.ts';

/** Cached pages are shown for this long after the last successful check, while the database is down. */
const STALE_MAX_MS = 10 * 60_000;

interface Parts {
  cache: PageCache;
  watch: ContentWatch;
  observe: Observe;
  guard: OutageGuard;
}

/** Puts the page cache before the rest of the server, which a hit never reaches. */
export function withPageCache(
  app: App,
  { cache, watch, observe, guard }: Parts,
  rest: RequestListener,
): RequestListener {
  const ownHeaders = ({ request, requestId }: Observed) => [
    'x-request-id',
    requestId,
    ...hsts(app.env, request),
  ];

  function answerWhileDown(visit: Visit, logged: Observed): void {
    const { key, request, response } = visit;
    if (watch.checkAge() < STALE_MAX_MS && cache.answerStale(visit)) return;
    // Without the database, only the listed addresses are known to be public.
    if (mayBePage(pathOf(key))) return rest(request, response);
    observe(logged);
    answerUnavailable(request, response, ownHeaders(logged));
  }

  async function answerFailure(error: unknown, visit: Visit, logged: Observed): Promise<void> {
    const { key, request, response } = visit;
    const reason = outageReason(error);
    app.log.error(
      {
        ...(reason === null ? { err: error } : { reason }),
        path: pathOf(key),
        requestId: logged.requestId,
      },
      'A page could not be answered from the cache',
    );
    if (reason !== null) await guard.check();
    if (response.headersSent) response.destroy();
    else if (guard.isDown()) answerWhileDown(visit, logged);
    else rest(request, response);
  }

  return (request, response) => {
    request.url = withoutOrigin(request.url ?? '');
    const key = cache.keyOf(request);
    if (key === null) {
      // Every change of this process comes from such a request, and the next hit must reflect it. An answer whose client
      // has gone is never finished.
      if (request.method === 'POST')
        for (const event of ['finish', 'close']) response.once(event, () => watch.expire());
      rest(request, response);
      return;
    }
    const logged: Observed = { request, response, requestId: randomUUID() };
    const headers = (cacheState: CacheState) => {
      logged.cache = cacheState;
      observe(logged);
      return ownHeaders(logged);
    };
    const visit = { key, request, response, headers };
    if (guard.isDown()) {
      answerWhileDown(visit, logged);
      return;
    }
    try {
      const answered = cache.answer(visit);
      if (answered === true) return;
      if (answered === false) rest(request, response);
      else {
        watchRequest(response, guard);
        answered.then(
          (isAnswered) => {
            if (!isAnswered) rest(request, response);
          },
          (error: unknown) => void answerFailure(error, visit, logged),
        );
      }
    } catch (error) {
      void answerFailure(error, visit, logged);
    }
  };
}
