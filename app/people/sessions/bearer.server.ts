import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError, isAppError } from '#app/platform/errors.ts';
import type { Configured } from '#app/platform/services.ts';

/**
 * Lets a request with the internal secret through (specification, sections 5 and 7).
 * @throws AppError `not_configured` (503) or `unauthorized` (401) with the specification's texts.
 */
export function requireInternalSecret(app: Configured, request: Request): void {
  const secret = app.env.internalCronSecret;
  if (!secret) throw new AppError('not_configured', 'INTERNAL_CRON_SECRET is not configured.');
  const header = request.headers.get('Authorization') ?? '';
  const token = /^Bearer +(.+)$/i.exec(header)?.[1] ?? '';
  // Clients send letters beyond ASCII in Latin-1 or, as curl does, in UTF-8. Node reads Latin-1.
  const readings = [token, Buffer.from(token, 'latin1').toString('utf8')];
  if (!readings.some((reading) => timingSafeEqual(digest(reading), digest(secret))))
    throw new AppError('unauthorized', 'Unauthorized.');
}

/** The header of a 401 response that names the way to authenticate. */
export function bearerChallenge(error: unknown): Record<string, string> {
  return isAppError(error) && error.code === 'unauthorized' ? { 'WWW-Authenticate': 'Bearer' } : {};
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
