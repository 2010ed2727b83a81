import {
  createRequestHandler,
  type AppLoadContext,
  type RequestHandler,
  type ServerBuild,
} from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import type { App } from '#app/app.ts';
import { publicAddressOf, type PublicAddress } from '#app/platform/http/public-addresses.ts';

interface Route {
  id: string;
  path?: string;
  index?: boolean;
  children?: Route[];
}

/** Matches paths with the routes of a build. Returns the branch from the root to the leaf; null if none matches. */
export function branchMatcher(build: ServerBuild): (path: string) => Route[] | null {
  const tree = treeOf(build);
  return (path) => matchRoutes(tree, path)?.map(({ route }) => route as Route) ?? null;
}

/**
 * The build as if it had only the routes of one address, through which Remix goes several times for each request.
 * @param path an address of the branch, such as `/preview/site/token/`
 */
export function buildOfBranch(build: ServerBuild, path: string): ServerBuild {
  return onlyRoutes(build, branchMatcher(build)(path)!);
}

/** Renders a public page. @param address path and query of a route */
export type RenderPublicPage = (address: string, context: AppLoadContext & { app: App }) => Promise<Response>;

/**
 * The one way to a public page: for the page cache, other methods and queries, views of the site, previews and the site
 * at another instant. Remix renders it with the routes of its own branch only: with all routes, it goes through them
 * several times for each page, which was a fifth of a page's cost (measured).
 */
export function createRenderPublicPage(build: ServerBuild): RenderPublicPage {
  const branchOf = branchMatcher(build);
  const handlers = new Map<PublicAddress | null, RequestHandler>();
  const handlerOf = (path: string) => {
    const address = publicAddressOf(path);
    const known = handlers.get(address);
    if (known) return known;
    const branch = address && branchOf(path);
    const handler = createRequestHandler(branch ? onlyRoutes(build, branch) : build, 'production');
    handlers.set(address, handler);
    return handler;
  };
  return (address, context) => {
    const url = new URL(context.app.env.siteUrl + address);
    return handlerOf(url.pathname)(new Request(url), context);
  };
}

function treeOf(build: ServerBuild): Parameters<typeof matchRoutes>[0] {
  const manifest = Object.values(build.routes).filter((route) => route !== undefined);
  const below = (parentId: string | undefined): Route[] =>
    manifest
      .filter((route) => route.parentId === parentId)
      .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: below(id) }));
  return below(undefined) as Parameters<typeof matchRoutes>[0];
}

/** The build as if it had only these routes. */
function onlyRoutes(build: ServerBuild, routes: Route[]): ServerBuild {
  const ids = new Set(routes.map(({ id }) => id));
  const pick = <Entry>(entries: Record<string, Entry>) =>
    Object.fromEntries(Object.entries(entries).filter(([id]) => ids.has(id)));
  return {
    ...build,
    routes: pick(build.routes),
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  };
}
