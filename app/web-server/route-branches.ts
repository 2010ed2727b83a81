import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import { publicAddressOf, type PublicAddress } from '#app/platform/public-addresses.ts';
import { withoutHandoff } from '#app/site/loader-data.ts';
import { wantsScripts } from '#app/ui/wants-scripts.ts';

interface Route {
  id: string;
  path?: string;
  index?: boolean;
  children?: Route[];
}

/** Matches paths with the routes of a build: the branch from the root to the leaf; null where none matches. */
export function branchMatcher(build: ServerBuild): (path: string) => Route[] | null {
  const manifest = Object.values(build.routes).filter((route) => route !== undefined);
  const below = (parentId: string | undefined): Route[] =>
    manifest
      .filter((route) => route.parentId === parentId)
      .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: below(id) }));
  const tree = below(undefined) as Parameters<typeof matchRoutes>[0];
  return (path) => matchRoutes(tree, path)?.map(({ route }) => route as Route) ?? null;
}

/**
 * Handlers of public addresses, each with the routes of its own branch only: Remix goes through all routes several times
 * for each page, which was a fifth of a page's cost (measured).
 */
export function branchHandlers(build: ServerBuild): (path: string) => RequestHandler {
  const branchOf = branchMatcher(build);
  const handlers = new Map<PublicAddress | null, RequestHandler>();
  return (path) => {
    const address = publicAddressOf(path);
    const known = handlers.get(address);
    if (known) return known;
    const branch = address && branchOf(path);
    const needed = branch ? onlyRoutes(build, new Set(branch.map(({ id }) => id))) : build;
    const handler = createRequestHandler(needed, 'production');
    handlers.set(address, handler);
    return handler;
  };
}

/** The build as if it had only these routes. */
function onlyRoutes(build: ServerBuild, ids: Set<string>): ServerBuild {
  const pick = <Entry>(routes: Record<string, Entry>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => ids.has(id)));
  const routes = pick(build.routes);
  const isPlain = !Object.values(routes).some((route) => wantsScripts(route?.module.handle));
  return {
    ...build,
    routes: isPlain ? withoutHandoff(routes) : routes,
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  };
}
