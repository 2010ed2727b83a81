import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { publicFirstSegments } from '#app/platform/public-paths.ts';
import { cacheKey } from '#app/web-server/page-cache/cache-key.ts';

const source = readFileSync(path.join(projectRoot, 'app/routes.ts'), 'utf8');
const routes = ['/', ...[...source.matchAll(/route\('([^']+)'/g)].map(([, pattern]) => `/${pattern}`)];

// Whose answer is for one visitor, one moment or one token; everything else is kept.
const neverKept = [
  ...['/-/page', '/-/posts', '/search', '/preview/:token', '/preview/site/:token/*'],
  ...['/uploads/*', '/*'],
];

test('every public page and feed is kept in the page cache, and nothing else', () => {
  expect(routes.length).toBeGreaterThan(20);
  const kept = routes.filter((route) => cacheKey(route.replace(/:\w+/g, 'x')) !== null);
  const expected = routes.filter((route) => !neverKept.includes(route) && !route.startsWith('/api/'));
  expect(kept.sort()).toEqual(expected.sort());
});

test('no backend path can take the first segment of a public route', () => {
  const first = routes
    .map((route) => route.split('/')[1]!)
    .filter((segment) => segment !== '' && segment !== '*');
  expect([...publicFirstSegments]).toEqual(expect.arrayContaining([...new Set(first)]));
});
