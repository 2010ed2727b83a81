import { expect, test } from 'vitest';
import { publicImage } from '#app/posts/pictures/public-image.ts';

const media = {
  path: '2026/11/a b.webp',
  width: 1600,
  height: 900,
  alt: 'Its own text',
  variants: JSON.stringify([{ path: '2026/11/a-640.webp', width: 640, height: 360 }]),
  mimeType: 'image/webp',
  bytes: 10,
  color: '#8a7f6b',
};

test('every size stands in the source set, encoded', () => {
  const image = publicImage(media);
  expect(image.src).toBe('/uploads/2026/11/a%20b.webp');
  expect(image.srcSet).toBe('/uploads/2026/11/a-640.webp 640w, /uploads/2026/11/a%20b.webp 1600w');
});

test('the text given for this place stands before the file’s own', () => {
  expect(publicImage(media).alt).toBe('Its own text');
  expect(publicImage(media, 'For this post').alt).toBe('For this post');
});

test('a file without smaller copies has no source set', () => {
  expect(publicImage({ ...media, variants: '[]' }).srcSet).toBe('');
});
