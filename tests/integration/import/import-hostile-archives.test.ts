// Archives that are made to do harm: they are read in memory within bounds, and nothing of them is written by its name.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { openArchiveFiles } from '#app/import/source/files.server.ts';
import { importedInput } from '#tests/support/imported-folder.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const story = (title: string) =>
  `<html><head><title>${title}</title></head><body><article class="h-entry"><h1 class="p-name">${title}</h1><section data-field="body" class="e-content"><p>Text</p></section><footer><time class="dt-published" datetime="2021-01-01T00:00:00.000Z"></time></footer></article></body></html>`;

async function archiveOf(files: Record<string, Uint8Array>, change = (zip: Buffer) => zip): Promise<string> {
  const input = path.join(await tempFolder(), 'export.zip');
  await writeFile(input, change(Buffer.from(zipSync(files, { level: 1 }))));
  return input;
}

/** In an entry of the archive's directory: the size of the file once it is unpacked. */
const SIZE = 24;

function entriesOf(zip: Buffer): number[] {
  const entries: number[] = [];
  const mark = Buffer.from('PK\x01\x02');
  for (let at = zip.indexOf(mark); at >= 0; at = zip.indexOf(mark, at + 1)) entries.push(at);
  return entries;
}

test('a text that unpacks to more than a text may have is skipped, the rest is imported', async () => {
  const input = await archiveOf({
    'posts/2021-01-01_Good-0123456789ab.html': Buffer.from(story('Good')),
    'posts/2021-01-01_Bomb-0123456789ac.html': Buffer.alloc(100_000_000, 'a'),
  });
  const { result, posts } = await importedInput({ from: 'medium', input });
  expect(Object.keys(posts)).toEqual(['good']);
  expect(result.skipped).toMatchObject([{ reason: expect.stringMatching(/too large/) as string }]);
});

test('texts that unpack to more than a gigabyte are refused before they are unpacked', async () => {
  const part = Buffer.from('A text.');
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`posts/${index}.html`, part]));
  const input = await archiveOf(files, (zip) => {
    for (const entry of entriesOf(zip)) zip.writeUInt32LE(1_900_000, entry + SIZE);
    return zip;
  });
  const before = process.memoryUsage().arrayBuffers;
  await expect(openArchiveFiles(input)).rejects.toThrow('holds more than 1 GB of text');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_200_000_000);
});

test('a size that lies makes no larger text', async () => {
  const name = 'posts/2021-01-01_Lie-0123456789ab.html';
  const input = await archiveOf({ [name]: Buffer.alloc(50_000_000, 'a') }, (zip) => {
    for (const entry of entriesOf(zip)) zip.writeUInt32LE(1_000, entry + SIZE);
    return zip;
  });
  const archive = await openArchiveFiles(input);
  const text = await archive.text(name).catch(() => '');
  expect(text.length).toBeLessThanOrEqual(1_000);
});

test('names that lead elsewhere are names like others, and name nothing outside', async () => {
  const names = [
    '../../escaped.html',
    '/etc/escaped.html',
    'posts\\..\\escaped.html',
    'posts/../../x.html',
    '__proto__.html',
  ];
  const secret = path.join(await tempFolder(), 'secret.html');
  await writeFile(secret, 'secret');
  const input = await archiveOf(
    Object.fromEntries(
      [...names, 'posts/2021-01-01_Good-0123456789ab.html'].map((name) => [name, Buffer.from(story('Good'))]),
    ),
  );
  const archive = await openArchiveFiles(input);
  // Those with `..` count as hidden.
  expect(archive.files.filter((file) => /(^|\/)\.\.(\/|$)/.test(file))).toEqual([]);
  await expect(archive.text(`../${path.basename(path.dirname(secret))}/secret.html`)).rejects.toThrow();
  const { posts } = await importedInput({ from: 'medium', input });
  expect(Object.keys(posts)).toEqual(['good']);
});

test('as many entries as a file can name are read within seconds', async () => {
  const empty = new Uint8Array();
  const files = Object.fromEntries(Array.from({ length: 65_000 }, (_, index) => [`f/${index}.png`, empty]));
  const input = await archiveOf(files);
  const before = process.cpuUsage();
  expect((await openArchiveFiles(input)).files).toHaveLength(65_000);
  expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
});
