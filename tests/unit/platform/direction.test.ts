import { expect, it } from 'vitest';
import { directionOf } from '#app/platform/text/languages.ts';

it.each(['ar', 'he', 'fa-IR', 'ur', 'ps', 'ckb', 'ug', 'sd', 'yi', 'dv', 'pa-Arab'])(
  '%s is written from right to left',
  (tag) => expect(directionOf(tag)).toBe('rtl'),
);

it.each(['en', 'de-AT', 'pa', 'az-Latn', 'ja', 'no tag', ''])('%j is not', (tag) =>
  expect(directionOf(tag)).toBeUndefined(),
);
