import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Env } from '#app/platform/env.server.ts';
import { originOf } from '#app/platform/media-target.server.ts';

/**
 * Policy of an uploaded file: it never runs as a page of this site. A browser plays a film or sound at its own address
 * by loading it once more, which it does only for a page that may be of the site's origin; no script runs in it.
 */
export const uploadPolicy = "default-src 'none'; media-src 'self'; sandbox allow-same-origin";

/** Where browsers may load media from, beside this site. */
type MediaPlaces = Partial<Pick<Env, 'mediaUrl' | 'mediaStore'>>;

/**
 * No inline script or style anywhere but the live editor's; only pages that carry scripts (the backend) have the
 * nonce for both.
 * `Referrer-Policy: same-origin`, since with `no-referrer` a form's `Origin` is `null`.
 */
export function securityHeaders(env: Pick<Env, 'siteUrl'> & MediaPlaces): RequestHandler {
  return (request, response, next) => {
    const scripts = `'self' 'nonce-${response.locals.cspNonce as string}'`;
    const headers = {
      ...commonHeaders,
      'content-security-policy': policy(scripts, env, scripts),
    };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const [name, value] = hsts(env, request);
    if (name !== undefined && value !== undefined) response.setHeader(name, value);
    next();
  };
}

const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), interest-cohort=()',
  'cross-origin-opener-policy': 'same-origin',
};

/** The same for public pages, which run no script and so can be cached whole. */
export function publicPageHeaders(env: MediaPlaces): OutgoingHttpHeaders {
  return { ...commonHeaders, 'content-security-policy': policy("'none'", env) };
}

/** What a public page may hold that others may not. */
export interface AllowedParts {
  /** Origins of frames that readers can open. */
  frames: string[];
  /** The script of its copy buttons. */
  scripts: boolean;
}

/** The headers of a public page that may hold more than others. */
export function publicHeadersWith(
  env: MediaPlaces,
  { frames, scripts }: AllowedParts,
): Record<string, string> {
  const own = policy("'none'", env, "'self'", frames);
  const allowed = scripts ? own.replace("script-src 'none'", "script-src 'self'") : own;
  return { ...commonHeaders, 'content-security-policy': allowed };
}

/** Lets pages of this site, and nobody else, show the answer in a frame. */
export function allowOwnFrames(response: Response): void {
  const own = String(response.getHeader('content-security-policy')).replace(
    "frame-ancestors 'none'",
    "frame-ancestors 'self'",
  );
  response.setHeader('content-security-policy', own);
  response.setHeader('x-frame-options', 'SAMEORIGIN');
}

/** HSTS, name and value, where the outside is HTTPS, as `AUTH_URL` and the proxy's `X-Forwarded-Proto` say. */
export function hsts(env: Pick<Env, 'siteUrl'>, request: IncomingMessage): readonly string[] {
  const outside = request.headers['x-forwarded-proto'];
  if (!env.siteUrl.startsWith('https:') || (outside !== undefined && outside !== 'https')) return [];
  return ['strict-transport-security', 'max-age=31536000; includeSubDomains'];
}

function policy(
  scripts: string,
  places: MediaPlaces,
  styles = "'self'",
  frames: readonly string[] = [],
): string {
  const media = plainOrigins(places);
  return [
    "default-src 'none'",
    `img-src 'self' data: https:${media}`,
    `media-src 'self' https:${media}`,
    `style-src ${styles}`,
    `script-src ${scripts}`,
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Previews of the site in the backend; what a public page embeds.
    ...(scripts === "'none'" ? [] : ["frame-src 'self'"]),
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
  ].join('; ');
}

/** Origins of media in an own network: every other one is HTTPS, which the policy allows as a whole. */
function plainOrigins({ mediaUrl, mediaStore }: MediaPlaces): string {
  const bucket = mediaStore?.kind === 's3' && mediaStore.redirect ? originOf(mediaStore) : undefined;
  return [mediaUrl, bucket]
    .flatMap((address) => (address?.startsWith('http:') ? [` ${new URL(address).origin}`] : []))
    .join('');
}
