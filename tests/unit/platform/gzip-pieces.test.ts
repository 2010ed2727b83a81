import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gunzippedBytes, gzipPiece, joinGzip } from '#app/platform/http/gzip-pieces.server.ts';

it('compressed pieces are one gzip file of all texts', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '<url>'.repeat(20_000), 'ü'.repeat(70_000)),
  );
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const whole = Buffer.from(texts.join(''));
      const file = joinGzip(texts.map(gzipPiece));
      // It checks length and checksum too.
      expect(gunzipSync(file).equals(whole)).toBe(true);
      expect(gunzippedBytes(file)).toBe(whole.length);
    }),
    { numRuns: 30 },
  );
});

it('a piece may be used again, in any file', () => {
  const [one, other] = [gzipPiece('one'), gzipPiece('other')];
  expect(gunzipSync(joinGzip([one, other, one])).toString()).toBe('oneotherone');
  expect(gunzipSync(joinGzip([other])).toString()).toBe('other');
});
