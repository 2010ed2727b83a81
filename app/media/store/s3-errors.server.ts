import type { IncomingHttpHeaders } from 'node:http';
import { systemClock } from '#app/platform/clock.ts';
import { AppError, isAppError, messageOf } from '#app/platform/errors.ts';
import { addressOf, type S3Target } from '#app/platform/media-target.server.ts';

/** An error answer of a store. */
export class S3Refusal extends Error {
  readonly status: number;
  /** S3's own word, such as `SlowDown`. */
  readonly code: string;
  readonly retryAfterMs?: number;

  constructor(status: number, code: string, retryAfterMs?: number) {
    super(`${status}${code && ` ${code}`}`);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** True for a missing key, false for a missing bucket. */
  get isMissing(): boolean {
    return this.status === 404 && this.code !== 'NoSuchBucket';
  }
}

/** True for a temporary failure: the same request may succeed a moment later. */
export function isTemporary(error: unknown): boolean {
  if (isAppError(error)) return false;
  if (!(error instanceof S3Refusal)) return true;
  return error.status === 429 || error.status >= 500 || error.code === 'RequestTimeout';
}

/** The meaning of an error answer: what the operator can do, or a temporary failure. */
export function refusalOf(
  target: S3Target,
  request: { method: string; path?: string },
  response: { statusCode?: number; headers: IncomingHttpHeaders },
  body: string,
): Error {
  const status = response.statusCode ?? 0;
  const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(body)?.[1] ?? '';
  // A bucket that is missing has a code of its own.
  if (status === 404 && request.path === undefined && code !== 'NoSuchBucket')
    return notS3(target, new S3Refusal(status, code));
  const advice = adviceFor(target, status, code, response.headers);
  if (advice)
    return new AppError('unavailable', `${addressOf(target)}: ${advice}`, {
      cause: new S3Refusal(status, code),
    });
  const seconds = Number(response.headers['retry-after']);
  return new S3Refusal(status, code, Number.isFinite(seconds) ? seconds * 1000 : undefined);
}

/** The store failed all attempts. */
export function unreachable(target: S3Target, error: unknown): AppError {
  const what =
    error instanceof S3Refusal
      ? `the store answers ${error.message}`
      : `the store cannot be reached (${messageOf(error)})`;
  return new AppError('unavailable', `${addressOf(target)}: ${what}.`, { retryAfter: 30, cause: error });
}

/** Something else answers at the endpoint, such as the store's console or a proxy. */
export function notS3(target: S3Target, cause: unknown): AppError {
  const message = `${addressOf(target)}: what answers at ${target.endpoint} is not S3. Correct endpoint.`;
  return new AppError('unavailable', message, { cause });
}

function adviceFor(
  target: S3Target,
  status: number,
  code: string,
  headers: IncomingHttpHeaders,
): string | null {
  if (code === 'NoSuchBucket')
    return `the bucket ${target.bucket} does not exist. Create it, or correct the address.`;
  if (status === 301 || status === 307 || code === 'AuthorizationHeaderMalformed') {
    const region = headers['x-amz-bucket-region'];
    return `the bucket is in another region${region ? `: ${String(region)}` : ''}. Correct region and endpoint.`;
  }
  if (status !== 401 && status !== 403) return null;
  const skew = skewOf(headers);
  if (code === 'RequestTimeTooSkewed' || Math.abs(skew) > 15 * 60)
    return `this host's clock differs from the store's by ${Math.round(Math.abs(skew) / 60)} minutes. Set it right.`;
  if (code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch')
    return `the store refuses the credentials (${code}). Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`;
  return `access is denied (${status}${code && ` ${code}`}). Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the key's rights to the bucket.`;
}

/** Seconds by which the store's clock is ahead of this one. */
function skewOf(headers: IncomingHttpHeaders): number {
  const theirs = Date.parse(headers.date ?? '');
  return Number.isNaN(theirs) ? 0 : (theirs - systemClock.now().getTime()) / 1000;
}
