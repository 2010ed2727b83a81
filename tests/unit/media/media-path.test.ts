import { describe, expect, it } from 'vitest';
import { foldPath, isMediaPath } from '#app/media/library/path.ts';

describe('a path below the uploads folder', () => {
  it.each([
    'a',
    '2026/11/3f2a.webp',
    'Bücher/日本.png',
    'with space.png',
    'a'.repeat(255),
    'console.txt',
    'com10.txt',
  ])('may be %s', (path) => expect(isMediaPath(path)).toBe(true));

  it.each([
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    'a/..',
    '../a',
    'a/../b',
    './a',
    '.hidden',
    'a/.hidden/b',
    'a\\b',
    'c:',
    'c:/a',
    'a:stream',
    'CON',
    'con.txt',
    'a/Aux',
    'nul.tar.gz',
    'com1',
    'LPT9.png',
    'a.',
    'a /b',
    'a\u0000',
    'a\nb',
    'a\u007f',
    '\ud800',
    'a'.repeat(256),
    `${'a/'.repeat(512)}a`,
  ])('may not be %j', (path) => expect(isMediaPath(path)).toBe(false));

  it('is the same file in upper and lower case, and in both Unicode forms', () => {
    expect(foldPath('Bücher/A.PNG')).toBe(foldPath('bu\u0308cher/a.png'));
    expect(foldPath('a.png')).not.toBe(foldPath('b.png'));
  });
});
