import type { ServerBuild } from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import type { RequestHandler } from 'express';

const knownMethods = new Set(['GET', 'HEAD', 'POST']);

/**
 * What no route should have to think about: malformed paths (400), methods nobody serves (405) and a
 * trailing slash on a known path (301).
 */
export function answerOddRequests(build: ServerBuild): RequestHandler {
  const isKnownPath = knownPaths(build);
  return (request, response, next) => {
    const path = request.path;
    if (!isWellFormed(path)) {
      response.status(400).type('text/plain').send('The address is malformed.\n');
      return;
    }
    if (!knownMethods.has(request.method) && !path.startsWith('/api/')) {
      response.status(405).set('Allow', 'GET, HEAD').type('text/plain').send('Method not allowed.\n');
      return;
    }
    // Remix takes every other method for a form that a page's own script sends.
    if (path.endsWith('.data') && request.method !== 'GET' && request.method !== 'POST') {
      response.status(405).set('Allow', 'GET, POST').type('text/plain').send('Method not allowed.\n');
      return;
    }
    if (path.length > 1 && path.endsWith('/') && (request.method === 'GET' || request.method === 'HEAD')) {
      const bare = path.replace(/\/+$/, '');
      if (bare !== '' && !bare.startsWith('//') && isKnownPath(bare)) {
        response.redirect(301, bare + request.originalUrl.slice(path.length));
        return;
      }
    }
    next();
  };
}

/** True for a path that a route of its own serves, not a splat. */
function knownPaths(build: ServerBuild): (path: string) => boolean {
  const manifest = Object.values(build.routes).filter((route) => route !== undefined);
  type Node = { id: string; path?: string; index?: boolean; children?: Node[] };
  const below = (parentId: string | undefined): Node[] =>
    manifest
      .filter((route) => route.parentId === parentId)
      .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: below(id) }));
  const tree = below(undefined);
  return (path) => {
    const match = matchRoutes(tree as Parameters<typeof matchRoutes>[0], path)?.at(-1);
    return Boolean(match) && !match!.route.path?.endsWith('*');
  };
}

function isWellFormed(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path);
    // A dot segment would make one address of it here and another one in the router.
    return !decoded.includes('\0') && !/(^|[/\\])\.\.?([/\\]|$)/.test(decoded);
  } catch {
    return false;
  }
}
