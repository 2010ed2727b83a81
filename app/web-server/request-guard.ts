import type { ServerBuild } from '@remix-run/node';
import type { RequestHandler } from 'express';
import { branchMatcher } from './route-branches.ts';

const knownMethods = new Set(['GET', 'HEAD', 'POST']);

/**
 * What no route should have to think about: malformed paths (400), methods nobody serves (405) and a
 * trailing slash on a known path (301).
 */
export function guardRequests(build: ServerBuild): RequestHandler {
  const branchOf = branchMatcher(build);
  const isKnownPath = (path: string) => {
    const leaf = branchOf(path)?.at(-1);
    return leaf !== undefined && !leaf.path?.endsWith('*');
  };
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

function isWellFormed(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path);
    // A dot segment would make one address of it here and another one in the router.
    return !decoded.includes('\0') && !/(^|[/\\])\.\.?([/\\]|$)/.test(decoded);
  } catch {
    return false;
  }
}
