import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Manifest } from '#app/backup/format/manifest.ts';
import type { BackupRow } from '#app/backup/format/rows.ts';
import { verifyBackup } from '#app/backup/restore/verify-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { openDatabase } from '#app/platform/database/client.server.ts';
import { takeFileLock } from '#app/platform/database/process-lock.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createMedia, createPost, createPosts, createTag, createUser } from '#tests/support/factories.ts';
import { sampleInstance, writeInstance } from '#tests/support/instances.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const newFolder = async () => path.join(await tempFolder(), 'deep', 'backup');

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
}

async function rowsOf(folder: string, table: string): Promise<BackupRow[]> {
  const text = await readFile(path.join(folder, `tables/${table}.jsonl`), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as BackupRow);
}

async function store(app: TestApp, name: string, content: string): Promise<void> {
  const file = path.join(app.env.uploadsDir, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Writes about a hundred times a second: each transaction publishes a batch whole and leaves a post with a tag. */
function startWriting(app: TestApp): { written(): number; stop(): Promise<void> } {
  let isOver = false;
  let written = 0;
  const work = async () => {
    const db = await openDatabase(app.env.database);
    while (!isOver) {
      written += 1;
      const due = { where: { status: 'scheduled' }, take: 5, select: { id: true } };
      const batch = await db.post.findMany(due);
      await inTransaction(db, async (tx) => {
        const inside = { db: tx as never, clock: app.clock };
        const tag = await createTag(inside, { name: `write ${written}` });
        await createPost(inside, { title: `write ${written}`, tagIds: [tag.id] });
        await tx.post.updateMany({
          where: { id: { in: batch.map(({ id }) => id) } },
          data: { status: 'published', title: `batch ${written}` },
        });
      });
      await sleep(5);
    }
    await db.$disconnect();
  };
  const ended = work();
  const stop = () => {
    isOver = true;
    return ended;
  };
  return { written: () => written, stop };
}

/** A row in each table that a backup leaves out; all have the word. */
async function createEphemeralRows(app: TestApp): Promise<void> {
  const user = await createUser(app);
  const post = await createPost(app, { status: 'published' });
  const now = app.clock.now();
  const token = { userId: user.id, createdAt: now, expiresAt: now };
  await app.db.session.create({ data: { ...token, id: 'ephemeral-session', lastSeenAt: now } });
  await app.db.userToken.create({
    data: { ...token, id: 'ephemeral', purpose: 'reset', tokenHash: 'ephemeral-token' },
  });
  await app.db.previewLink.create({
    data: {
      id: 'ephemeral-link',
      postId: post.id,
      tokenHash: 'ephemeral-hash',
      createdAt: now,
      expiresAt: now,
    },
  });
  await app.db.loginThrottle.create({ data: { key: 'ephemeral-throttle', points: 3 } });
  await app.db.auditLog.create({ data: { id: 'ephemeral-log', at: now, actor: 'x', action: 'ephemeral' } });
  await app.db.publishRun.create({ data: { id: 'ephemeral-run', source: 'command', startedAt: now } });
  await app.db.searchOutbox.create({
    data: { postId: post.id, marker: 'ephemeral-mark', enqueuedAt: now },
  });
}

describeWithApp('an export', (getApp) => {
  it('writes the folder that the contract describes, and tells what it holds', async () => {
    const app = getApp();
    await writeInstance(app, sampleInstance(12, 12));
    const outputDir = await newFolder();
    const result = await exportBackup(app, { outputDir });
    const manifest = await manifestOf(outputDir);
    const rowCount = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
    expect(await verifyBackup(app, { inputDir: outputDir })).toMatchObject({ valid: true, rowCount });
    expect(result).toEqual({
      outputDir,
      manifestPath: path.join(outputDir, 'manifest.json'),
      secretPolicy: 'redacted',
      tableCount: manifest.tables.length,
      mediaFileCount: manifest.media.length,
      warnings: [],
    });
  });

  it('writes a manifest in the form that the contract describes', async () => {
    const app = getApp();
    const outputDir = await newFolder();
    await exportBackup(app, { outputDir });
    const manifest = await manifestOf(outputDir);
    expect(Object.keys(manifest)).toEqual([
      'formatVersion',
      'createdAt',
      'application',
      'migrationTag',
      'secretPolicy',
      'redactedSecretKeys',
      'restoreOrder',
      'tables',
      'media',
      'warnings',
    ]);
    expect(manifest).toMatchObject({ formatVersion: 1, createdAt: app.clock.now().toISOString() });
    expect(manifest.restoreOrder).toEqual(manifest.tables.map(({ name }) => name));
  });

  it('holds no sessions, tokens, preview links, counters, logs or search data', async () => {
    const app = getApp();
    await createEphemeralRows(app);
    const outputDir = await newFolder();
    await exportBackup(app, { outputDir });
    for (const name of await readdir(path.join(outputDir, 'tables')))
      expect(await readFile(path.join(outputDir, 'tables', name), 'utf8')).not.toContain('ephemeral');
  });

  it('is for its owner only', async () => {
    const app = getApp();
    await store(app, '2026/11/a.webp', 'a');
    const outputDir = await newFolder();
    await exportBackup(app, { outputDir });
    for (const entry of await readdir(outputDir, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(path.join(entry.parentPath, entry.name));
      expect(mode & 0o777, entry.name).toBe(entry.isDirectory() ? 0o700 : 0o600);
    }
    expect((await stat(outputDir)).mode & 0o777).toBe(0o700);
  });

  it('says in a warning what it could not save, and what is not what the rows say', async () => {
    const app = getApp();
    await createMedia(app, { path: '2026/11/missing.webp' });
    await createMedia(app, { path: '2026/11/changed.webp' });
    await store(app, '2026/11/changed.webp', 'changed');
    await store(app, 'con.txt', 'reserved');
    await store(app, 'Twice.txt', 'a');
    await store(app, 'twice.txt', 'b');
    await store(app, '.gitkeep', '');
    await symlink('/etc/hostname', path.join(app.env.uploadsDir, 'link.txt'));
    const outputDir = await newFolder();
    const { warnings, mediaFileCount } = await exportBackup(app, { outputDir });
    expect(mediaFileCount).toBe(2);
    expect(warnings).toEqual([
      'uploads/con.txt was left out: its name does not exist on every system.',
      'uploads/link.txt was left out: it is not a regular file.',
      'uploads/twice.txt was left out: another file has the same name but for upper and lower case.',
      expect.stringMatching(/^media\/2026\/11\/changed\.webp is not the file that the database describes/),
      expect.stringMatching(/^media\/2026\/11\/missing\.webp is missing/),
    ]);
    expect((await manifestOf(outputDir)).warnings).toEqual(warnings);
    await verifyBackup(app, { inputDir: outputDir });
  });

  it('refuses a folder that is not free, and leaves that as it was', async () => {
    const app = getApp();
    const outputDir = await tempFolder();
    await writeFile(path.join(outputDir, 'mine.txt'), 'mine');
    await expect(exportBackup(app, { outputDir })).rejects.toThrow(/not empty/);
    expect(await readdir(outputDir)).toEqual(['mine.txt']);
    await expect(exportBackup(app, { outputDir: path.join(outputDir, 'mine.txt') })).rejects.toThrow(
      /not a folder/,
    );
    const empty = await tempFolder();
    expect(await exportBackup(app, { outputDir: empty })).toMatchObject({ outputDir: empty });
  });

  it('leaves nothing behind when it fails, and takes away what a killed one left', async () => {
    const app = getApp();
    await createPosts(app, 120);
    const parent = await tempFolder();
    const outputDir = path.join(parent, 'backup');
    const onProgress = () => {
      throw new Error('stopped');
    };
    await expect(exportBackup(app, { outputDir, onProgress })).rejects.toThrow('stopped');
    expect(await readdir(parent)).toEqual([]);
    for (const name of ['.dateline-export-dead', '.dateline-export-alive']) {
      await mkdir(path.join(parent, name, 'tables'), { recursive: true });
      await writeFile(path.join(parent, `${name}.lock`), '');
    }
    const alive = await takeFileLock(path.join(parent, '.dateline-export-alive.lock'), 'exclusive', 0);
    await exportBackup(app, { outputDir });
    expect((await readdir(parent)).sort()).toEqual([
      '.dateline-export-alive',
      '.dateline-export-alive.lock',
      'backup',
    ]);
    await alive!.release();
  });

  it('names the row that no backup can hold', async () => {
    const app = getApp();
    const { id } = await createPost(app, { status: 'lost' });
    await expect(exportBackup(app, { outputDir: await newFolder() })).rejects.toThrow(
      new RegExp(`posts, row ${id}: column "status" is none of draft`),
    );
  });

  it('is consistent while others write a hundred times a second', async () => {
    const app = getApp();
    await createPosts(app, 400, { status: 'scheduled', body: 'text '.repeat(200) });
    const writer = startWriting(app);
    while (writer.written() < 3) await sleep(5);
    const outputDir = await newFolder();
    const before = writer.written();
    await exportBackup(app, { outputDir });
    const during = writer.written() - before;
    await writer.stop();

    expect(during).toBeGreaterThan(2);
    // No reference leads nowhere, and no batch is there in part.
    await verifyBackup(app, { inputDir: outputDir });
    const posts = await rowsOf(outputDir, 'posts');
    const written1 = posts.filter(({ title }) => String(title).startsWith('write')).length;
    expect((await rowsOf(outputDir, 'tags')).length).toBe(written1);
    expect((await rowsOf(outputDir, 'post_tags')).length).toBe(written1);
    const batches = posts.filter(({ title }) => String(title).startsWith('batch'));
    expect(batches.length).toBe(Math.min(400, written1 * 5));
    expect(batches.every(({ status }) => status === 'published')).toBe(true);
  });
});
