import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import type { Configured } from '#app/platform/services.ts';
import { readDevice } from '#app/people/sessions/known-device.server.ts';
import { networkOf } from '#app/platform/http/network-address.server.ts';
import { refuse } from './request-guard.ts';

/** Refusals in a row that are whole pages, for somebody who mistypes. */
const TOLERATED = 5;
/** After these, how long a refusal is repeated without a new check. */
const REPEAT_MS = 2_000;
const ADDRESSES_MAX = 10_000;
const FORGET_MS = 60_000;

interface Refused {
  count: number;
  at: number;
  retryAfter: number;
}

/**
 * Refuses a form for two seconds without a check after it was refused with 429 several times, so that a flood of
 * guesses costs little. Known devices pass, because the right password of a known device must always be accepted.
 */
export function limitRequestRate(app: Configured): RequestHandler {
  const refused = new LRUCache<string, Refused>({ max: ADDRESSES_MAX, ttl: FORGET_MS });
  return async (request, response, next) => {
    if (request.method !== 'POST' || request.path.startsWith('/api/')) return next();
    const key = `${networkOf(request.ip ?? '')} ${request.path}`;
    const earlier = refused.get(key);
    const age = performance.now() - (earlier?.at ?? -Infinity);
    if (earlier && earlier.count >= TOLERATED && age < REPEAT_MS) {
      const device = await readDevice(app, request.get('Cookie'));
      if (!device) {
        const wait = Math.max(1, Math.ceil(earlier.retryAfter - age / 1000));
        response.set('Retry-After', String(wait));
        refuse(request, response, 'too_many_requests', `Too many attempts. Try again in ${wait} seconds.`);
        return;
      }
    }
    response.once('finish', () => {
      if (response.statusCode < 400) refused.delete(key);
      if (response.statusCode !== 429) return;
      const count = (refused.get(key)?.count ?? 0) + 1;
      const retryAfter = Number(response.getHeader('Retry-After')) || 1;
      refused.set(key, { count, at: performance.now(), retryAfter });
    });
    next();
  };
}
