import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/node';
import type { App } from '#app/app.ts';
import type { SharedReads } from '#app/platform/shared-reads.ts';
import { branchMatcher, onlyRoutes } from '../route-branches.ts';
import { routeLabel } from '../route-label.ts';
import type { RenderPage } from './page-cache.ts';

/**
 * Renders public pages with Remix, each kind with a handler that knows the routes of its own branch only: Remix
 * goes through all routes several times for each page, which was a fifth of a page's cost (measured).
 */
export function createPageRenderer(app: App, build: ServerBuild, sharedReads?: SharedReads): RenderPage {
  const branchOf = branchMatcher(build);
  const handlers = new Map<string, RequestHandler>();
  return (key, recordKeys) => {
    const url = new URL(app.env.siteUrl + key);
    const label = routeLabel(url.pathname);
    let handler = handlers.get(label);
    if (!handler) {
      // `other` is several kinds of pages.
      const branch = label === 'other' ? null : branchOf(url.pathname);
      const needed = branch ? onlyRoutes(build, new Set(branch.map(({ id }) => id))) : build;
      handler = createRequestHandler(needed, 'production');
      handlers.set(label, handler);
    }
    return handler(new Request(url), { app: { ...app, recordKeys, sharedReads } });
  };
}
