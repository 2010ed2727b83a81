import type { Request, Response } from 'express';
import { errorStatus, type ErrorCode } from '#app/platform/errors.ts';
import { SITE_PREVIEW } from '#app/platform/http/public-addresses.ts';

/** Answers a request before any route gets it: with JSON for the API and for scripts, else with one line of text. */
export function refuse(request: Request, response: Response, code: ErrorCode, message: string): void {
  response.status(errorStatus[code]).set('Cache-Control', 'no-store');
  if (request.path.startsWith(SITE_PREVIEW)) response.set('X-Robots-Tag', 'noindex, nofollow');
  const wantsJson = request.get('Accept')?.includes('application/json') || /^\/api(\/|$)/i.test(request.path);
  if (wantsJson) response.json({ data: null, error: { code, message } });
  else response.type('text/plain').send(`${message}\n`);
}
