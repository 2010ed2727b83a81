import { expect, test } from 'vitest';
import { offerAvif } from '#app/posts/pictures/public-image.ts';

const pictures = [
  { srcSet: '/uploads/a-480.webp 480w', avifSrcSet: '/uploads/a-480.avif 480w' },
  { srcSet: '/uploads/b-480.webp 480w', avifSrcSet: '' },
  { srcSet: '', avifSrcSet: '/uploads/c.avif 9w' },
];
const img = (name: string, more = '') =>
  `<img src="/uploads/${name}.jpg" alt="5 > 4 srcset='x'" srcset="/uploads/${name}-480.webp 480w" sizes="50vw"${more}>`;
const source = '<source type="image/avif" srcset="/uploads/a-480.avif 480w" sizes="50vw">';

test('each picture with copies stands in a <picture>, with its sizes', () => {
  expect(offerAvif(`<p>${img('a')}</p>${img('a', ' loading="lazy"')}`, pictures)).toBe(
    `<p><picture>${source}${img('a')}</picture></p><picture>${source}${img('a', ' loading="lazy"')}</picture>`,
  );
});

test('a second time, an author’s own <picture>, other pictures and code change nothing', () => {
  const once = offerAvif(img('a'), pictures);
  const own = `<picture media="x">\n<source srcset="/y.webp">${img('a')}</picture>`;
  const code = `<code>&#x3C;img srcset="/uploads/a-480.webp 480w"></code>`;
  for (const html of [once, own, code, img('b'), img('d'), '<img src="/uploads/c.jpg" alt="">', '<img'])
    expect(offerAvif(html, pictures)).toBe(html);
});
