import { expect, test } from 'vitest';
import { renderRobots } from '#app/feeds/robots.ts';

const origin = 'https://blog.example.org';

test('names the sitemap and carries the extra lines', () => {
  const text = renderRobots({
    origin,
    extra: 'Disallow: /drafts/\n\nUser-agent: Bot\nDisallow: /',
    adminPath: 'admin',
  });
  expect(text).toBe(
    'User-agent: *\nDisallow: /api/\nDisallow: /preview/\nDisallow: /drafts/\nUser-agent: Bot\nDisallow: /\n\nSitemap: https://blog.example.org/sitemap.xml\n',
  );
});

test('never tells the path of the backend', () => {
  const text = renderRobots({
    origin,
    extra: 'Disallow: /desk-42\nDisallow: /desk-42/\nDisallow: /Desk-42/login\nDisallow: /desk-420',
    adminPath: 'desk-42',
  });
  expect(text).toContain('Disallow: /desk-420\n');
  expect(text.match(/desk-42/gi)).toHaveLength(1);
});
