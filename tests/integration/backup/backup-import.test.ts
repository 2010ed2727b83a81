import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { businessTables } from '#app/backup/format/tables.ts';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { recoverImport } from '#app/backup/restore/staging.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { withUploadsLock } from '#app/media/library/uploads-lock.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { decryptSecret, encryptSecret } from '#app/settings/secrets.server.ts';
import { createTestApp, describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { createMedia, createPost, createUser } from '#tests/support/factories.ts';
import { contentOf, sampleInstance, writeInstance } from '#tests/support/instances.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

/** A backup of a random instance, made on SQLite. */
async function makeBackup(options: { seed?: number; includeSecrets?: boolean } = {}): Promise<string> {
  const app = await createTestApp();
  await writeInstance(app, sampleInstance(options.seed ?? 12, 12));
  const outputDir = path.join(await tempFolder(), 'backup');
  await exportBackup(app, { outputDir, includeSecrets: options.includeSecrets });
  await app.close();
  return outputDir;
}

async function setSecret(app: TestApp, value: string): Promise<void> {
  const row = { value: encryptSecret(value, app.env.authSecret), updatedAt: app.clock.now() };
  await app.db.setting.upsert({
    where: { key: 'smtp_password' },
    create: { key: 'smtp_password', ...row },
    update: row,
  });
}

async function secretOf(app: TestApp): Promise<string | undefined> {
  const row = await app.db.setting.findUnique({ where: { key: 'smtp_password' } });
  return row ? decryptSecret(row.value, app.env.authSecret) : undefined;
}

async function store(app: TestApp, name: string, content: string): Promise<void> {
  const file = path.join(app.env.uploadsDir, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

const contentVersionOf = async (app: TestApp) =>
  (await app.db.siteState.findUniqueOrThrow({ where: { id: 1 } })).contentVersion;

/** What the manifest of a backup says of its media. */
async function mediaOf(folder: string): Promise<unknown> {
  const manifest = await readFile(path.join(folder, 'manifest.json'), 'utf8');
  return (JSON.parse(manifest) as { media: unknown }).media;
}

describeWithOneApp('an import with --force', (getApp) => {
  let inputDir: string;
  let postBefore: { id: string };
  let versionBefore: bigint | number;

  beforeAll(async () => {
    const app = getApp();
    await writeInstance(app, sampleInstance(3, 12));
    const user = await createUser(app);
    postBefore = await createPost(app, { status: 'published' });
    const now = app.clock.now();
    const session = { id: 'session', userId: user.id, createdAt: now, lastSeenAt: now, expiresAt: now };
    await app.db.session.create({ data: session });
    await app.db.mediaRemoval.create({ data: { path: 'gone.webp', removeAfter: now } });
    await app.db.auditLog.create({ data: { id: 'log', at: now, actor: 'x', action: 'x' } });
    await store(app, 'old/picture.png', 'old');
    versionBefore = await contentVersionOf(app);
    inputDir = await makeBackup();
    await importBackup(app, { inputDir, force: true });
  });

  it('replaces the files', async () => {
    const again = path.join(await tempFolder(), 'again');
    await exportBackup(getApp(), { outputDir: again });
    expect(await mediaOf(again)).toEqual(await mediaOf(inputDir));
    expect(await readdir(getApp().env.uploadsDir)).not.toContain('old');
  });

  it('replaces the posts, also in the sitemap, and tells every process', async () => {
    const { db } = getApp();
    expect(await db.post.findUnique({ where: { id: postBefore.id } })).toBeNull();
    const published = await db.post.findMany({ where: { status: 'published' } });
    const sitemap = await db.sitemapEntry.findMany();
    expect(sitemap.map(({ postId }) => postId).sort()).toEqual(published.map(({ id }) => id).sort());
    expect(await contentVersionOf(getApp())).toBeGreaterThan(versionBefore);
  });

  it('ends sessions and what was left to do, and keeps the audit log', async () => {
    const { db } = getApp();
    expect(await db.session.count()).toBe(0);
    expect(await db.mediaRemoval.count()).toBe(0);
    expect(await db.auditLog.count()).toBe(1);
    expect(await db.importJournal.count()).toBe(0);
  });
});

describeWithApp('an import', (getApp) => {
  it('goes into a seeded instance without --force', async () => {
    const app = getApp();
    await mkdir(app.env.uploadsDir, { recursive: true });
    await writeFile(path.join(app.env.uploadsDir, '.gitkeep'), '');
    const inputDir = await makeBackup();
    const result = await importBackup(app, { inputDir });
    expect(result).toMatchObject({
      inputDir,
      importedTableCount: businessTables.length,
      reindexedSearch: false,
    });
    expect(await app.db.user.count()).toBe(sampleInstance(12, 12).rows.users!.length);
    expect(await readdir(app.env.uploadsDir)).toContain('.gitkeep');
  });

  it.each([
    ['a user', (app: TestApp) => createUser(app)],
    ['a post', (app: TestApp) => createPost(app)],
    ['a file in the uploads folder', (app: TestApp) => store(app, 'deep/picture.png', 'x')],
  ])('refuses an instance with %s, which stays as it was', async (_, fill) => {
    const app = getApp();
    await fill(app);
    const before = await contentOf(app);
    await expect(importBackup(app, { inputDir: await makeBackup() })).rejects.toThrow(/not empty.*--force/);
    expect(await contentOf(app)).toEqual(before);
  });

  it('marks every post that is or was public for the search index', async () => {
    const app = getApp();
    const old = await createPost(app, { status: 'published' });
    app.search.upsert = () => Promise.reject(new Error('down'));
    app.search.remove = () => Promise.reject(new Error('down'));
    await importBackup(app, { inputDir: await makeBackup(), force: true });
    const published = await app.db.post.findMany({ where: { status: 'published' }, select: { id: true } });
    const marks = await app.db.searchOutbox.findMany();
    expect(marks.map(({ postId }) => postId).sort()).toEqual(
      [old.id, ...published.map(({ id }) => id)].sort(),
    );
    expect(new Set(marks.map(({ marker }) => marker)).size).toBe(marks.length);
  });

  it('keeps its own secret where the backup has a redacted one', async () => {
    const source = getApp();
    await setSecret(source, 'of the source');
    const inputDir = path.join(await tempFolder(), 'backup');
    await exportBackup(source, { outputDir: inputDir });
    expect(await readFile(path.join(inputDir, 'tables/settings.jsonl'), 'utf8')).toMatch(
      /^\{"key":"smtp_password","redacted":true,"updated_at":"[^"]+"\}$/m,
    );
    const target = await createTestApp();
    await setSecret(target, 'of the target');
    const kept = await importBackup(target, { inputDir });
    expect(kept).toMatchObject({ preservedSecretKeys: ['smtp_password'], skippedRedactedSecretKeys: [] });
    expect(await secretOf(target)).toBe('of the target');
    await target.db.setting.deleteMany({ where: { key: 'smtp_password' } });
    const skipped = await importBackup(target, { inputDir });
    expect(skipped).toMatchObject({ preservedSecretKeys: [], skippedRedactedSecretKeys: ['smtp_password'] });
    expect(await secretOf(target)).toBeUndefined();
    await target.close();
  });

  it('encrypts included secrets under its own AUTH_SECRET, and asks for one', async () => {
    const source = getApp();
    await setSecret(source, 'pässword 🔑');
    const inputDir = path.join(await tempFolder(), 'backup');
    await exportBackup(source, { outputDir: inputDir, includeSecrets: true });
    const target = await createTestApp({
      variables: { AUTH_SECRET: 'quite-another-secret-of-32-characters' },
    });
    await importBackup(target, { inputDir });
    expect(await secretOf(target)).toBe('pässword 🔑');
    const before = await contentOf(target);
    const bare = { ...target, env: { ...target.env, authSecret: undefined } };
    await expect(importBackup(bare, { inputDir })).rejects.toThrow('AUTH_SECRET is not configured');
    await expect(exportBackup(bare, { outputDir: `${inputDir}-2`, includeSecrets: true })).rejects.toThrow(
      'AUTH_SECRET is not configured',
    );
    expect(await contentOf(target)).toEqual(before);
    await target.close();
  });

  it('replaces foreign files, folders and links that lie in the way of its own', async () => {
    const source = getApp();
    const files = {
      'logo.png': 'new logo',
      'pictures/a.png': 'a',
      'linked/b.png': 'b',
      flat: 'flat',
      'same.png': 'same',
    };
    for (const [name, content] of Object.entries(files)) await store(source, name, content);
    const inputDir = path.join(await tempFolder(), 'backup');
    await exportBackup(source, { outputDir: inputDir });
    const target = await createTestApp();
    const outside = await tempFolder();
    await writeFile(path.join(outside, 'b.png'), 'somebody else’s');
    await store(target, 'logo.png', 'old logo');
    await store(target, 'pictures', 'a file where a folder comes');
    await store(target, 'flat/inside.png', 'a folder where a file comes');
    await store(target, 'same.png', 'same');
    await symlink(outside, path.join(target.env.uploadsDir, 'linked'));
    await importBackup(target, { inputDir, force: true });
    expect((await contentOf(target)).files).toEqual(files);
    expect(await readFile(path.join(outside, 'b.png'), 'utf8')).toBe('somebody else’s');
    expect((await stat(path.join(target.env.uploadsDir, 'logo.png'))).mode & 0o777).toBe(0o644);
    await target.close();
  });

  it('leaves everything as it was when the database fails half-way', async () => {
    const app = getApp();
    await writeInstance(app, sampleInstance(3, 12));
    const before = await contentOf(app);
    const inputDir = await makeBackup();
    await expect(
      importBackup(app, {
        inputDir,
        force: true,
        onProgress: ({ step, done, total }) => {
          if (step === 'Writing rows' && done === total) throw new Error('the power of the disk');
        },
      }),
    ).rejects.toThrow('the power of the disk');
    expect(await contentOf(app)).toEqual(before);
    expect((await readdir(app.env.uploadsDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('lets a trigger wait, which then publishes what the import brought', async () => {
    const source = getApp();
    await createPost(source, { status: 'scheduled', publishedAt: new Date('2026-11-20T07:00:00.000Z') });
    const inputDir = path.join(await tempFolder(), 'backup');
    await exportBackup(source, { outputDir: inputDir });
    const target = await createTestApp({ dialect: source.env.database.dialect });
    await createPost(target, { status: 'scheduled', publishedAt: new Date('2026-11-20T07:00:00.000Z') });
    let trigger: Promise<{ publishedCount: number }> | undefined;
    await importBackup(target, {
      inputDir,
      force: true,
      onProgress: ({ step }) => {
        if (step === 'Writing rows') trigger ??= publishDue(target, 'command');
      },
    });
    // It saw the old post before the import and finds it gone, or comes after and publishes the new one.
    await trigger;
    await publishDue(target, 'command');
    const posts = await target.db.post.findMany();
    expect(posts.map(({ status }) => status)).toEqual(['published']);
    await target.close();
  });

  it('finds nothing to clear up where no import was stopped, and leaves a running one alone', async () => {
    const app = getApp();
    await recoverImport(app);
    await store(app, '.import-running/files/2026/11/new.webp', 'new');
    await withUploadsLock(app, 'exclusive', () => recoverImport(app));
    expect(await readdir(app.env.uploadsDir)).toEqual(['.import-running']);
    await recoverImport(app);
    expect(await readdir(app.env.uploadsDir)).toEqual([]);
  });

  it('does not take away a picture that was uploaded again after the import was killed', async () => {
    const app = getApp();
    await store(app, '2026/11/uploaded.webp', 'kept');
    await createMedia(app, { path: '2026/11/uploaded.webp' });
    await store(app, '2026/11/placed.webp', 'abandoned');
    await store(
      app,
      '.import-abandoned/plan.json',
      JSON.stringify({ placed: ['2026/11/uploaded.webp', '2026/11/placed.webp'], waiting: [], removed: [] }),
    );
    await recoverImport(app);
    expect((await contentOf(app)).files).toEqual({ '2026/11/uploaded.webp': 'kept' });
  });

  it('refuses a backup below the uploads folder, and an export into it', async () => {
    const app = getApp();
    const inside = path.join(app.env.uploadsDir, 'backup');
    await expect(exportBackup(app, { outputDir: inside })).rejects.toThrow(/uploads folder/);
    await expect(importBackup(app, { inputDir: inside })).rejects.toThrow(/uploads folder/);
  });
});
