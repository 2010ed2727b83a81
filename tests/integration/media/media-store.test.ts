// One suite on every kind of media store.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerMedia } from '#app/media/library/answer.server.ts';
import { contentOfBytes, contentOfStored, hashStored } from '#app/media/store/content.server.ts';
import { createMediaStore } from '#app/media/store/create.server.ts';
import type { MediaStore } from '#app/media/store/media-store.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { mediaStores, type TestStore } from '#tests/support/media-stores.ts';

describe.each(mediaStores)('media in %s', (name, start) => {
  let started: TestStore;
  let store: MediaStore;
  beforeAll(async () => {
    started = await start();
    store = started.store;
  });
  afterAll(() => started?.stop());

  const put = (path: string, text: string) => store.put(path, contentOfBytes(Buffer.from(text)));
  const textOf = async (path: string, range?: { start: number; end: number }) => {
    const read = await store.get(path, range);
    return read && Buffer.concat(await read.body.toArray()).toString();
  };
  const listed = async (prefix?: string) => {
    const paths: string[] = [];
    for await (const entry of store.list(prefix)) paths.push(`${entry.path} ${entry.bytes}`);
    return paths.sort();
  };

  it('gives back what was stored, whole or in part, and says what is not there', async () => {
    await put('2026/11/a.webp', 'picture of the harbour');
    expect(await textOf('2026/11/a.webp')).toBe('picture of the harbour');
    expect(await textOf('2026/11/a.webp', { start: 11, end: 13 })).toBe('the');
    const first = (await store.get('2026/11/a.webp', { start: 0, end: 0 }))!;
    expect([first.bytes, await first.body.toArray()]).toEqual([22, [Buffer.from('p')]]);
    expect(await store.head('2026/11/a.webp')).toMatchObject({ bytes: 22 });
    expect([await store.get('2026/11/b.webp'), await store.head('2026/11'), await store.head('x/y')]).toEqual(
      [null, null, null],
    );
    await put('2026/11/a.webp', 'another');
    expect(await textOf('2026/11/a.webp')).toBe('another');
    await store.check();
  });

  it('copies a file to a second path that does not depend on the first', async () => {
    await put('copy/ü (1).webp', 'picture');
    expect(await store.copy('copy/ü (1).webp', 'copy/b/second.webp')).toBe(true);
    expect(await store.copy('copy/ü (1).webp', 'copy/b/second.webp')).toBe(true);
    await store.delete('copy/ü (1).webp');
    expect(await textOf('copy/b/second.webp')).toBe('picture');
    expect(await store.copy('copy/ü (1).webp', 'copy/third.webp')).toBe(false);
    expect(await listed('copy/')).toEqual(['copy/b/second.webp 7']);
    expect(await store.removeUnfinished(new Date(Date.now() + 60_000))).toBe(0);
  });

  it('keeps names of any script and sign, and empty files', async () => {
    const names = [
      'list/ü ñ+&=%41?#.webp',
      "list/it's (1)!*.png",
      'list/数据.gif',
      'list/empty',
      'list/a/b/c/d',
    ];
    for (const each of names) await put(each, each.endsWith('empty') ? '' : each);
    expect(await listed('list/')).toEqual(
      names.map((each) => `${each} ${each.endsWith('empty') ? 0 : Buffer.byteLength(each)}`).sort(),
    );
    for (const each of names) expect(await textOf(each)).toBe(each.endsWith('empty') ? '' : each);
  });

  it('lists by prefix, and its own files only where they are asked for', async () => {
    await put('.import-1/files/x', 'x');
    await put('.import-1/plan.json', '{}');
    await put('deep/.hidden', 'x');
    expect(await listed('.import-')).toEqual(['.import-1/files/x 1', '.import-1/plan.json 2']);
    expect((await listed()).some((entry) => entry.includes('.import') || entry.includes('.hidden'))).toBe(
      false,
    );
    expect(await listed('none/')).toEqual([]);
  });

  it('removes, and removes again', async () => {
    await put('2025/01/gone.webp', 'x');
    await store.delete('2025/01/gone.webp');
    await store.delete('2025/01/gone.webp');
    expect(await store.get('2025/01/gone.webp')).toBeNull();
    expect(await listed('2025/')).toEqual([]);
  });

  it('stores nothing of a content that is not the expected one', async () => {
    const right = contentOfBytes(Buffer.from('right'));
    const wrongHash = { ...right, open: () => Readable.from([Buffer.from('wrong')]) };
    await expect(store.put('2026/wrong', wrongHash)).rejects.toThrow(/not stored/);
    const tooShort = { ...right, open: () => Readable.from([Buffer.from('rig')]) };
    await expect(store.put('2026/wrong', tooShort)).rejects.toThrow(/not stored/);
    const breaks = async function* () {
      yield Buffer.from('ri');
      throw new Error('the source broke');
    };
    await expect(
      store.put('2026/wrong', { ...right, open: () => Readable.from(breaks()) }),
    ).rejects.toThrow();
    expect(await store.get('2026/wrong')).toBeNull();
  });

  it('streams 20 MB, copies it, and stores 30 files at once', async () => {
    const bytes = randomBytes(20_000_000);
    const content = contentOfBytes(bytes);
    await store.put('large/one', content);
    expect(await hashStored(store, 'large/one')).toEqual({ bytes: bytes.length, sha256: content.sha256 });
    await store.put('large/two', contentOfStored(store, 'large/one', content));
    expect((await hashStored(store, 'large/two'))!.sha256).toBe(content.sha256);
    const names = Array.from({ length: 30 }, (_, index) => `many/${index}`);
    await Promise.all(names.map((each) => put(each, each)));
    expect((await listed('many/')).length).toBe(30);
    // A read that is given up lets the next ones through.
    for (let time = 0; time < 5; time += 1) (await store.get('large/one'))!.body.destroy();
    expect(await textOf('many/7')).toBe('many/7');
  });

  it('leads readers into a bucket by signed addresses where its address says so', async () => {
    await put('2026/11/led.webp', 'a picture');
    const ask = (from: MediaStore, method: string, path: string) =>
      answerMedia(from, { method, path, headers: {} });
    const straight = (await ask(store, 'GET', '2026/11/led.webp'))!;
    straight.body!.destroy();
    expect(straight.status).toBe(200);
    if (store.folder !== null) return;
    const variables = { ...started.variables, MEDIA_STORE: `${started.variables.MEDIA_STORE}&redirect=true` };
    const leading = createMediaStore(
      parseEnv({ DATABASE_URL: 'file:unused.db', ...variables }, 'command').mediaStore,
    );
    const led = (await ask(leading, 'GET', '2026/11/led.webp'))!;
    expect([led.status, led.body]).toEqual([302, null]);
    const address = led.headers.location!;
    const given = await fetch(address);
    expect([given.status, given.headers.get('content-type'), await given.text()]).toEqual([
      ...[200, 'image/webp', 'a picture'],
    ]);
    expect((await fetch(address, { headers: { range: 'bytes=2-4' } })).status).toBe(206);
    for (const changed of [address.replace('led.webp', 'r.webp'), address.replace('image', 'text')])
      expect((await fetch(changed)).status).toBe(403);
    expect((await ask(leading, 'HEAD', '2026/11/led.webp'))!.status).toBe(200);
    expect(await ask(leading, 'GET', '2026/11/none.webp')).toBeNull();
    leading.close();
  });

  it('answers readers with ranges and validators', async () => {
    await put('2026/11/r.webp', '0123456789');
    const ask = async (headers: Record<string, string>, method = 'GET', path = '2026/11/r.webp') => {
      const answer = await answerMedia(store, { method, path, headers });
      if (!answer) return null;
      const text = answer.body && Buffer.concat(await answer.body.toArray()).toString();
      return [answer.status, answer.headers['content-range'] ?? answer.headers['content-length'], text];
    };
    const { etag } = (await answerMedia(store, { method: 'HEAD', path: '2026/11/r.webp', headers: {} }))!
      .headers;
    expect(await ask({})).toEqual([200, '10', '0123456789']);
    expect(await ask({}, 'HEAD')).toEqual([200, '10', null]);
    expect(await ask({ range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await ask({ range: 'bytes=7-' })).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await ask({ range: 'bytes=-2' })).toEqual([206, 'bytes 8-9/10', '89']);
    expect(await ask({ range: 'bytes=10-' })).toEqual([416, 'bytes */10', null]);
    expect(await ask({ range: 'bytes=1-2,4-5' })).toEqual([200, '10', '0123456789']);
    expect(await ask({ range: 'bytes=2-4', 'if-range': '"other"' })).toEqual([200, '10', '0123456789']);
    expect(await ask({ range: 'bytes=2-4', 'if-range': etag! })).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await ask({ 'if-none-match': `"x", W/${etag}` })).toEqual([304, undefined, null]);
    expect(await ask({ 'if-none-match': etag! }, 'GET', '2026/11/none.webp')).toBeNull();
    for (const path of ['../secret', '.import-1/plan.json', '2026//r', ''])
      expect(await ask({}, 'GET', path)).toBeNull();
  });
});
