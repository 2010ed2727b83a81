import { expect, test } from 'vitest';
import { renderSitemap, renderSitemapIndex } from '#app/feeds/sitemap.ts';
import { sitemapProblems } from '#tests/support/feed-rules.ts';

const origin = 'https://blog.example.org';
const lastModified = '2026-11-20T08:00:00.000Z';

test('addresses are encoded, times true, images named', () => {
  const xml = renderSitemap(origin, [
    { path: '/posts/数据', lastModified, image: '/uploads/a%20b.webp' },
    { path: '/posts/b', lastModified },
    { path: '/<a> & "b"', lastModified },
  ]);
  expect(sitemapProblems(xml)).toEqual([]);
  expect(xml).toContain('<loc>https://blog.example.org/%3Ca%3E%20%26%20%22b%22</loc>');
  expect(xml).toContain('<loc>https://blog.example.org/posts/%E6%95%B0%E6%8D%AE</loc>');
  expect(xml).toContain('<lastmod>2026-11-20T08:00:00.000Z</lastmod>');
  expect(xml).toContain('<image:loc>https://blog.example.org/uploads/a%20b.webp</image:loc>');
});

test('an empty sitemap and an index are valid too', () => {
  expect(sitemapProblems(renderSitemap(origin, []))).toEqual([]);
  const index = renderSitemapIndex(origin, 2);
  expect(sitemapProblems(index)).toEqual([]);
  expect(index).toContain('<loc>https://blog.example.org/sitemaps/2.xml</loc>');
});

test('an address that is too long for the protocol is left out', () => {
  const xml = renderSitemap(origin, [{ path: `/posts/${'𐌰'.repeat(200)}`, lastModified }]);
  expect(xml).not.toContain('<url>');
});
