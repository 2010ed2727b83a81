// Backups of older versions: the rows are migrated on their way in. The fixture is of the first version that was landed.
import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { verifyBackup } from '#app/backup/restore/verify-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { codeMigrationTag } from '#app/platform/database/migrations.server.ts';
import { createTestApp, describeWithApp, describeWithOneApp } from '#tests/support/app.ts';
import { contentOf } from '#tests/support/instances.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const first = path.join(import.meta.dirname, '../../support/backups/first-version');
const FIRST_TAG = '20261121000000_initial';

interface Manifest {
  migrationTag: string;
  application: { name: string; version: string };
  tables: { name: string; file: string; rows: number; bytes: number; sha256: string }[];
}

/** A copy of the fixture with another manifest or table, its checksums right. */
async function changed(
  change: (manifest: Manifest) => void,
  table?: [name: string, (text: string) => string],
) {
  const folder = path.join(await tempFolder(), 'backup');
  await cp(first, folder, { recursive: true });
  const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
  if (table) {
    const entry = manifest.tables.find(({ name }) => name === table[0])!;
    const file = path.join(folder, entry.file);
    const text = table[1](await readFile(file, 'utf8'));
    await writeFile(file, text);
    entry.bytes = Buffer.byteLength(text);
    entry.sha256 = createHash('sha256').update(text).digest('hex');
  }
  change(manifest);
  await writeFile(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
}

describeWithOneApp('a backup of the first version', (getApp) => {
  let result: Awaited<ReturnType<typeof importBackup>>;
  beforeAll(async () => {
    result = await importBackup(getApp(), { inputDir: first, reindexSearch: true });
  });
  const findPosts = () => getApp().db.post.findMany({ orderBy: { title: 'asc' }, include: { tags: true } });

  it('verifies and is imported', async () => {
    expect(await verifyBackup(getApp(), { inputDir: first })).toMatchObject({
      valid: true,
      migrationTag: FIRST_TAG,
    });
    expect(result).toMatchObject({
      migratedFrom: FIRST_TAG,
      restoredMediaFileCount: 1,
      skippedRedactedSecretKeys: ['smtp_password'],
      reindexedSearch: true,
    });
  });

  it('gives back its posts with their texts, times and tags', async () => {
    const posts = await findPosts();
    expect(posts.map(({ title, status, tags }) => [title, status, tags.length])).toEqual([
      ['An idea', 'draft', 0],
      ['Later', 'scheduled', 1],
      ['The harbour at dawn', 'published', 2],
    ]);
    expect(posts[2]).toMatchObject({
      excerpt: 'Boats before sunrise.',
      publishedAt: new Date('2026-01-05T08:00:00.000Z'),
      body: expect.stringContaining('Übermut, 数据.') as string,
    });
  });

  it('gives back its redirects, people and media, and fills sitemap and search', async () => {
    const { db, mediaStore, search } = getApp();
    expect(await db.redirect.count()).toBe(1);
    expect(await db.user.findUnique({ where: { email: 'ada@example.org' } })).not.toBeNull();
    const [media] = await db.media.findMany();
    expect(await mediaStore.head(media!.path)).toMatchObject({ bytes: media!.bytes });
    expect(await db.sitemapEntry.count()).toBe(1);
    const anywhere = { categoryId: null, tagId: null, excludedIds: [], offset: 0, limit: 5 };
    expect((await search.search({ text: 'nets', ...anywhere })).ids).toEqual([(await findPosts())[2]!.id]);
  });

  it('is exported as a backup of this version', async () => {
    const again = path.join(await tempFolder(), 'again');
    await exportBackup(getApp(), { outputDir: again });
    expect(await verifyBackup(getApp(), { inputDir: again })).toMatchObject({
      migrationTag: codeMigrationTag(),
    });
  });
});

describeWithApp('a backup of the first version', (getApp) => {
  it.each([
    [
      'of a newer version',
      { migrationTag: '20990101000000_from_the_future' },
      /newer than this version.*Install the newer version/,
    ],
    ['of an unknown branch', { migrationTag: '20261121000000_other' }, /does not know/],
  ])('%s is refused with what to do', async (name, change, message) => {
    const app = getApp();
    const before = await contentOf(app);
    const folder = await changed((manifest) => Object.assign(manifest, change));
    await expect(importBackup(app, { inputDir: folder })).rejects.toThrow(message);
    await expect(verifyBackup(app, { inputDir: folder })).rejects.toThrow(message);
    expect(await contentOf(app)).toEqual(before);
  });

  it('of a newer version says so also where its manifest is written differently', async () => {
    const folder = await changed((manifest) =>
      Object.assign(manifest, { migrationTag: '20990101000000_from_the_future' }),
    );
    const file = path.join(folder, 'manifest.json');
    await writeFile(file, JSON.stringify(JSON.parse(await readFile(file, 'utf8'))));
    await expect(verifyBackup(getApp(), { inputDir: folder })).rejects.toThrow(/newer than this version/);
  });

  it.each([
    [
      'a column of a later version',
      (text: string) => text.replace('{"id":', '{"later":1,"id":'),
      /column "later" is unknown/,
    ],
    [
      'a missing column',
      (text: string) => text.replace(/"title":"[^"]*",/, ''),
      /posts.jsonl, line \d: column "title" is missing/,
    ],
    ['a line that is no JSON', (text: string) => text.replace('{', '['), /posts.jsonl, line 1/],
    [
      'an author that nobody is',
      (text: string) => text.replace(/"author_id":null/, '"author_id":"x"'),
      /posts.jsonl/,
    ],
    [
      'a state that never was',
      (text: string) => text.replace('"status":"draft"', '"status":"odd"'),
      /none of/,
    ],
  ])('with %s is refused, and nothing is changed', async (name, spoil, message) => {
    const app = getApp();
    const before = await contentOf(app);
    const folder = await changed(() => {}, ['posts', spoil]);
    await expect(importBackup(app, { inputDir: folder })).rejects.toThrow(message);
    expect(await contentOf(app)).toEqual(before);
  });
});

it.each([
  ['title', { nested: true }, 'column "title" is not text'],
  ['title', null, 'column "title" is not text'],
  ['version', '1', 'column "version" is not a whole number of 32 bits'],
  ['created_at', '2026-13-45', 'column "created_at" is not a time such as'],
  ['published_at', 'soon', 'column "published_at" is not a time such as'],
])('an older row whose %s is %j is refused with its file and line', async (column, value, reason) => {
  const app = await createTestApp();
  const folder = await changed(() => {}, [
    'posts',
    (text) => {
      const [line = '', ...rest] = text.split('\n');
      return [JSON.stringify({ ...(JSON.parse(line) as object), [column]: value }), ...rest].join('\n');
    },
  ]);
  const refusal = await verifyBackup(app, { inputDir: folder }).catch((error: unknown) => error);
  expect((refusal as Error).message).toContain(`tables/posts.jsonl, line 1: ${reason}`);
  await app.close();
});

it('an older row that no form takes today is refused with its table and key', async () => {
  const app = await createTestApp();
  const folder = await changed(() => {}, [
    'posts',
    (text) => text.replace(/"slug":"[^"]*"/, '"slug":"admin/../x"'),
  ]);
  await expect(verifyBackup(app, { inputDir: folder })).rejects.toThrow(
    /^posts, row \S+: column "slug" is not a slug/,
  );
  await app.close();
});
