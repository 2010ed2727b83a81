import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The current faults of the stand-in; none by default. */
export interface S3Faults {
  /** The next answers, instead of the right ones. */
  answers: { status: number; code?: string; headers?: Record<string, string>; page?: string }[];
  /** The next reads send so many bytes and break off. */
  cutAfter: number[];
  /** The next reads change their first byte. */
  corrupt: number;
  /** Milliseconds before each answer; Infinity hangs. */
  delayMs: number;
  /** By how much its clock is ahead. */
  skewMs: number;
  /** The connections of the next requests are reset. */
  resets: number;
  /** Answers every read with the whole file, as some proxies and servers do. */
  ignoresRanges: boolean;
}

/** An S3 over real HTTP, in memory, that checks signatures and content hashes as Amazon's does. */
export interface S3StandIn {
  endpoint: string;
  objects: Map<string, { bytes: Buffer; meta: Record<string, string> }>;
  faults: S3Faults;
  /** Method and path of every request since the start. */
  requests: string[];
  close(): Promise<void>;
}

export const standInCredentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+secret',
};
const standInBucket = 'pictures';
const REGION = 'eu-test-1';
const PAGE = 3;

export async function startS3StandIn(): Promise<S3StandIn> {
  const objects: S3StandIn['objects'] = new Map();
  const faults: S3Faults = {
    answers: [],
    cutAfter: [],
    corrupt: 0,
    delayMs: 0,
    skewMs: 0,
    resets: 0,
    ignoresRanges: false,
  };
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      if (error instanceof Refusal) refuse(response, error.status, error.code);
      else response.destroy();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(`${request.method} ${request.url}`);
    response.setHeader('date', new Date(Date.now() + faults.skewMs).toUTCString());
    if (faults.resets > 0) {
      faults.resets -= 1;
      request.socket.resetAndDestroy();
      return;
    }
    if (faults.delayMs === Infinity) return;
    await sleep(faults.delayMs);
    const body = Buffer.concat(await request.toArray());
    const fault = faults.answers.shift();
    if (fault) {
      response.setHeaders(new Map(Object.entries(fault.headers ?? {})));
      if (fault.page !== undefined) return void response.writeHead(fault.status).end(fault.page);
      return refuse(response, fault.status, fault.code);
    }
    const url = new URL(request.url!, 'http://s3');
    if (url.searchParams.has('X-Amz-Signature'))
      requireSignedAddress(request, url.searchParams, faults.skewMs);
    else requireSignature(request, body, faults.skewMs);
    const [, bucket, ...rest] = url.pathname.split('/').map(decodeURIComponent);
    if (bucket !== standInBucket) throw new Refusal(404, 'NoSuchBucket');
    const key = rest.join('/');
    if (key === '') return list(url.searchParams, response);
    const copied = request.headers['x-amz-copy-source'];
    if (request.method === 'PUT' && typeof copied === 'string') {
      const source = objects.get(decodeURIComponent(copied).replace(`/${standInBucket}/`, ''));
      if (!source) throw new Refusal(404, 'NoSuchKey');
      objects.set(key, source);
      return void response.end('<CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>');
    }
    if (request.method === 'PUT') {
      const meta = Object.entries(request.headers).filter(([name]) => name.startsWith('x-amz-meta-'));
      objects.set(key, { bytes: body, meta: Object.fromEntries(meta) as Record<string, string> });
      return void response.end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    const found = objects.get(key);
    if (!found) throw new Refusal(404, 'NoSuchKey');
    send(request, response, found);
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    found: { bytes: Buffer; meta: Record<string, string> },
  ): void {
    const range = faults.ignoresRanges ? '' : (request.headers.range ?? '');
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    response.setHeader('etag', `"${sha256(found.bytes)}"`);
    const whole = found.bytes.length;
    let bytes = from ? found.bytes.subarray(Number(from), Number(to) + 1) : found.bytes;
    if (from) response.setHeader('content-range', `bytes ${from}-${to}/${whole}`);
    const type = new URL(request.url!, 'http://s3').searchParams.get('response-content-type');
    if (type !== null) response.setHeader('content-type', type);
    response.writeHead(from ? 206 : 200, { 'content-length': bytes.length, ...found.meta });
    if (request.method === 'HEAD') return void response.end();
    if (faults.corrupt > 0) {
      faults.corrupt -= 1;
      bytes = Buffer.from(bytes);
      bytes[0]! ^= 1;
    }
    const cut = faults.cutAfter.shift();
    if (cut === undefined) return void response.end(bytes);
    response.write(bytes.subarray(0, cut), () => setImmediate(() => request.socket.destroy()));
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    const remaining = keys.filter((key) => after === '' || key > after);
    const page = remaining.slice(0, Math.min(PAGE, Number(query.get('max-keys') ?? PAGE)));
    const contents = page
      .map(
        (key) =>
          `<Contents><Key>${escape(key)}</Key><Size>${objects.get(key)!.bytes.length}</Size></Contents>`,
      )
      .join('');
    const next =
      remaining.length > page.length
        ? `<NextContinuationToken>${escape(page.at(-1)!)}</NextContinuationToken>`
        : // As some services end a listing.
          '<NextContinuationToken/>';
    response.setHeader('content-type', 'application/xml');
    response.end(
      `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${contents}${next}</ListBucketResult>`,
    );
  }

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    faults,
    requests,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** `MEDIA_STORE` and credentials of a stand-in, for `parseEnv`, commands and servers. */
export function standInVariables({ endpoint }: S3StandIn, prefix = 'blog'): Record<string, string> {
  return {
    MEDIA_STORE: `s3://${standInBucket}/${prefix}?endpoint=${endpoint}&region=${REGION}`,
    S3_ACCESS_KEY_ID: standInCredentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: standInCredentials.secretAccessKey,
  };
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

function refuse(response: ServerResponse, status: number, code = ''): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}

// After Amazon's documentation of Signature Version 4, independent of the library that the product signs with.
function requireSignature(request: IncomingMessage, body: Buffer, skewMs: number): void {
  const header = request.headers.authorization ?? '';
  const [, keyId, day, region, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? [];
  if (!signature) throw new Refusal(403, 'AccessDenied');
  if (keyId !== standInCredentials.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId');
  if (region !== REGION) throw new Refusal(400, 'AuthorizationHeaderMalformed');
  const time = String(request.headers['x-amz-date']);
  if (Math.abs(timeOf(time) - (Date.now() + skewMs)) > 15 * 60_000)
    throw new Refusal(403, 'RequestTimeTooSkewed');
  const hash = String(request.headers['x-amz-content-sha256']);
  const names = signedHeaders!.split(';');
  if (!names.includes('host') || !names.includes('x-amz-content-sha256'))
    throw new Refusal(403, 'AccessDenied');
  const [path, query = ''] = request.url!.split('?');
  const canonical = [
    request.method,
    path,
    query.split('&').filter(Boolean).sort().join('&'),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signedHeaders,
    hash,
  ].join('\n');
  requireSame(signature, signatureOf(canonical, time, day!));
  if (hash !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
}

/** An address with its signature in the query, as browsers are redirected to it. */
function requireSignedAddress(request: IncomingMessage, query: URLSearchParams, skewMs: number): void {
  const time = query.get('X-Amz-Date') ?? '';
  const [keyId, day, region] = (query.get('X-Amz-Credential') ?? '').split('/');
  if (keyId !== standInCredentials.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId');
  if (region !== REGION) throw new Refusal(400, 'AuthorizationQueryParametersError');
  const until = timeOf(time) + Number(query.get('X-Amz-Expires')) * 1_000;
  if (!(until > Date.now() + skewMs)) throw new Refusal(403, 'AccessDenied');
  const [path, search = ''] = request.url!.split('?');
  const signed = search
    .split('&')
    .filter((part) => !part.startsWith('X-Amz-Signature='))
    .sort();
  const canonical = [
    ...['GET', path, signed.join('&')],
    ...[`host:${request.headers.host}`, '', 'host', 'UNSIGNED-PAYLOAD'],
  ].join('\n');
  if (query.get('X-Amz-SignedHeaders') !== 'host' || request.method !== 'GET')
    throw new Refusal(403, 'AccessDenied');
  requireSame(query.get('X-Amz-Signature')!, signatureOf(canonical, time, day!));
}

function signatureOf(canonical: string, time: string, day: string): Buffer {
  const scope = `${day}/${REGION}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, REGION, 's3', 'aws4_request'].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`AWS4${standInCredentials.secretAccessKey}`),
  );
  return createHmac('sha256', key).update(text).digest();
}

function requireSame(signature: string, expected: Buffer): void {
  const received = Buffer.from(signature, 'hex');
  if (received.length !== expected.length || !timingSafeEqual(expected, received))
    throw new Refusal(403, 'SignatureDoesNotMatch');
}

function timeOf(amzDate: string): number {
  return Date.parse(amzDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function sha256(value: string | Buffer): string {
  return createHash('sha256').update(value).digest('hex');
}

function escape(value: string): string {
  return value.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
