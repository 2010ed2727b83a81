import { expect, test } from 'vitest';
import { readMediaKind } from '#app/admin/editor/live/media/text.ts';

test.each([
  ['/uploads/2026/11/tide.mov', 'video'],
  ['/uploads/2026/11/tide.mp4?v=2#t=10', 'video'],
  ['https://example.org/waves.MP3?download=1', 'audio'],
  ['/uploads/2026/11/quay.webp?file=quay.mp4', 'img'],
])('shows %s as the page does', (src, kind) => {
  expect(readMediaKind(src)).toBe(kind);
});
