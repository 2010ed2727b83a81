import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportBackup } from '#app/backup/export-backup.server.ts';
import { importBackup } from '#app/backup/import-backup.server.ts';
import type { Manifest } from '#app/backup/manifest.ts';
import type { BackupRow } from '#app/backup/rows.ts';
import { verifyBackup } from '#app/backup/verify-backup.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCategory, createMedia, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { contentOf, sampleInstance, writeInstance, type Content } from '#tests/support/instances.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

/** A backup on the disk that a test spoils. */
interface Spoilt {
  folder: string;
  at(name: string): string;
  /** Changes the manifest. */
  manifest(change: (manifest: Manifest & Record<string, unknown>) => void): Promise<void>;
  /** Changes the rows of a table, and the manifest so that every checksum fits. */
  rows(table: string, change: (rows: BackupRow[]) => BackupRow[] | undefined): Promise<void>;
  /** Changes the bytes of a file, and the manifest so that every checksum fits. */
  bytes(name: string, change: (content: Buffer) => Buffer): Promise<void>;
}

const picture = '2026/11/first.webp';
const secondPicture = '2026/11/second.webp';

// What is done to the backup, the file that the refusal must name, and its reason.
const ways: [way: string, spoil: (backup: Spoilt) => Promise<unknown>, file: string, reason: RegExp][] = [
  // Bytes of each kind of file.
  ['a flipped byte in a table', (b) => flip(b.at('tables/posts.jsonl'), 40), 'tables/posts.jsonl', /SHA-256/],
  [
    'a flipped last byte of a table',
    (b) => flip(b.at('tables/tags.jsonl'), -1),
    'tables/tags.jsonl',
    /SHA-256/,
  ],
  ['a flipped byte in a picture', (b) => flip(b.at(`media/${picture}`), 3), `media/${picture}`, /SHA-256/],
  ['a flipped brace in the manifest', (b) => flip(b.at('manifest.json'), 0), 'manifest.json', /JSON/],
  [
    'a byte in the manifest that is no UTF-8',
    (b) => poke(b.at('manifest.json'), 30, 0xff),
    'manifest.json',
    /UTF-8/,
  ],
  ['a zero byte in the manifest', (b) => poke(b.at('manifest.json'), 30, 0), 'manifest.json', /JSON|written/],
  ['a truncated table', (b) => truncate(b.at('tables/posts.jsonl'), 100), 'tables/posts.jsonl', /bytes/],
  ['an emptied table', (b) => truncate(b.at('tables/posts.jsonl'), 0), 'tables/posts.jsonl', /bytes/],
  ['a truncated picture', (b) => truncate(b.at(`media/${picture}`), 2), `media/${picture}`, /bytes/],
  ['a truncated manifest', (b) => truncate(b.at('manifest.json'), 200), 'manifest.json', /JSON/],
  ['an empty manifest', (b) => truncate(b.at('manifest.json'), 0), 'manifest.json', /JSON/],
  ['a line more', (b) => appendFile(b.at('tables/tags.jsonl'), '{}\n'), 'tables/tags.jsonl', /bytes/],
  // Files that are missing, extra, swapped or no files.
  ['no manifest', (b) => rm(b.at('manifest.json')), 'manifest.json', /missing/],
  ['a missing table', (b) => rm(b.at('tables/tags.jsonl')), 'tables/tags.jsonl', /missing/],
  ['a missing picture', (b) => rm(b.at(`media/${picture}`)), `media/${picture}`, /missing/],
  ['no media folder', (b) => rm(b.at('media'), { recursive: true }), `media/${picture}`, /missing/],
  ['an extra table', (b) => writeFile(b.at('tables/more.jsonl'), ''), 'tables/more.jsonl', /does not know/],
  [
    'an extra picture',
    (b) => writeFile(b.at('media/2026/extra.webp'), 'x'),
    'media/2026/extra.webp',
    /does not know/,
  ],
  [
    'an extra file beside the manifest',
    (b) => writeFile(b.at('notes.txt'), 'x'),
    'notes.txt',
    /does not know/,
  ],
  ['an extra folder', (b) => mkdir(b.at('media/2027')), 'media/2027', /does not know/],
  [
    'swapped pictures',
    (b) => swap(b.at(`media/${picture}`), b.at(`media/${secondPicture}`)),
    'media/2026/11/',
    /SHA-256/,
  ],
  ['swapped tables', (b) => swap(b.at('tables/tags.jsonl'), b.at('tables/posts.jsonl')), 'tables/', /bytes/],
  ['a table that is a link', (b) => linkAway(b, 'tables/posts.jsonl'), 'tables/posts.jsonl', /symbolic link/],
  ['a picture that is a link', (b) => linkAway(b, `media/${picture}`), `media/${picture}`, /symbolic link/],
  ['a manifest that is a link', (b) => linkAway(b, 'manifest.json'), 'manifest.json', /symbolic link/],
  ['a folder that is a link', (b) => linkAway(b, 'media/2026'), 'media/2026', /symbolic link/],
  ['a table that is a FIFO', (b) => makeFifo(b, 'tables/posts.jsonl'), 'tables/posts.jsonl', /regular file/],
  ['a picture that is a FIFO', (b) => makeFifo(b, `media/${picture}`), `media/${picture}`, /regular file/],
  ['a manifest that is a FIFO', (b) => makeFifo(b, 'manifest.json'), 'manifest.json', /regular file/],
  ['a table that is a folder', (b) => makeFolder(b, 'tables/posts.jsonl'), 'tables/posts.jsonl', /folder/],
  ['a manifest that is a folder', (b) => makeFolder(b, 'manifest.json'), 'manifest.json', /regular file/],
  [
    'tables that are a file',
    (b) => rm(b.at('tables'), { recursive: true }).then(() => writeFile(b.at('tables'), '')),
    'tables',
    /missing|not know/,
  ],
  // A manifest that says something else.
  ['another format', (b) => b.manifest((m) => (m.formatVersion = 2 as 1)), 'manifest.json', /format is 2/],
  [
    'a format of another type',
    (b) => b.manifest((m) => ((m as { formatVersion: unknown }).formatVersion = '1')),
    'manifest.json',
    /format is "1"/,
  ],
  [
    'another migration',
    (b) => b.manifest((m) => (m.migrationTag = '20300101000000_later')),
    'manifest.json',
    /20300101000000_later.*db:migrate/,
  ],
  ['an unknown key', (b) => b.manifest((m) => (m.note = 'x')), 'manifest.json', /"note" is unknown/],
  [
    'a missing key',
    (b) => b.manifest((m) => void Reflect.deleteProperty(m, 'warnings')),
    'manifest.json',
    /warnings/,
  ],
  ['a manifest that is a list', (b) => writeFile(b.at('manifest.json'), '[]\n'), 'manifest.json', /manifest/],
  [
    'an unknown table',
    (b) => b.manifest((m) => (m.tables[0]!.name = 'sessions')),
    'manifest.json',
    /"sessions" is unknown/,
  ],
  ['a table less', (b) => b.manifest((m) => void m.tables.pop()), 'manifest.json', /import_items is missing/],
  ['a table twice', (b) => b.manifest((m) => void m.tables.push(m.tables[0]!)), 'manifest.json', /twice/],
  [
    'another restore order',
    (b) => b.manifest((m) => void m.restoreOrder.reverse()),
    'manifest.json',
    /restore order/,
  ],
  [
    'a table file elsewhere',
    (b) => b.manifest((m) => (m.tables[0]!.file = '../settings.jsonl')),
    'manifest.json',
    /must be tables\/settings.jsonl/,
  ],
  [
    'another number of rows',
    (b) => b.manifest((m) => (m.tables[5]!.rows += 1)),
    'tables/posts.jsonl',
    /rows/,
  ],
  [
    'a negative size',
    (b) => b.manifest((m) => (m.tables[5]!.bytes = -1)),
    'manifest.json',
    /tables\.5\.bytes/,
  ],
  [
    'a huge size',
    (b) => b.manifest((m) => (m.media[0]!.bytes = Number.MAX_SAFE_INTEGER)),
    `media/${picture}`,
    /bytes/,
  ],
  [
    'a checksum that is none',
    (b) => b.manifest((m) => (m.media[0]!.sha256 = 'x')),
    'manifest.json',
    /SHA-256/,
  ],
  ['a byte order mark', (b) => prepend(b.at('manifest.json'), '\ufeff'), 'manifest.json', /JSON/],
  ['other line ends', (b) => replaceIn(b.at('manifest.json'), /\n/g, '\r\n'), 'manifest.json', /written/],
  [
    'a key twice',
    (b) =>
      replaceIn(b.at('manifest.json'), '"formatVersion": 1,', '"formatVersion": 1,\n  "formatVersion": 1,'),
    'manifest.json',
    /written/,
  ],
  // Names that lead elsewhere.
  ...[
    '../escape.webp',
    'a/../../escape.webp',
    '/etc/escape.webp',
    'C:/escape.webp',
    'a\\..\\escape.webp',
    './a.webp',
    'a//b.webp',
    '',
    '.hidden/a.webp',
    '.import-x/plan.json',
    'con.webp',
    'a/NUL',
    'trailing./a',
    'bell\u0007.webp',
  ].map((name): (typeof ways)[number] => [
    `the media path ${JSON.stringify(name)}`,
    (b) => b.manifest((m) => (m.media[0]!.path = name)),
    'manifest.json',
    /media\.0\.path: must be a path below the uploads folder/,
  ]),
  [
    'two paths that differ in case',
    (b) => b.manifest((m) => void m.media.unshift({ ...m.media[0]!, path: picture.toUpperCase() })),
    'manifest.json',
    /upper and lower case/,
  ],
  [
    'a path that is a file and a folder',
    (b) => b.manifest((m) => void m.media.push({ ...m.media[0]!, path: `${secondPicture}/a` })),
    'manifest.json',
    /both a file and a folder/,
  ],
  [
    'a media path twice',
    (b) => b.manifest((m) => void m.media.unshift(m.media[0]!)),
    'manifest.json',
    /twice/,
  ],
  [
    'a picture less, and its file',
    (b) => rm(b.at(`media/${picture}`)).then(() => b.manifest((m) => void m.media.shift())),
    `media/${picture}`,
    /tables\/media\.jsonl names it/,
  ],
  [
    'another picture with a checksum that fits',
    (b) => b.bytes(`media/${picture}`, () => Buffer.from('evil')),
    `media/${picture}`,
    /not the file that tables\/media\.jsonl describes/,
  ],
  // Rows, with checksums that fit.
  ['a row twice', (b) => b.rows('tags', (rows) => [rows[0]!, ...rows]), 'tables/tags.jsonl, line 2', /twice/],
  [
    'rows in another order',
    (b) => b.rows('tags', (rows) => void rows.reverse()),
    'tables/tags.jsonl, line 2',
    /not in order/,
  ],
  [
    'a slug twice',
    (b) => b.rows('tags', (rows) => void (rows[1]!.slug = rows[0]!.slug!)),
    'tables/tags.jsonl, line 2',
    /slug of another row/,
  ],
  [
    'an author that is nowhere',
    (b) => b.rows('posts', (rows) => void (rows[0]!.author_id = 'nobody')),
    'tables/posts.jsonl, line 1',
    /"author_id" names a row that users does not have/,
  ],
  [
    'a tag that is nowhere',
    (b) => b.rows('post_tags', (rows) => void (rows[0]!.tag_id = 'none')),
    'tables/post_tags.jsonl, line 1',
    /"tag_id"/,
  ],
  [
    'an unknown column',
    (b) => b.rows('posts', (rows) => void (rows[0]!.extra = 1)),
    'tables/posts.jsonl, line 1',
    /"extra" is unknown/,
  ],
  [
    'a missing column',
    (b) => b.rows('posts', (rows) => void Reflect.deleteProperty(rows[0]!, 'title')),
    'tables/posts.jsonl, line 1',
    /"title" is missing/,
  ],
  [
    'a text that is a number',
    (b) => b.rows('posts', (rows) => void (rows[0]!.title = 5)),
    'tables/posts.jsonl, line 1',
    /"title" is not text/,
  ],
  [
    'a text that is null',
    (b) => b.rows('posts', (rows) => void (rows[0]!.body = null)),
    'tables/posts.jsonl, line 1',
    /"body" is not text/,
  ],
  [
    'a number that is huge',
    (b) => b.rows('posts', (rows) => void (rows[0]!.version = 2 ** 31)),
    'tables/posts.jsonl, line 1',
    /"version" is not a whole number of 32 bits/,
  ],
  [
    'a number that is a fraction',
    (b) => b.rows('posts', (rows) => void (rows[0]!.version = 1.5)),
    'tables/posts.jsonl, line 1',
    /"version"/,
  ],
  [
    'a number beyond all',
    (b) => b.bytes('tables/posts.jsonl', swapText('"version":1', '"version":1e400')),
    'tables/posts.jsonl, line 1',
    /"version"/,
  ],
  [
    'a truth that is a number',
    (b) => b.rows('posts', (rows) => void (rows[0]!.has_been_public = 1)),
    'tables/posts.jsonl, line 1',
    /"has_been_public"/,
  ],
  [
    'a time that is none',
    (b) => b.rows('posts', (rows) => void (rows[0]!.created_at = '2026-02-30T00:00:00.000Z')),
    'tables/posts.jsonl, line 1',
    /"created_at" is not a time/,
  ],
  [
    'a time in another zone',
    (b) => b.rows('posts', (rows) => void (rows[0]!.created_at = '2026-02-20T00:00:00.000+01:00')),
    'tables/posts.jsonl, line 1',
    /"created_at" is not a time/,
  ],
  [
    'a time past all years',
    (b) => b.rows('posts', (rows) => void (rows[0]!.created_at = '+010000-01-01T00:00:00.000Z')),
    'tables/posts.jsonl, line 1',
    /"created_at" is not a time/,
  ],
  [
    'an unknown state',
    (b) => b.rows('posts', (rows) => void (rows[0]!.status = 'secret')),
    'tables/posts.jsonl, line 1',
    /"status" is none of/,
  ],
  [
    'an unknown role',
    (b) => b.rows('users', (rows) => void (rows[0]!.role = 'god')),
    'tables/users.jsonl, line 1',
    /"role" is none of/,
  ],
  [
    'a stored file outside the folder',
    (b) => b.rows('media', (rows) => void (rows[0]!.path = '../../etc/passwd')),
    'tables/media.jsonl, line 1',
    /"path" is not a path below/,
  ],
  [
    'a variant outside the folder',
    (b) => b.rows('media', (rows) => void (rows[0]!.variants = '[{"path":"../x","bytes":1}]')),
    'tables/media.jsonl, line 1',
    /"variants"/,
  ],
  [
    'a NUL in a text',
    (b) => b.rows('posts', (rows) => void (rows[0]!.title = 'a\0b')),
    'tables/posts.jsonl, line 1',
    /cannot|no database/,
  ],
  [
    'half a surrogate pair',
    (b) => b.bytes('tables/posts.jsonl', swapText('"excerpt":""', '"excerpt":"\\ud800"')),
    'tables/posts.jsonl, line 1',
    /"excerpt"/,
  ],
  [
    'bytes that are no UTF-8',
    (b) =>
      b.bytes('tables/posts.jsonl', (content) =>
        Buffer.concat([content.subarray(0, -3), Buffer.from([0xc3, 0x28]), content.subarray(-3)]),
      ),
    'tables/posts.jsonl, line 2',
    /UTF-8/,
  ],
  [
    'a table with a byte order mark',
    (b) => b.bytes('tables/tags.jsonl', (content) => Buffer.concat([Buffer.from('\ufeff'), content])),
    'tables/tags.jsonl, line 1',
    /JSON/,
  ],
  [
    'a table with other line ends',
    (b) => b.bytes('tables/tags.jsonl', swapText('\n', '\r\n')),
    'tables/tags.jsonl, line 1',
    /written/,
  ],
  [
    'a table without its last line end',
    (b) => b.bytes('tables/tags.jsonl', (content) => content.subarray(0, -1)),
    'tables/tags.jsonl',
    /last line has no end/,
  ],
  [
    'an empty line',
    (b) => b.bytes('tables/tags.jsonl', (content) => Buffer.concat([Buffer.from('\n'), content])),
    'tables/tags.jsonl, line 1',
    /JSON/,
  ],
  [
    'a space in a line',
    (b) => b.bytes('tables/tags.jsonl', swapText('{', '{ ')),
    'tables/tags.jsonl, line 1',
    /written/,
  ],
  [
    'a doubled column',
    (b) => b.bytes('tables/tags.jsonl', swapText('{"id"', '{"id":"x","id"')),
    'tables/tags.jsonl, line 1',
    /written/,
  ],
  [
    'a line that is a list',
    (b) => b.bytes('tables/tags.jsonl', () => Buffer.from('[]\n')),
    'tables/tags.jsonl, line 1',
    /not an object/,
  ],
  [
    'a redacted setting that is no secret',
    (b) =>
      b.rows('settings', (rows) => [
        { key: 'admin_path', redacted: true, updated_at: rows[0]!.updated_at! },
        ...rows.slice(1),
      ]),
    'tables/settings.jsonl, line 1',
    /not a secret/,
  ],
  [
    'a secret that says it is redacted but is not',
    (b) =>
      b.rows(
        'settings',
        (rows) =>
          void Object.assign(
            rows.find(({ key }) => key === 'site_title')!,
            { key: 'smtp_password' },
          ),
      ),
    'tables/settings.jsonl',
    /plain text|not in order/,
  ],
  [
    'a redacted row in another table',
    (b) => b.rows('tags', (rows) => [{ redacted: true }, ...rows]),
    'tables/tags.jsonl, line 1',
    /unknown|missing/,
  ],
];

describe('a backup that was tampered with', () => {
  let source: string;
  let target: TestApp;
  let before: Content;

  beforeAll(async () => {
    source = await makeBackup();
    target = await createTestApp();
    await writeInstance(target, sampleInstance(2, 6));
    before = await contentOf(target);
    await importBackup(target, { inputDir: source, force: true });
    await writeInstance(target, sampleInstance(2, 6));
    before = await contentOf(target);
  });
  afterAll(() => target.close());

  it('is tried in more than forty ways', () => {
    expect(new Set(ways.map(([way]) => way)).size).toBe(ways.length);
    expect(ways.length).toBeGreaterThan(40);
  });

  it.each(ways)('is refused with %s', async (_, spoil, file, reason) => {
    const backup = await spoiltCopy(source);
    await spoil(backup);
    for (const attempt of [
      () => verifyBackup(target, { inputDir: backup.folder }),
      () => importBackup(target, { inputDir: backup.folder, force: true }),
    ]) {
      const refusal = await attempt().then(
        () => 'accepted',
        (error: unknown) => (error as Error).message,
      );
      expect(refusal).toContain(file);
      expect(refusal).toMatch(reason);
      expect(refusal).not.toContain('\n');
    }
    expect(await contentOf(target)).toEqual(before);
    expect((await readdir(target.env.uploadsDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('a file of a backup that may not be read', () => {
  it.each(['manifest.json', 'tables/posts.jsonl', `media/${picture}`])('%s is named', async (file) => {
    const target = await createTestApp();
    const backup = await spoiltCopy(await makeBackup());
    await target.db.post.count(); // opens the database while its folder may be entered
    await openForAll(path.dirname(backup.folder));
    await chmod(backup.at(file), 0);
    await asNobody(() =>
      expect(importBackup(target, { inputDir: backup.folder })).rejects.toThrow(
        `${file}: it cannot be read (EACCES).`,
      ),
    );
    await target.close();
  });
});

async function openForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

/** Root reads every file, so it steps down for the time of `work`. */
async function asNobody(work: () => Promise<unknown>): Promise<void> {
  const isRoot = process.geteuid!() === 0;
  if (isRoot) process.seteuid!(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid!(0);
  }
}

async function makeBackup(): Promise<string> {
  const app = await createTestApp();
  const user = await createUser(app);
  const category = await createCategory(app);
  const tags = [await createTag(app), await createTag(app)];
  for (const name of [picture, secondPicture]) {
    const content = `content of ${name}`.padEnd(40);
    const sha256 = createHash('sha256').update(content).digest('hex');
    await mkdir(path.join(app.env.uploadsDir, '2026/11'), { recursive: true });
    await writeFile(path.join(app.env.uploadsDir, name), content);
    await createMedia(app, { path: name, bytes: Buffer.byteLength(content), sha256 });
  }
  for (let number = 0; number < 2; number += 1)
    await createPost(app, { authorId: user.id, categoryId: category.id, tagIds: tags.map(({ id }) => id) });
  const outputDir = path.join(await tempFolder(), 'backup');
  const { warnings } = await exportBackup(app, { outputDir });
  expect(warnings).toEqual([]);
  await app.close();
  return outputDir;
}

async function spoiltCopy(source: string): Promise<Spoilt> {
  const folder = path.join(await tempFolder(), 'backup');
  await cp(source, folder, { recursive: true });
  const at = (name: string) => path.join(folder, name);
  const manifest: Spoilt['manifest'] = async (change) => {
    const value = JSON.parse(await readFile(at('manifest.json'), 'utf8')) as Manifest &
      Record<string, unknown>;
    change(value);
    await writeFile(at('manifest.json'), `${JSON.stringify(value, null, 2)}\n`);
  };
  const bytes: Spoilt['bytes'] = async (name, change) => {
    const content = change(await readFile(at(name)));
    await writeFile(at(name), content);
    const file = { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
    await manifest(({ tables, media }) => {
      for (const entry of tables)
        if (entry.file === name)
          Object.assign(entry, file, { rows: content.toString().split('\n').length - 1 });
      for (const entry of media) if (`media/${entry.path}` === name) Object.assign(entry, file);
    });
  };
  const rows: Spoilt['rows'] = (table, change) =>
    bytes(`tables/${table}.jsonl`, (content) => {
      const parsed = content
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as BackupRow);
      const changed = change(parsed) ?? parsed;
      return Buffer.from(changed.map((row) => `${JSON.stringify(row)}\n`).join(''));
    });
  return { folder, at, manifest, rows, bytes };
}

async function flip(file: string, position: number): Promise<void> {
  const content = await readFile(file);
  const index = position < 0 ? content.length + position : position;
  content[index]! ^= 1;
  await writeFile(file, content);
}

async function poke(file: string, position: number, byte: number): Promise<void> {
  const content = await readFile(file);
  content[position] = byte;
  await writeFile(file, content);
}

async function swap(first: string, second: string): Promise<void> {
  await rename(first, `${first}.swap`);
  await rename(second, first);
  await rename(`${first}.swap`, second);
}

async function linkAway(backup: Spoilt, name: string): Promise<void> {
  const elsewhere = path.join(await tempFolder(), 'elsewhere');
  await rename(backup.at(name), elsewhere);
  await symlink(elsewhere, backup.at(name));
}

async function makeFifo(backup: Spoilt, name: string): Promise<void> {
  await rm(backup.at(name));
  execFileSync('mkfifo', [backup.at(name)]);
}

async function makeFolder(backup: Spoilt, name: string): Promise<void> {
  await rm(backup.at(name));
  await mkdir(backup.at(name));
}

async function prepend(file: string, text: string): Promise<void> {
  await writeFile(file, text + (await readFile(file, 'utf8')));
}

async function replaceIn(file: string, what: string | RegExp, by: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replace(what, by));
}

function swapText(what: string, by: string): (content: Buffer) => Buffer {
  return (content) => Buffer.from(content.toString().replace(what, by));
}
