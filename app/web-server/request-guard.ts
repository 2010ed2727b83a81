import type { ServerBuild } from '@remix-run/node';
import type { Request, RequestHandler } from 'express';
import { branchMatcher } from './route-branches.ts';

/** A client that sends more to an address that has answered already loses its connection. */
const DISCARD_MAX_BYTES = 64 * 1024 * 1024;

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
    response.once('finish', () => discardRest(request));
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

/**
 * Reads and drops what is left of a body that was answered before its end: browsers send all of it before they read
 * the answer, and the connection carries no further request before.
 */
function discardRest(request: Request): void {
  if (request.complete) return;
  let dropped = 0;
  request.removeAllListeners('data');
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > DISCARD_MAX_BYTES) request.socket.destroy();
  });
  request.resume();
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
