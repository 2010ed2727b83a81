import type { App } from '#app/app.ts';
import { FEED_PAGE_ROUTE, mayBePage, publicAddressOf } from '#app/platform/http/public-addresses.ts';
import { pathOf } from '#app/platform/http/paths.ts';
import { readShared, type SharedReads } from '#app/platform/http/shared-reads.ts';
import { findAddress, routeOf } from '#app/posts/addresses/find-address.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { publicHeadersWith, type AllowedParts } from '#app/web/guards/security-headers.ts';
import { isMissing, type MissingPage } from '#app/web/pages/missing-page.ts';
import { wholeAnswer, type PageSource, type ResolvedAddress } from '#app/web/pages/page-source.ts';
import type { RenderPublicPage } from '#app/web/pages/public-pages.ts';
import { feedOfPage } from './key.ts';

/** Renders public pages with Remix. */
export function createPageSource(
  app: App,
  renderPage: RenderPublicPage,
  missingPage: MissingPage,
  sharedReads?: SharedReads,
): PageSource {
  /** The route and place of a key. Only a feed in another language has not been resolved before. */
  async function targetOf(reader: App, key: string, resolved: ResolvedAddress | undefined) {
    if (resolved) return { address: resolved.route + key.slice(pathOf(key).length), place: resolved.place };
    const feed = feedOfPage(key);
    if (feed === null) return { address: key };
    const route = mayBePage(feed) ? await routeOf(reader, feed) : { address: feed };
    if (!('address' in route) || mayBePage(route.address)) return null;
    return { address: FEED_PAGE_ROUTE + route.address, place: route.place ?? { listedIn: '', path: feed } };
  }

  return {
    async find(path, recordKeys) {
      const reader = { ...app, recordKeys, sharedReads };
      const found = await findAddress(reader, path);
      if (!found) return (await isMissing(reader, path)) ? 'missing' : null;
      if ('redirect' in found) return null;
      return { kept: publicAddressOf(found.route)?.kept, ...found };
    },
    delivery: (recordKeys) => readShared({ ...app, recordKeys, sharedReads }, 'settings', readSettings),
    missingPage: (path) => missingPage({ ...app, sharedReads }, path),
    indexVersion() {
      try {
        return app.search.indexVersion?.() ?? null;
      } catch {
        return null;
      }
    },
    async render(key, recordKeys, resolved) {
      const reader = { ...app, recordKeys, sharedReads };
      const target = await targetOf(reader, key, resolved);
      if (!target) return null;
      let more: AllowedParts | undefined;
      let isNotFound = false;
      const context = {
        app: reader,
        place: target.place,
        allow: (parts: AllowedParts) => (more = parts),
        takesGzip: true,
      };
      const onMissing = () => (isNotFound = true);
      let page = await renderPage(target.address, { ...context, onMissing });
      if (isNotFound) {
        const missing = await missingPage(reader, pathOf(feedOfPage(key) ?? key));
        if (missing) return feedOfPage(key) === null ? missing : null;
        page = await renderPage(target.address, context);
      }
      // The feed itself redirects if its term has another address now.
      if (feedOfPage(key) !== null && page.status !== 200) return null;
      const answer = await wholeAnswer(page);
      if (!more) return answer;
      return { ...answer, headers: { ...answer.headers, ...publicHeadersWith(app.env, more) } };
    },
  };
}
