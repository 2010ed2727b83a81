import { expect, test } from 'vitest';
import { localPath } from '#app/platform/http/paths.ts';

test.each([
  ['/admin/posts?state=draft#top', '/admin/posts?state=draft#top'],
  ['/', '/'],
  ['/%2F/evil.example', '/%2F/evil.example'],
  ['/admin/../admin/media', '/admin/media'],
])('%j stays', (target, expected) => {
  expect(localPath(target)).toBe(expected);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '///evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/%2e%2e//evil.example',
  '/a/..//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  'https://evil.example',
  'HTTPS:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'evil.example',
  '@evil.example',
  '',
  null,
  undefined,
])('%j leads nowhere', (target) => {
  expect(localPath(target)).toBeNull();
});

test('whatever it lets through, a browser stays on the site', () => {
  const pieces = ['/', '\\', '.', '..', '%2e', '%2f', '%5c', 'evil.example', '@', ':', '\t', '?', '#', ' '];
  for (const first of pieces)
    for (const second of pieces)
      for (const third of pieces)
        for (const fourth of pieces) {
          const path = localPath(`/${first}${second}${third}${fourth}evil.example`);
          if (path === null) continue;
          expect(new URL(path, 'https://blog.example.org/admin/login').origin).toBe(
            'https://blog.example.org',
          );
        }
});
