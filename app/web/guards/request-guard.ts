import type { ServerBuild } from '@remix-run/node';
import type { Request, RequestHandler } from 'express';
import { publicAddressOf, SITE_PREVIEW } from '#app/platform/http/public-addresses.ts';
import { pathOf } from '#app/platform/http/request-target.ts';
import { branchMatcher } from '#app/web/pages/public-pages.ts';
import { refuse } from './refuse.ts';
import { hasOneHost, isHost, spellingOf } from './spelling.ts';

/** If a client sends more than this after the answer, its connection is closed. */
const DISCARD_MAX_BYTES = 64 * 1024 * 1024;

const methods = new Set(['GET', 'HEAD', 'POST']);
const readMethods = new Set(['GET', 'HEAD']);
/** Methods that the API answers itself, with 405 for a wrong one. Remix fails with any other method. */
const apiMethods = new Set([...methods, 'PUT', 'PATCH', 'DELETE']);

/**
 * Refuses requests before they reach a route: malformed addresses and hosts (400), methods that no route has (405) and
 * other spellings of an address (301 for a public page, else 404).
 */
export function guardRequests(build: ServerBuild): RequestHandler {
  const branchOf = branchMatcher(build);
  return (request, response, next) => {
    response.once('finish', () => discardRest(request));
    const { path, method } = request;
    const isApi = /^\/api(\/|$)/i.test(path);
    const { originalUrl } = request;
    if (!originalUrl.startsWith('/') || hasBackslash(pathOf(originalUrl)) || !isWellFormed(path))
      return refuse(request, response, 'invalid_input', 'The address is malformed.');
    if (!hasValidHost(request)) return refuse(request, response, 'invalid_input', 'The host is malformed.');
    const bare = path.replace(/(?<=[^/])\/+$/, '');
    const branch = branchOf(bare);
    const pattern = branch?.flatMap(({ path: part }) => part || []).join('/') ?? '*';
    const address = publicAddressOf(path);
    // Files of the build have no route.
    const isFile = address !== null && address.route === undefined;
    const allowed = isApi ? apiMethods : isFile ? readMethods : methods;
    if (!allowed.has(method)) {
      const isUnknownApi = isApi && (address === null || address.pattern === 'api/*');
      if (isUnknownApi) return refuse(request, response, 'not_found', 'Not found.');
      // Backend forms are posted. Unknown addresses get the same answer, which therefore does not reveal the backend's
      // path.
      const forms = pattern === '*' && !isFile ? 'GET, HEAD, POST' : 'GET, HEAD';
      response.set('Allow', path.endsWith('/publish-scheduled') ? 'POST' : forms);
      return refuse(request, response, 'method_not_allowed', 'Method not allowed.');
    }
    // Remix would answer with a page's data alone, which no page of this site requests.
    if (path.endsWith('.data') || request.query._data !== undefined)
      return refuse(request, response, 'not_found', 'Not found.');
    // The site's own addresses follow this path, and the address of its home page ends in a slash.
    if (path.startsWith(SITE_PREVIEW)) return next();
    // The backend and stored redirects compare the unchanged address.
    if (pattern === '*') return next();
    const spelling = spellingOf(bare, pattern);
    if (spelling === path) return next();
    const isRead = method === 'GET' || method === 'HEAD';
    const isUpload = pattern === 'uploads/*';
    const isPage = !isUpload && (branch?.some(({ id }) => /^site\/(?!feeds\/)/.test(id)) ?? false);
    // Every known address redirects from its form with a trailing slash; only pages redirect from other spellings.
    if (isRead && (isUpload || !pattern.endsWith('*')) && (isPage || spelling === bare))
      return response.redirect(301, spelling + request.originalUrl.slice(path.length));
    return refuse(request, response, 'not_found', 'Not found.');
  };
}

/** True when there is one host, every host in the headers can be part of an address, and every protocol is http or https. */
function hasValidHost(request: Request): boolean {
  const named = (name: string) => (request.get(name) ?? '').split(',').map((part) => part.trim());
  const hosts = [...named('Host'), ...named('X-Forwarded-Host')].filter((host) => host !== '');
  const protocols = named('X-Forwarded-Proto').filter((protocol) => protocol !== '');
  return (
    hasOneHost(request) && hosts.every(isHost) && protocols.every((protocol) => /^https?$/i.test(protocol))
  );
}

/**
 * Reads and drops the rest of a body that was answered before its end. Browsers send all of it before they read the
 * answer, and the connection can take the next request only afterwards.
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

/**
 * True for a path with a backslash. Remix reads `/admin\login` as `/admin/login`, while a proxy in front that protects
 * `/admin/` does not.
 */
function hasBackslash(path: string): boolean {
  return path.includes('\\');
}

function isWellFormed(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path);
    // A dot segment would make this function and the router see different addresses.
    return !decoded.includes('\0') && !/(^|[/\\])\.\.?([/\\]|$)/.test(decoded);
  } catch {
    return false;
  }
}
