import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Env } from '#app/platform/env.server.ts';
import { originOf } from '#app/platform/media-target.server.ts';

/**
 * The policy of an uploaded file: it never runs as a page of this site. To play a film or sound at its own address, a
 * browser loads it once more, and only if the page has the site's origin. No script runs in it.
 */
export const uploadPolicy = "default-src 'none'; media-src 'self'; sandbox allow-same-origin";

/** Origins besides this site from which browsers may load media. */
type MediaEnv = Partial<Pick<Env, 'mediaUrl' | 'mediaStore'>>;

/**
 * Forbids inline scripts and styles, except the live editor's: they need the nonce, which only pages with scripts (the
 * backend) have. `Referrer-Policy` is `same-origin`, because with `no-referrer` the `Origin` of a form is `null`.
 */
export function securityHeaders(env: Pick<Env, 'siteUrl'> & MediaEnv): RequestHandler {
  return (request, response, next) => {
    const scripts = `'self' 'nonce-${response.locals.cspNonce}'`;
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

/** The same for public pages. They run no script, so they can be cached whole. */
export function publicPageHeaders(env: MediaEnv): OutgoingHttpHeaders {
  return { ...commonHeaders, 'content-security-policy': policy("'none'", env) };
}

/** What a public page may contain that others may not. */
export interface AllowedParts {
  /** Origins of frames that readers can open. */
  frames: string[];
  /** The script of its copy buttons. */
  scripts: boolean;
}

/** The headers of a public page with these parts. */
export function publicHeadersWith(env: MediaEnv, { frames, scripts }: AllowedParts): Record<string, string> {
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

/** Lets the answer show a mail as a mail program would: with styles of its own, and frames that inherit this. */
export function allowMail(response: Response): void {
  const policy =
    "default-src 'none'; img-src 'self' data: http: https:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  response.setHeader('content-security-policy', policy);
}

/**
 * The name and value of HSTS, if the public address is HTTPS according to `AUTH_URL` and the proxy's
 * `X-Forwarded-Proto`.
 */
export function hsts(env: Pick<Env, 'siteUrl'>, request: IncomingMessage): readonly string[] {
  const outside = request.headers['x-forwarded-proto'];
  if (!env.siteUrl.startsWith('https:') || (outside !== undefined && outside !== 'https')) return [];
  return ['strict-transport-security', 'max-age=31536000; includeSubDomains'];
}

function policy(
  scripts: string,
  mediaEnv: MediaEnv,
  styles = "'self'",
  frames: readonly string[] = [],
): string {
  const media = plainOrigins(mediaEnv);
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
    // For previews of the site in the backend, and for embeds of a public page.
    ...(scripts === "'none'" ? [] : ["frame-src 'self'"]),
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
  ].join('; ');
}

/** Origins of media in a private network. Every other origin is HTTPS, which the policy allows as a whole. */
function plainOrigins({ mediaUrl, mediaStore }: MediaEnv): string {
  const bucket = mediaStore?.kind === 's3' && mediaStore.redirect ? originOf(mediaStore) : undefined;
  return [mediaUrl, bucket]
    .flatMap((address) => (address?.startsWith('http:') ? [` ${new URL(address).origin}`] : []))
    .join('');
}
