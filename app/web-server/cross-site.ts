import type { Request, RequestHandler } from 'express';
import type { Env } from '#app/platform/env.server.ts';
import { refuse } from './refuse.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Refuses unsafe requests that another site made a browser send (contract, section 4). A request with
 * neither header passes: no browser sends that. The internal route has a bearer secret instead.
 */
export function refuseCrossSite(env: Pick<Env, 'siteUrl'>): RequestHandler {
  return (request, response, next) => {
    const isApi = request.path.startsWith('/api/') && !request.path.endsWith('.data');
    if (safeMethods.has(request.method) || isApi) next();
    else if (isCrossSite(request, env))
      refuse(request, response, 'forbidden', 'This form was sent from another site.');
    else if (isOtherHost(request))
      refuse(request, response, 'forbidden', 'The Host header is not the one of this form’s address.');
    else next();
  };
}

/**
 * Remix refuses a form with an error where the host that it sees is not the origin's, as behind a proxy that does not
 * pass the Host header on.
 */
function isOtherHost(request: Request): boolean {
  const origin = request.get('Origin');
  if (!origin || !URL.canParse(origin)) return false;
  const forwarded = request.get('X-Forwarded-Host')?.split(',')[0]?.trim();
  return new URL(origin).host !== (forwarded || request.get('Host'));
}

function isCrossSite(request: Request, env: Pick<Env, 'siteUrl'>): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site && site !== 'same-origin' && site !== 'none') return true;
  const origin = request.get('Origin');
  if (!origin) return false;
  return origin !== env.siteUrl && origin !== `${request.protocol}://${outerHost(request)}`;
}

// `req.hostname` drops the port; the forwarded host counts only where the proxy is trusted, as for it.
function outerHost(request: Request): string {
  const forwarded = request.get('X-Forwarded-Host');
  const host = request.get('Host') ?? '';
  if (!forwarded) return host;
  const first = forwarded.split(',')[0]!.trim();
  return first.split(':')[0] === request.hostname ? first : host;
}
