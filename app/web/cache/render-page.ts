import type { ServerBuild } from '@remix-run/node';
import type { App } from '#app/app.ts';
import { FEED_PAGE_ROUTE, mayBePage, publicAddressOf } from '#app/platform/http/public-addresses.ts';
import { pathOf } from '#app/platform/http/request-target.ts';
import type { SharedReads } from '#app/platform/http/shared-reads.ts';
import { findAddress, routeOf } from '#app/posts/addresses/find-address.server.ts';
import { publicHeadersWith, type AllowedParts } from '#app/web/guards/security-headers.ts';
import { isMissing, type MissingPage } from '#app/web/pages/missing-page.ts';
import { wholeAnswer, type PageSource } from '#app/web/pages/page-source.ts';
import { branchHandlers } from '#app/web/pages/route-branches.ts';
import { feedOfPage } from './key.ts';

/** Renders public pages with Remix. */
export function createPageSource(
  app: App,
  build: ServerBuild,
  missingPage: MissingPage,
  sharedReads?: SharedReads,
): PageSource {
  const handlerOf = branchHandlers(build);
  return {
    async find(path) {
      const reader = { ...app, sharedReads };
      const siteAddress = await findAddress(reader, path);
      if (!siteAddress) return (await isMissing(reader, path)) ? 'missing' : null;
      return 'route' in siteAddress ? publicAddressOf(siteAddress.route) : null;
    },
    missingPage: (path) => missingPage({ ...app, sharedReads }, path),
    indexVersion() {
      try {
        return app.search.indexVersion?.() ?? null;
      } catch {
        return null;
      }
    },
    async render(key, recordKeys) {
      const reader = { ...app, recordKeys, sharedReads };
      const feed = feedOfPage(key);
      const address = feed ?? key;
      const route = mayBePage(pathOf(address)) ? await routeOf(reader, address) : { address };
      if (!('address' in route) || mayBePage(pathOf(route.address))) return null;
      const url = new URL(app.env.siteUrl + (feed ? FEED_PAGE_ROUTE : '') + route.address);
      let more: AllowedParts | undefined;
      const context = {
        app: reader,
        place: route.place ?? (feed ? { listedIn: '', path: feed } : undefined),
        allow: (parts: AllowedParts) => (more = parts),
        takesGzip: true,
      };
      const handler = handlerOf(url.pathname);
      const request = new Request(url);
      const plain = await handler.renderPlain?.(url, request, context);
      const answer =
        (plain === 'missing' ? await missingPage(reader, pathOf(address)) : plain) ??
        (await wholeAnswer(await handler.answer(request, context)));
      // The feed itself redirects if its term has another address now.
      if (feed && answer.status !== 200) return null;
      if (!more) return answer;
      return { ...answer, headers: { ...answer.headers, ...publicHeadersWith(app.env, more) } };
    },
  };
}
