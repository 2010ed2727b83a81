import type { Request, RequestHandler } from 'express';
import type { Env } from '#app/platform/env.server.ts';
import { refuse } from './refuse.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Refuses unsafe requests that come from another site (contract, section 4). A request with neither header passes: it
 * is not from a browser. The internal route has a bearer secret instead.
 */
export function refuseCrossSite(env: Pick<Env, 'siteUrl'>): RequestHandler {
  return (request, response, next) => {
    const isApi = request.path.startsWith('/api/') && !request.path.endsWith('.data');
    // One click of a mail program's page; the address is the secret (RFC 8058).
    const isOneClick = request.path.startsWith('/unsubscribe/');
    if (safeMethods.has(request.method) || isApi) next();
    else if (!isOneClick && isCrossSite(request, env))
      refuse(request, response, 'forbidden', 'This form was sent from another site.');
    else {
      // Remix compares the origin with the host, and throws if a proxy passes on another host than the readers'.
      delete request.headers.origin;
      next();
    }
  };
}

function isCrossSite(request: Request, env: Pick<Env, 'siteUrl'>): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site && site !== 'same-origin' && site !== 'none') return true;
  const origin = request.get('Origin');
  if (!origin) return false;
  // A page that tells nobody its address, such as a preview, sends the forms on it so.
  if (origin === 'null' && site === 'same-origin') return false;
  return origin !== env.siteUrl && origin !== `${request.protocol}://${outerHost(request)}`;
}

// The host that the reader used, with its port, which `req.hostname` lacks. As for that property, the forwarded host
// counts only if the proxy is trusted.
function outerHost(request: Request): string {
  const forwarded = request.get('X-Forwarded-Host');
  const host = request.get('Host') ?? '';
  if (!forwarded) return host;
  const first = forwarded.split(',')[0]!.trim();
  return first.split(':')[0] === request.hostname ? first : host;
}
