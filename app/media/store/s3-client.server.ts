import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { systemClock } from '#app/platform/clock.ts';
import { AppError, isAppError, messageOf } from '#app/platform/errors.ts';
import { chunksOf } from '#app/platform/files/chunks.ts';
import { addressOf, type S3Target, originOf } from '#app/platform/media-target.server.ts';

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
function isTemporary(error: unknown): boolean {
  if (isAppError(error)) return false;
  if (!(error instanceof S3Refusal)) return true;
  return error.status === 429 || error.status >= 500 || error.code === 'RequestTimeout';
}

/** The meaning of an error answer: what the operator can do, or a temporary failure. */
function refusalOf(
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

const CONNECT_MS = 3_000;
/** A request fails when nothing has been sent or received for this time. */
const IDLE_MS = 15_000;
const ATTEMPTS = 5;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 5_000;
/** Connections at a time. Each download keeps one until it ends, which takes long for a slow reader. */
const SOCKETS = 256;
/** More than any error page or listing of 1,000 keys. */
const LARGEST_TEXT = 4 * 1024 * 1024;
/** Signed addresses stay the same for so long, so that browsers keep the file; they are valid three times as long. */
const SIGNED_MS = 10 * 60 * 1_000;
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** One S3 request. */
export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Below the store's prefix; undefined for the bucket itself. */
  path?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  content?: { bytes: number; sha256: string; open(): Readable };
}

export interface S3Limits {
  connectMs?: number;
  idleMs?: number;
  attempts?: number;
  firstWaitMs?: number;
}

/** Signed requests to one bucket, with time-outs and bounded retries. */
export class S3Client {
  readonly target: S3Target;
  private readonly agent: http.Agent;
  private readonly limits: Required<S3Limits>;
  private readonly keys = new Map<string, ArrayBuffer>();

  constructor(target: S3Target, limits: S3Limits = {}) {
    this.target = target;
    this.agent = new (target.endpoint.startsWith('https:') ? https : http).Agent({
      keepAlive: true,
      maxSockets: SOCKETS,
    });
    this.limits = {
      connectMs: CONNECT_MS,
      idleMs: IDLE_MS,
      attempts: ATTEMPTS,
      firstWaitMs: FIRST_WAIT_MS,
      ...limits,
    };
  }

  /**
   * Sends a request until it is answered, and gives the answer's headers with a body that must be read or destroyed.
   * @throws AppError `unavailable` with what to do; S3Refusal for a missing key
   */
  async send(request: S3Request): Promise<http.IncomingMessage> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.sendOnce(request);
      } catch (error) {
        if (attempt >= this.limits.attempts || !isTemporary(error))
          throw isFinal(error) ? error : unreachable(this.target, error);
        await sleep(waitBefore(attempt, this.limits.firstWaitMs, error));
      }
    }
  }

  /** Sends a request and reads its small answer. */
  async text(request: S3Request): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.send(request);
      try {
        return await readText(response);
      } catch (error) {
        if (attempt >= this.limits.attempts) throw unreachable(this.target, error);
      }
    }
  }

  /** An address that reads a file for 20 to 30 minutes, without credentials. */
  async signedAddress(path: string, query: Record<string, string>): Promise<string> {
    const url = this.addressOf(path, { ...query, 'X-Amz-Expires': String((3 * SIGNED_MS) / 1_000) });
    const from = new Date(Math.floor(systemClock.now().getTime() / SIGNED_MS) * SIGNED_MS);
    const datetime = from.toISOString().replace(/[:-]|\.\d{3}/g, '');
    const signed = await this.signer({ method: 'GET', url: url.href, signQuery: true, datetime }).sign();
    return signed.url.href;
  }

  close(): void {
    this.agent.destroy();
  }

  private async sendOnce(request: S3Request): Promise<http.IncomingMessage> {
    const { url, headers } = await this.sign(request);
    const { request: open } = url.protocol === 'https:' ? https : http;
    const call = open(url, { method: request.method, headers, agent: this.agent });
    const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
      call.once('response', resolve);
      call.on('error', reject);
    });
    limitTime(call, this.limits);
    const sent = request.content ? pipeline(request.content.open(), call) : call.end() && Promise.resolve();
    const broken = sent.then(
      () => undefined,
      (error: unknown) => error,
    );
    const response = await answered.catch(async (error: unknown) => {
      const cause = await broken;
      throw isAppError(cause) ? cause : error;
    });
    if (response.statusCode! < 300) return response;
    const text = await readText(response).catch(() => '');
    call.destroy();
    throw refusalOf(this.target, request, response, text);
  }

  private async sign({ method, path = '', query = {}, headers = {}, content }: S3Request) {
    const url = this.addressOf(path, query);
    const hash = { 'x-amz-content-sha256': content?.sha256 ?? EMPTY_SHA256 };
    const signed = await this.signer({ method, url: url.href, headers: { ...headers, ...hash } }).sign();
    const length = content ? { 'content-length': String(content.bytes) } : {};
    return { url: signed.url, headers: { ...Object.fromEntries(signed.headers), ...length } };
  }

  private signer(request: Signed): AwsV4Signer {
    const { accessKeyId, secretAccessKey, region } = this.target;
    return new AwsV4Signer({
      ...{ accessKeyId, secretAccessKey, region, service: 's3', cache: this.keys },
      ...request,
    });
  }

  private addressOf(path: string, query: Record<string, string>): URL {
    const { target } = this;
    const url = new URL(originOf(target));
    const key = path === '' ? '' : encodeKey(target.prefix + path);
    url.pathname = target.pathStyle ? `/${target.bucket}/${key}` : `/${key}`;
    // Must equal the signed query.
    url.search = Object.entries(query)
      .map(([name, value]) => `${name}=${encodeStrictly(value)}`)
      .join('&');
    return url;
  }
}

type Signed = Pick<
  ConstructorParameters<typeof AwsV4Signer>[0],
  'method' | 'url' | 'headers' | 'signQuery' | 'datetime'
>;

function limitTime(call: http.ClientRequest, limits: Required<S3Limits>): void {
  const give = (what: string) => () => call.destroy(new Error(what));
  call.setTimeout(limits.idleMs, give(`no answer for ${limits.idleMs / 1000} s`));
  call.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(give(`no connection after ${limits.connectMs / 1000} s`), limits.connectMs);
    const clear = () => clearTimeout(timer);
    socket.once('connect', clear).once('close', clear);
  });
}

async function readText(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(response)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > LARGEST_TEXT) throw new Error('an answer was too long');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function waitBefore(attempt: number, firstWaitMs: number, error: unknown): number {
  const retryAfterMs = error instanceof S3Refusal ? (error.retryAfterMs ?? 0) : 0;
  // Random, so that hosts that were refused together do not retry together.
  const doubled = firstWaitMs * 2 ** (attempt - 1) * (0.5 + Math.random());
  return Math.min(LONGEST_WAIT_MS, Math.max(retryAfterMs, doubled));
}

function isFinal(error: unknown): boolean {
  return isAppError(error) || (error instanceof S3Refusal && error.isMissing);
}

/** Percent-encodes a key, but for the `/` between its segments. */
export function encodeKey(key: string): string {
  return key.split('/').map(encodeStrictly).join('/');
}

/** Percent-encodes as Signature Version 4 does. */
function encodeStrictly(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
