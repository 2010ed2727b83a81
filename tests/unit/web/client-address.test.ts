import { describe, expect, it } from 'vitest';
import { parseAddress, readForwardedFor } from '#app/web/guards/request-guard.ts';

describe('an address in X-Forwarded-For', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7:51234 ', '203.0.113.7'],
    ['2001:DB8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
    ['203.0.113.7:', null],
    ['203.0.113.07', null],
    ['203.0.113.256', null],
    ['2001:db8::7:443]', null],
    ['unknown', null],
    ['_hidden', null],
    ['', null],
    ['localhost', null],
    ["1.2.3.4' OR 1=1", null],
    ['x'.repeat(6_000), null],
    [`1.2.3.4${' '.repeat(10)}x`, null],
  ])('%s is read as %s', (entry, address) => {
    expect(parseAddress(entry)).toBe(address);
  });
});

describe('the header that Express reads', () => {
  const read = (hops: number, value: string) => {
    const request = { headers: { 'x-forwarded-for': value } as Record<string, string>, get: () => value };
    readForwardedFor(hops)(request as never, {} as never, () => {});
    return request.headers['x-forwarded-for'] ?? null;
  };

  it.each([
    [1, '203.0.113.7', '203.0.113.7'],
    [1, '198.51.100.1, 203.0.113.7:5000', '203.0.113.7'],
    [2, 'x, 198.51.100.1, [2001:db8::7]:1', '198.51.100.1, 2001:db8::7'],
    // The client writes what stands left of an entry that is no address.
    [2, '198.51.100.1, unknown', null],
    [3, '192.0.2.1, unknown, 203.0.113.7', '203.0.113.7'],
    [1, 'x'.repeat(6_000), null],
    [0, '203.0.113.7', null],
    [1, '', null],
  ])('holds with %i trusted hops, of %s', (hops, value, expected) => {
    expect(read(hops, value)).toBe(expected);
  });
});
