import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import { publicAddressOf, type PublicAddress } from '#app/platform/http/public-addresses.ts';
import { wantsScripts } from '#app/ui/wants-scripts.ts';
import { plainPages, replayLoaders, type RenderPlain } from './plain-pages.ts';

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

/** The functions that answer the addresses of one branch. */
export interface BranchHandler {
  answer: RequestHandler;
  /** Absent for files and for pages with scripts. */
  renderPlain?: RenderPlain;
}

/**
 * Handlers of public addresses, each with the routes of its own branch only. With all routes, Remix goes through them
 * several times for each page, which was a fifth of a page's cost (measured).
 */
export function branchHandlers(build: ServerBuild): (path: string) => BranchHandler {
  const branchOf = branchMatcher(build);
  const handlers = new Map<PublicAddress | null, BranchHandler>();
  return (path) => {
    const address = publicAddressOf(path);
    const known = handlers.get(address);
    if (known) return known;
    const branch = address && branchOf(path);
    const handler = branch ? handlerOf(onlyRoutes(build, branch)) : whole(build);
    handlers.set(address, handler);
    return handler;
  };
}

function handlerOf(branch: ServerBuild): BranchHandler {
  const modules = Object.values(branch.routes).map((route) => route?.module);
  const isPlainPage = modules.every(
    (module) => module && 'default' in module && !wantsScripts(module.handle),
  );
  if (!isPlainPage) return whole(branch);
  return {
    ...whole({ ...branch, routes: replayLoaders(branch.routes) }),
    renderPlain: plainPages(branch, treeOf(branch)),
  };
}

function whole(build: ServerBuild): BranchHandler {
  return { answer: createRequestHandler(build, 'production') };
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
