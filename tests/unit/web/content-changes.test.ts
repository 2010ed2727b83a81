import { beforeEach, describe, expect, it } from 'vitest';
import { ContentChanges, type Changed } from '#app/web/cache/content-changes.ts';

let changes: ContentChanges;
let heard: Changed[];
beforeEach(() => {
  changes = new ContentChanges();
  changes.take({ version: 5, since: -1, changes: [] });
  heard = [];
  changes.onChange((changed) => heard.push(changed));
});

const change = (version: number, ...keys: string[]) => ({ version, keys });

describe('what a check found', () => {
  it('is told once, with the keys of every version since', () => {
    const check = { version: 7, since: 5, changes: [change(6, 'a', 'b'), change(7, 'b', 'c')] };
    changes.take(check);
    changes.take(check);
    expect(heard).toEqual([new Set(['a', 'b', 'c'])]);
    expect(changes.version).toBe(7);
  });

  it.each([
    ['a version is missing', { version: 7, since: 5, changes: [change(7, 'a')] }],
    ['the newest is missing', { version: 7, since: 5, changes: [change(6, 'a')] }],
    ['a change concerns every page', { version: 6, since: 5, changes: [change(6, 'a', '*')] }],
    ['the database went back', { version: 4, since: 5, changes: [] }],
  ])('is everything when %s', (_case, check) => {
    changes.take(check);
    expect(heard).toEqual(['everything']);
    expect(changes.version).toBe(check.version);
  });

  it('does not count where another check was faster', () => {
    const [slow, fast] = [
      { version: 6, since: 5, changes: [change(6, 'a')] },
      { version: 7, since: 5, changes: [change(6, 'a'), change(7, 'b')] },
    ];
    changes.take(fast);
    changes.take(slow);
    expect([heard, changes.version]).toEqual([[new Set(['a', 'b'])], 7]);
    // A slow check that found more than the fast one is told for the rest.
    changes.take({ version: 8, since: 5, changes: [...fast.changes, change(8, 'c')] });
    expect(heard.at(-1)).toEqual(new Set(['c']));
  });
});

describe('what was read at a moment', () => {
  it('is fresh until one of its keys changes', () => {
    const { moment } = changes;
    expect(changes.isFresh(moment, [])).toBe(true);
    changes.take({ version: 6, since: 5, changes: [change(6, 'a')] });
    expect(['a', 'b'].map((key) => changes.isFresh(moment, [key]))).toEqual([false, true]);
    expect(changes.isFresh(moment, [])).toBe(false);
    expect(changes.isFresh(changes.moment, ['a'])).toBe(true);
    changes.forget();
    expect(changes.isFresh(moment, ['b'])).toBe(false);
  });

  it('counts as stale once its changes are forgotten', () => {
    const { moment } = changes;
    for (let version = 6; version < 9; version += 1) {
      const keys = Array.from({ length: 9_000 }, (_, index) => `${version} ${index}`);
      changes.take({ version, since: version - 1, changes: [change(version, ...keys)] });
    }
    expect(changes.isFresh(moment, ['never changed'])).toBe(false);
  });
});
