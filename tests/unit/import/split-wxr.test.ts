import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitWxr, type WxrPart } from '#app/import/wordpress/wxr.ts';

async function split(text: string, size = text.length || 1, maxItem?: number): Promise<WxrPart[]> {
  async function* chunks() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const parts: WxrPart[] = [];
  for await (const part of splitWxr(chunks(), maxItem)) parts.push(part);
  return parts;
}

const item = (text: string): WxrPart => ({ kind: 'item', xml: `<item>${text}</item>` });
const end: WxrPart = { kind: 'end', xml: '' };

test('a head and items, wherever the pieces end', async () => {
  const body = ['a', '<![CDATA[</item><item>]]>', 'ü'.repeat(30), '<items/>'];
  const text = `<rss><channel>head${body.map((one) => item(one).xml).join('\n \n')}</channel></rss>`;
  const whole = [{ kind: 'head', xml: '<rss><channel>head' }, ...body.map(item), end];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: text.length }), async (size) => {
      expect(await split(text, size)).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

test('items that never end', async () => {
  expect(await split('<rss><item>a<item>b</item><item>c')).toEqual([
    { kind: 'head', xml: '<rss>' },
    { kind: 'cut', xml: '<item>a' },
    item('b'),
    { kind: 'cut', xml: '<item>c' },
  ]);
});

test('an item that is too large is passed over without its text', async () => {
  const text = `<rss>${item('a').xml}${item('x'.repeat(5_000)).xml}${item('b').xml}<item>${'y'.repeat(5_000)}`;
  expect(await split(text, 100, 1_000)).toEqual([
    { kind: 'head', xml: '<rss>' },
    item('a'),
    { kind: 'huge', xml: '' },
    item('b'),
    { kind: 'huge', xml: '' },
  ]);
});

test('the end is that of the channel, not one that a text or an item names', async () => {
  const text = '<![CDATA[</channel>]]>&lt;/channel>';
  expect(await split(`<rss><channel>${item(text).xml}`, 3)).toEqual([
    { kind: 'head', xml: '<rss><channel>' },
    item(text),
  ]);
  expect((await split(`<rss><channel>${item('a').xml}</channel >`, 4)).at(-1)).toEqual(end);
});

test('no items, no text', async () => {
  expect(await split('<rss></rss>')).toEqual([{ kind: 'head', xml: '<rss></rss>' }]);
  expect(await split('<rss><channel></channel></rss>')).toEqual([
    { kind: 'head', xml: '<rss><channel></channel></rss>' },
    end,
  ]);
  expect(await split('')).toEqual([{ kind: 'head', xml: '' }]);
});
