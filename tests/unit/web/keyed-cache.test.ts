import { beforeEach, expect, it } from 'vitest';
import { ContentChanges } from '#app/web/cache/content-changes.ts';
import { KeyedCache } from '#app/web/cache/keyed-cache.ts';
import { closedGate } from '#tests/support/gate.ts';

let changes: ContentChanges;
let cache: KeyedCache<string>;
beforeEach(() => {
  changes = new ContentChanges();
  changes.take({ version: 1, since: -1, changes: [] });
  cache = new KeyedCache({ changes, maxSize: 3, sizeOf: () => 1 });
});

const change = (...keys: string[]) => {
  const version = changes.version + 1;
  changes.take({ version, since: changes.version, changes: [{ version, keys }] });
};

/** Asks for a value that reads, and ends when it is told. */
function ask(name: string, keys: string[], value: string) {
  const gate = closedGate();
  const result = cache.obtain(name, async (begin) => {
    begin()(...keys);
    await gate.passed;
    return { value, keep: true };
  });
  return {
    end: async () => {
      gate.open();
      return (await result).value;
    },
  };
}

it('keeps a value until one of its keys changes, and one without keys until anything does', async () => {
  await ask('page', ['a', 'b'], 'page').end();
  await ask('bare', [], 'bare').end();
  change('c');
  expect([cache.get('page'), cache.get('bare')]).toEqual(['page', undefined]);
  change('b');
  expect([cache.get('page'), cache.usage.entries]).toEqual([undefined, 0]);
});

it('gives what a change overtook to those who asked before, and keeps it only when it does not depend on it', async () => {
  const [overtaken, untouched] = [ask('one', ['a'], 'old'), ask('two', ['b'], 'two')];
  change('a');
  const newer = ask('one', ['a'], 'new');
  expect(await overtaken.end()).toBe('old');
  expect(cache.get('one')).toBeUndefined();
  const joined = ask('one', ['a'], 'not made');
  expect(await newer.end()).toBe('new');
  expect(await joined.end()).toBe('new');
  expect(await untouched.end()).toBe('two');
  expect([cache.get('one'), cache.get('two')]).toEqual(['new', 'two']);
});

it('lets those who ask after a change share what has not begun to read', async () => {
  const turn = closedGate();
  let made = 0;
  const make = () =>
    cache.obtain('page', async (begin) => {
      await turn.passed;
      begin()('a');
      return { value: `made ${(made += 1)}`, keep: true };
    });
  const first = make();
  change('a');
  const second = make();
  turn.open();
  expect((await Promise.all([first, second])).map(({ value }) => value)).toEqual(['made 1', 'made 1']);
  expect(cache.get('page')).toBe('made 1');
});

it('keeps no failure, and forgets who was asked for least recently', async () => {
  await expect(cache.obtain('page', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  for (const name of ['a', 'b', 'c', 'd']) await ask(name, [name], name).end();
  expect(['a', 'b', 'd'].map((name) => cache.get(name))).toEqual([undefined, 'b', 'd']);
  change('a', 'd');
  expect(cache.usage).toEqual({ entries: 2, size: 2 });
});
