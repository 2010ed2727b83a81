import type { ServerBuild } from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';

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

/** The build as if it had only these routes. */
export function onlyRoutes(build: ServerBuild, ids: Set<string>): ServerBuild {
  const pick = <Entry>(routes: Record<string, Entry>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => ids.has(id)));
  return {
    ...build,
    routes: pick(build.routes),
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  };
}
