import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { RouteConfigEntry } from '@remix-run/route-config';
import { expect, test } from 'vitest';
import { publicAddresses, publicFirstSegments, routeLabel } from '#app/platform/http/public-addresses.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import routes from '#app/routes.ts';
import { cacheKey } from '#app/web/cache/key.ts';

const pathsOf = (entries: RouteConfigEntry[]): string[] =>
  entries.flatMap(({ path, index, children }) => (children ? pathsOf(children) : [index ? '/' : `/${path}`]));
const paths = pathsOf(routes);
const example = (path: string) => path.replace(/:\w+/g, 'x').replace('*', 'x/y');

// Whose answer is for one visitor, one moment or one token, and the backend; everything else is kept.
const neverKept = [
  '/-/feed/*',
  '/preview/:token',
  '/preview/site/:token/*',
  '/uploads/*',
  '/subscribe',
  '/subscribe/confirm/:token',
  '/subscription/:token',
  '/unsubscribe/:token',
  '/theme/cards/:file',
  '/*',
];

test('every public page and feed is kept in the page cache, and nothing else', () => {
  expect(paths.length).toBeGreaterThan(20);
  const kept = paths.filter((path) => path !== '/*' && cacheKey(example(path)) !== null);
  const expected = paths.filter((path) => !neverKept.includes(path) && !path.startsWith('/api/'));
  expect(kept.sort()).toEqual(expected.sort());
});

test('no backend path can take the first segment of a public route', () => {
  const first = paths
    .map((path) => path.split('/')[1]!)
    .filter((segment) => segment !== '' && segment !== '*');
  expect([...publicFirstSegments]).toEqual(expect.arrayContaining([...new Set(first)]));
});

test('the files of the build are in the table', () => {
  const files = readdirSync(path.join(projectRoot, 'public')).filter((name) => name !== 'uploads');
  expect(files.filter((name) => !publicFirstSegments.has(name))).toEqual([]);
});

test('the metrics name every public address by its pattern, and nothing else', () => {
  const labelled = publicAddresses.filter(({ label }) => label === undefined);
  for (const { pattern } of labelled) expect(routeLabel(example(`/${pattern}`))).toBe(`/${pattern}`);
  for (const [path, label] of [
    ['/preview/site/abc/posts/x', '/preview/site/:token'],
    ['/theme/site-1.css', '/theme/*'],
    ['/about', 'other'],
    ['/admin/posts', 'other'],
    ['/posts/a/b', 'other'],
    ['/api/nothing', 'other'],
  ] as const)
    expect(routeLabel(path), path).toBe(label);
});
