import { chmod, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { findLocalFile } from '#app/import/media/folder.server.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { importedFolder, importedInput } from '#tests/support/imported-folder.ts';

const dated = (text: string) => `---\ndate: 2026-01-01\n---\n${text}`;

test('names that macOS wrote with accents as characters of their own are found by links without', async () => {
  const { result, posts } = await importedFolder({
    'a.md': dated('![](bäume.png) [the bear](bär.md) ![](%62%C3%A4ume.png)'),
    ['bär.md'.normalize('NFD')]: dated('Roar'),
    ['bäume.png'.normalize('NFD')]: await picture(1),
  });
  expect(result).toMatchObject({ imported: { posts: 2, media: 1 }, warnings: [], ignored: {} });
  expect(posts.a!.body).toMatch(
    /^!\[\]\((\/uploads\/\S+\.png)\) \[the bear\]\(\/posts\/b%C3%A4r\) !\[\]\(\1\)$/,
  );
});

test('a wiki link finds a file whatever form its accents have', async () => {
  const { result, posts } = await importedFolder(
    {
      'a.md': dated('[[bär]] ![[bäume.png]]'),
      ['bär.md'.normalize('NFD')]: dated('Roar'),
      ['bäume.png'.normalize('NFD')]: await picture(1),
    },
    { dialect: 'obsidian' },
  );
  expect(result).toMatchObject({ imported: { media: 1 }, warnings: [] });
  expect(posts.a!.body).toContain('[bär](/posts/bär) ![](/uploads/');
});

test('pictures are found by addresses that encode signs such as + and #', async () => {
  const { result } = await importedFolder({
    'a.md': dated('![](C%2B%2B.png) ![](a%23b.png) ![](<a%2C b.png>)').replace(
      '---',
      '---\ncover: x%40y.png',
    ),
    'C++.png': await picture(1),
    'a#b.png': await picture(2),
    'a, b.png': await picture(3),
    'x@y.png': await picture(4),
  });
  expect(result).toMatchObject({ imported: { media: 4 }, warnings: [], ignored: {} });
});

test('an encoded path does not lead out of the folder', async () => {
  const files = { 'secret.png': await picture(1), 'blog/a.md': dated('![](..%2Fsecret.png)') };
  const { result } = await importedFolder(files, { below: 'blog' });
  expect(result.imported.media).toBe(0);
  expect(result.warnings).toEqual(['a.md: ..%2Fsecret.png: the file is outside of the folder.']);
});

test('a file whose name is not UTF-8 is skipped with the reason, and the rest goes on', async () => {
  const input = await folderWith({ 'a.md': dated('x'), 'b.md': dated('x') });
  await writeFile(
    Buffer.concat([Buffer.from(`${input}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]),
    dated('y'),
  );
  const { result } = await importedInput({ from: 'markdown', input });
  expect(result.imported.posts).toBe(2);
  expect(result.skipped).toEqual([{ item: 'caf\uFFFD.md', reason: 'The file cannot be opened.' }]);
});

test('a site is recognised by files that Windows wrote', async () => {
  const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
  const zola = '+++\ntitle = "A"\ndate = 2026-01-01\n[taxonomies]\ntags = ["Sea"]\n+++\nText\n';
  expect((await importedFolder({ 'a.md': windows(zola) })).result.dialect).toBe('zola');
  const { result, posts } = await importedFolder({
    'hugo.toml': windows('baseURL = "https://old.example/"\n[permalinks]\nposts = "/:year/:slug/"\n'),
    'content/posts/a.md': windows('---\ntitle: A\ndate: 2026-01-01\n---\nText\n'),
  });
  expect([result.dialect, posts.a]).toMatchObject(['hugo', { body: 'Text', redirects: ['/2026/a'] }]);
});

test('files that a program of Windows wrote in UTF-16 are read', async () => {
  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
  const { result, posts } = await importedFolder({
    'a.md': utf16('---\r\ntitle: Море\r\ndate: 2026-01-01\r\n---\r\nВолна\r\n'),
    'b.md': utf16('---\ndate: 2026-01-01\n---\nx').swap16(),
  });
  expect(result).toMatchObject({ imported: { posts: 2 }, skipped: [] });
  expect(posts.a).toMatchObject({ title: 'Море', body: 'Волна' });
});

/** Runs work as a user who may not read everything. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const user = process.geteuid!();
  if (user === 0) process.seteuid!(65_534);
  try {
    return await work();
  } finally {
    if (user === 0) process.seteuid!(user);
  }
}

test('a picture that may not be read is a problem of its own', async () => {
  const folder = await folderWith({ 'a.png': await picture(1), 'b.png': await picture(2) });
  await chmod(folder, 0o755);
  await chmod(path.join(folder, 'b.png'), 0);
  const found = await asNobody(() =>
    Promise.all(['a.png', 'b.png'].map((name) => findLocalFile(folder, '', name))),
  );
  expect(found).toEqual([
    { file: path.join(await realpath(folder), 'a.png') },
    { file: null, problem: 'the file cannot be opened.' },
  ]);
});

const story = (title: string) =>
  `<article><h1 class="p-name">${title}</h1><section class="e-content"><p>Hi</p></section><time class="dt-published" datetime="2020-01-01T00:00:00Z"></time></article>`;
const zipOf = async (files: Record<string, Uint8Array>) =>
  path.join(await folderWith({ 'export.zip': zipSync(files) }), 'export.zip');

test('a text in a ZIP file that is not UTF-8 is skipped, and the rest goes on', async () => {
  const input = await zipOf({
    'posts/one-0123456789ab.html': Buffer.from(story('One')),
    'posts/two-0123456789ac.html': Buffer.from(story('Zw\xf6lf'), 'latin1'),
  });
  const { result } = await importedInput({ from: 'medium', input });
  expect(result).toMatchObject({
    imported: { posts: 1 },
    skipped: [{ item: 'posts/two-0123456789ac.html', reason: 'The file is not UTF-8 text.' }],
  });
});

test('the files that macOS adds to a ZIP file are no posts', async () => {
  const input = await zipOf({
    'x/posts/one-0123456789ab.html': Buffer.from(story('One')),
    '__MACOSX/x/posts/._one-0123456789ab.html': Buffer.from([0, 5, 22, 7, 0, 2, 0xff]),
    'x/.DS_Store': Buffer.from('x'),
  });
  const { result } = await importedInput({ from: 'medium', input });
  expect(result).toMatchObject({ imported: { posts: 1 }, skipped: [], ignored: {}, warnings: [] });
});

test('a ZIP file of the current folder is read, and no text begins with a byte order mark', async () => {
  const csv = 'post_id,post_date,is_published,type,title\n1.one,2020-01-01T00:00:00Z,true,newsletter,One\n';
  const input = await zipOf({
    './posts.csv': Buffer.from(csv),
    './posts/1.one.html': Buffer.from('\uFEFFHello there'),
  });
  const { posts } = await importedInput({ from: 'substack', input });
  expect(posts).toMatchObject({ one: { title: 'One', body: 'Hello there' } });
});

test.each([
  [
    'blogger',
    '<feed><entry><id>tag:blogger.com,1999:blog-1.post-2</id><published>2020-01-01T00:00:00Z</published><category scheme="http://schemas.google.com/g/2005#kind" term="#post"/><title>A\u000B</title><content>b\u0008c</content></entry></feed>',
  ],
  [
    'tumblr',
    '<tumblr><post id="1" unix-timestamp="1577836800" type="regular"><regular-title>A\u000B</regular-title><regular-body>b\u0008c</regular-body></post></tumblr>',
  ],
] as const)('control characters in an export of %s do not end the import', async (from, xml) => {
  const input = path.join(await folderWith({ 'a.xml': xml }), 'a.xml');
  const { posts } = await importedInput({ from, input });
  expect(posts).toMatchObject({ a: { title: 'A', body: 'bc' } });
});
