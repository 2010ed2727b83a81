// What a media store in S3 does when the service fails: clear errors, nothing half-written, retries bounded.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveMedia } from '#app/backup/write/export-backup.server.ts';
import { contentOfBytes, hashStored } from '#app/media/store/content.server.ts';
import { S3Store } from '#app/media/store/s3.server.ts';
import { mediaTarget, type S3Target } from '#app/platform/media-target.server.ts';
import { crowding } from '#tests/support/processor-time.ts';
import { standInVariables, startS3StandIn, type S3StandIn } from '#tests/support/s3/stand-in.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const limits = { connectMs: 500, idleMs: 400, firstWaitMs: 5 };
const content = contentOfBytes(Buffer.from('a picture'));
let standIn: S3StandIn;
let store: S3Store;

function targetOf(changes: Partial<S3Target> = {}): S3Target {
  const { MEDIA_STORE, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = standInVariables(standIn);
  const credentials = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY };
  return { ...(mediaTarget(MEDIA_STORE!, credentials, 'MEDIA_STORE') as S3Target), ...changes };
}

beforeEach(async () => {
  standIn = await startS3StandIn();
  store = new S3Store(targetOf(), limits);
});
afterEach(async () => {
  store.close();
  await standIn.close();
});

const answers = (count: number, answer: S3StandIn['faults']['answers'][number]) =>
  standIn.faults.answers.push(...Array.from({ length: count }, () => answer));

describe('a service that fails for a moment', () => {
  it.each([
    ['503 SlowDown', 503, 'SlowDown'],
    ['500 InternalError', 500, 'InternalError'],
    ['502 without a body', 502, ''],
    ['429', 429, 'TooManyRequests'],
    ['400 RequestTimeout', 400, 'RequestTimeout'],
  ])('is asked again: %s', async (name, status, code) => {
    answers(3, { status, code });
    await store.put('a', content);
    expect(standIn.requests).toHaveLength(4);
    expect(standIn.objects.get('blog/a')!.bytes.toString()).toBe('a picture');
  });

  it('is asked again after reset connections, and a broken-off read continues where it stopped', async () => {
    const bytes = randomBytes(600_000);
    await store.put('large', contentOfBytes(bytes));
    standIn.faults.resets = 2;
    expect(await store.head('large')).toMatchObject({ bytes: 600_000 });
    standIn.faults.cutAfter = [100_000, 70_000, 3];
    standIn.requests.length = 0;
    expect((await hashStored(store, 'large'))!.sha256).toBe(contentOfBytes(bytes).sha256);
    expect(standIn.requests).toHaveLength(4);
  });

  it('waits as long as the service asks, up to its own limit', async () => {
    answers(1, { status: 503, code: 'SlowDown', headers: { 'retry-after': '1' } });
    const began = performance.now();
    await store.head('a');
    expect(performance.now() - began).toBeGreaterThan(900);
  });
});

describe('a service that fails for good', () => {
  it.each([
    ['a page where a listing is expected, as of a console', 200],
    ['an address that is not there', 404],
  ])('because it is not S3: %s', async (_name, status) => {
    answers(1, { status });
    await expect(store.check()).rejects.toMatchObject({
      code: 'unavailable',
      message: `s3://pictures/blog: what answers at ${standIn.endpoint} is not S3. Correct endpoint.`,
    });
  });

  it('because a login page answers all requests, also those that store a file', async () => {
    answers(1, { status: 200, page: '<!doctype html><title>Log in</title>' });
    await expect(store.put('a', content)).rejects.toMatchObject({
      code: 'unavailable',
      message: `s3://pictures/blog: what answers at ${standIn.endpoint} is not S3. Correct endpoint.`,
    });
  });

  it('ends in one line after five attempts, and nothing is stored', async () => {
    answers(9, { status: 503, code: 'SlowDown' });
    const failure = await store.put('a', content).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/answers 503 SlowDown\.$/) as string,
    });
    expect(standIn.requests).toHaveLength(5);
    expect(standIn.objects.size).toBe(0);
  });

  it('a connection that is refused, and an answer that never comes', async () => {
    standIn.faults.delayMs = Infinity;
    const began = performance.now();
    await expect(store.get('a')).rejects.toThrow(/no answer for 0.4 s/);
    expect(performance.now() - began).toBeLessThan(4_000 * crowding());
    const nobody = new S3Store(targetOf({ endpoint: 'http://127.0.0.1:1' }), limits);
    await expect(nobody.check()).rejects.toThrow(/cannot be reached \(.*ECONNREFUSED/);
    nobody.close();
  });

  it('a read that breaks off again and again fails instead of ending early', async () => {
    await store.put('large', contentOfBytes(randomBytes(100_000)));
    standIn.faults.cutAfter = [50_000, 0, 0, 0, 0, 0];
    await expect(hashStored(store, 'large')).rejects.toThrow(/cannot be reached/);
  });

  it.each([
    ['a wrong secret', { secretAccessKey: 'wrong' }, /SignatureDoesNotMatch.*S3_SECRET_ACCESS_KEY/],
    ['an unknown key', { accessKeyId: 'AKNOBODY' }, /InvalidAccessKeyId.*S3_ACCESS_KEY_ID/],
    ['another bucket', { bucket: 'nowhere' }, /bucket nowhere does not exist/],
    ['another region', { region: 'us-west-2' }, /another region/],
  ])('says what to correct: %s', async (name, changes, message) => {
    const wrong = new S3Store(targetOf(changes), limits);
    await expect(wrong.check()).rejects.toThrow(message);
    await expect(wrong.put('a', content)).rejects.toThrow(message);
    expect(standIn.requests).toHaveLength(2);
    expect(standIn.objects.size).toBe(0);
    wrong.close();
  });

  it('says what to correct: rights, and clocks that differ', async () => {
    answers(1, { status: 403, code: 'AccessDenied' });
    await expect(store.put('a', content)).rejects.toThrow(/access is denied \(403 AccessDenied\).*rights/);
    standIn.faults.skewMs = 20 * 60_000;
    await expect(store.head('a')).rejects.toThrow(/clock differs from the store's by 20 minutes/);
  });

  it('a listing that is not one is an error, not an empty store', async () => {
    answers(9, { status: 200 });
    await expect(store.check()).rejects.toThrow();
  });

  it('a content that changed on its way is seen by whoever checks it', async () => {
    await store.put('a', content);
    standIn.faults.corrupt = 1;
    expect((await hashStored(store, 'a'))!.sha256).not.toBe(content.sha256);
    expect((await hashStored(store, 'a'))!.sha256).toBe(content.sha256);
  });
});

describe('a read that is continued', () => {
  const bytes = randomBytes(300_000);
  const readAll = async (path: string) => Buffer.concat(await (await store.get(path))!.body.toArray());
  beforeEach(() => store.put('large', contentOfBytes(bytes)));

  it('fails when the service answers with the whole file again', async () => {
    standIn.faults.ignoresRanges = true;
    standIn.faults.cutAfter = [100_000];
    await expect(readAll('large')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.get('large', { start: 10, end: 19 })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await readAll('large')).toEqual(bytes);
  });

  it('fails when another file took its place, also one of the same length', async () => {
    standIn.faults.cutAfter = [100_000];
    const read = await store.get('large');
    await store.put('large', contentOfBytes(randomBytes(300_000)));
    await expect(read!.body.toArray()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('ends an export that would contain a file with other bytes', async () => {
    const outputDir = path.join(await tempFolder(), 'backup');
    standIn.faults.corrupt = 1;
    const saved = saveMedia(store, outputDir, new Map());
    await expect(saved).rejects.toThrow('large could not be read whole from s3://pictures/blog.');
    await rm(outputDir, { recursive: true });
    expect((await saveMedia(store, outputDir, new Map())).entries).toMatchObject([{ bytes: 300_000 }]);
  });
});

describe('a copy inside the bucket', () => {
  it.each([
    ['a key without the right', 403, 'AccessDenied'],
    ['a service without copies', 501, 'NotImplemented'],
    ['a copy that fails on the way, in an answer 200', 200, 'InternalError'],
  ])('that is refused leaves the bytes to travel: %s', async (name, status, code) => {
    await store.put('a', content);
    answers(9, { status, code });
    expect(await store.copy('a', 'b')).toBe(false);
    expect(standIn.objects.has('blog/b')).toBe(false);
    standIn.faults.answers.length = 0;
    expect(await store.copy('nothing', 'b')).toBe(false);
    expect(await store.copy('a', 'b')).toBe(true);
  });
});
