// media:move between stores, a site on S3 from upload to backup, and doctor.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { storeMedia, type Media } from '#app/media/library/store-media.server.ts';
import { removeLater, sweepRemovedMedia } from '#app/media/library/sweep.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { createPost } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';
import { standInVariables, startS3StandIn, type S3StandIn } from '#tests/support/s3/stand-in.ts';
import { startServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

let app: TestApp;
let standIn: S3StandIn;
const media: Media[] = [];

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  standIn = await startS3StandIn();
  for (const seed of [1, 2, 3])
    media.push(
      await storeMedia(app, { bytes: await picture({ seed }), originalName: 'a.jpg', uploadedById: null }),
    );
});
afterAll(async () => {
  await app?.close();
  await standIn?.close();
});

const fileCount = async () => {
  let count = 0;
  for await (const entry of app.mediaStore.list()) count += entry.isFile ? 1 : 0;
  return count;
};

describe('media:move', () => {
  let env: Record<string, string>;
  let store: string;
  let first: Awaited<ReturnType<typeof runCommand>>;
  beforeAll(async () => {
    const { MEDIA_STORE, ...credentials } = standInVariables(standIn);
    env = { ...app.variables, ...credentials };
    store = MEDIA_STORE!;
    standIn.objects.set(`blog/${media[0]!.path}`, { bytes: Buffer.from('torn'), meta: {} });
    first = await moveTo(store);
  });
  const moveTo = (place: string, variables = env) =>
    runCommand(['media:move', '--to', place], { env: variables });

  it('copies everything once, verifies it, continues after a stop, and keeps the source', async () => {
    const count = await fileCount();
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.json()).toMatchObject({ copied: count, skipped: 0, verified: count });
    const stored = standIn.objects.get(`blog/${media[0]!.path}`)!;
    expect(createHash('sha256').update(stored.bytes).digest('hex')).toBe(media[0]!.sha256);
    expect((await moveTo(store)).json()).toEqual({ copied: 0, skipped: count, bytes: 0, verified: count });
    expect(await fileCount()).toBe(count);
  });

  it('copies from a store into a folder', async () => {
    const back = path.join(await tempFolder(), 'back');
    const returned = await moveTo(`file:${back}`, { ...env, MEDIA_STORE: store });
    expect(returned.json()).toMatchObject({ copied: await fileCount() });
    expect(await readFile(path.join(back, media[1]!.path))).toEqual(
      await readFile(path.join(app.env.uploadsDir, media[1]!.path)),
    );
  });

  it('refuses a place that no folder can be at, in one line', async () => {
    expect((await moveTo('ftp://x')).code).toBe(2);
    const file = path.join(await folderWith({ 'a.jpg': 'x' }), 'a.jpg');
    for (const place of [file, path.join(file, 'below'), '/proc/none/media']) {
      const { code, stdout, stderr } = await moveTo(`file:${place}`);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^[^\n]*folder[^\n]*\n$/)]);
      expect(stderr).not.toMatch(/E[A-Z]{4,}/);
    }
  });

  it('refuses the folder that the media are in, and one below it', async () => {
    const same = await moveTo(`file:${app.env.uploadsDir}`);
    expect([same.code, same.stderr]).toEqual([1, expect.stringContaining('already')]);
    const below = path.join(app.env.uploadsDir, 'below');
    const inside = await moveTo(`file:${below}`);
    expect([inside.code, inside.stdout, inside.stderr]).toEqual([1, '', expect.stringContaining('already')]);
    await expect(stat(below)).rejects.toThrow('ENOENT');
  });
});

describe('a site on S3', () => {
  let onS3: TestApp;
  let row: Media;
  let avif: string;
  let backup: string;
  beforeAll(async () => {
    onS3 = await createTestApp({ now: new Date(), variables: standInVariables(standIn, 'site') });
    const upload = { bytes: await picture({ seed: 9 }), originalName: 'b.jpg', uploadedById: null };
    row = await storeMedia(onS3, upload);
    await createPost(onS3, {
      slug: 'boat',
      status: 'published',
      publishedAt: new Date(Date.now() - 60_000),
      coverMediaId: row.id,
      body: 'x',
      bodyHtml: `<p><img src="/uploads/${row.path}" srcset="/uploads/${row.path} 1w" alt=""></p>`,
    });
    avif = row.path.replace('.jpg', '-640.avif');
  });
  afterAll(() => onS3?.close());

  it('keeps uploads and their copies there, and saves them with a backup', async () => {
    expect(standIn.objects.has(`site/${row.path}`)).toBe(true);
    const { json } = await runCommand(['media:make-avif', '--seconds', '60'], { env: onS3.variables });
    expect(json()).toMatchObject({ pictures: 1, failed: 0, waiting: 0 });
    backup = path.join(await tempFolder(), 'backup');
    expect(await exportBackup(onS3, { outputDir: backup })).toMatchObject({ warnings: [] });
  });

  it('serves media whole, in parts and not at all, as a folder does', async () => {
    const server = await startServer({ env: onS3.variables });
    const client = server.client();
    const whole = await client.get(`/uploads/${row.path}`);
    expect([whole.status, whole.headers['content-type'], whole.headers['content-length']]).toEqual([
      200,
      row.mimeType,
      String(row.bytes),
    ]);
    expect(whole.headers['content-security-policy']).toContain('sandbox');
    expect((await client.get(`/uploads/${avif}`)).headers['content-type']).toBe('image/avif');
    expect((await client.get('/posts/boat')).text).toContain(`<source type="image/avif" srcSet="/uploads/`);
    const part = await client.get(`/uploads/${row.path}`, { range: 'bytes=0-9' });
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 0-9/${row.bytes}`]);
    expect((await client.get(`/uploads/${row.path}`, { 'if-none-match': whole.headers.etag! })).status).toBe(
      304,
    );
    expect((await client.get('/uploads/2026/11/none.webp')).status).toBe(404);
    expect((await client.get('/uploads/.import-x/plan.json')).status).toBe(404);
    expect((await client.get('/posts/boat')).text).toContain(`src="/uploads/${row.path}"`);
    await server.stop();
  });

  it('names its media at MEDIA_URL in pages and feeds', async () => {
    const cdn = await startServer({ env: { ...onS3.variables, MEDIA_URL: 'https://media.example.org/b/' } });
    const page = (await cdn.client().get('/posts/boat')).text;
    expect(page).toContain(`https://media.example.org/b/${avif} 640w`);
    expect(page).toContain(`src="https://media.example.org/b/${row.path}"`);
    expect(page).toContain(`srcset="https://media.example.org/b/${row.path} 1w"`);
    expect(page).not.toContain('"/uploads/');
    expect((await cdn.client().get('/rss.xml')).text).toContain(`https://media.example.org/b/${row.path}`);
    await cdn.stop();
  });

  it('leads browsers to the store where it is told to', async () => {
    const leading = await startServer({
      env: { ...onS3.variables, MEDIA_STORE: `${onS3.variables.MEDIA_STORE}&redirect=true` },
    });
    const led = await leading.client().get(`/uploads/${row.path}`);
    expect([led.status, led.headers['cache-control']]).toEqual([302, 'public, max-age=600']);
    const direct = await fetch(led.headers.location!);
    expect([direct.status, direct.headers.get('content-type')]).toEqual([200, row.mimeType]);
    expect((await leading.client().get('/uploads/2026/11/none.webp')).status).toBe(404);
    const policy = (await leading.client().get('/posts/boat')).headers['content-security-policy'];
    expect(policy).toContain(`img-src 'self' data: https: ${standIn.endpoint};`);
    await leading.stop();
  });

  it('sweeps files that were removed', async () => {
    await inTransaction(onS3.db, (tx) => removeLater(tx, ['site-gone.webp'], new Date(0)));
    standIn.objects.set('site/site-gone.webp', { bytes: Buffer.from('x'), meta: {} });
    expect(await sweepRemovedMedia(onS3)).toEqual({ removedFileCount: 1 });
    expect(standIn.objects.has('site/site-gone.webp')).toBe(false);
  });

  it('restores its media from a backup, and nothing else stays', async () => {
    standIn.objects.set('site/stray.webp', { bytes: Buffer.from('stray'), meta: {} });
    await importBackup(onS3, { inputDir: backup, force: true });
    const keys = [...standIn.objects.keys()].filter((key) => key.startsWith('site/'));
    expect(keys.some((key) => key.includes('.import-') || key.endsWith('stray.webp'))).toBe(false);
    expect(keys).toContain(`site/${row.path}`);
  });
});

describe('doctor', () => {
  interface Diagnosis {
    ok: boolean;
    checks: { name: string; status: string; message: string }[];
  }
  const unanswered = 'http://127.0.0.1:1';
  const diagnose = async (variables: Record<string, string>) => {
    const command = await runCommand(['doctor'], {
      env: { ...app.variables, AUTH_URL: unanswered, ...variables },
    });
    const diagnosis = command.json<Diagnosis>();
    const problems = diagnosis.checks.filter(({ status }) => status === 'problem');
    return { command, diagnosis, problems };
  };

  it('exits 0 where there are only warnings', async () => {
    const server = await startServer({ env: app.variables });
    const { command: good, diagnosis, problems } = await diagnose({ AUTH_URL: server.url });
    const { diagnosis: below } = await diagnose({ AUTH_URL: `${server.url}/blog` });
    await server.stop();
    expect(below.checks.find(({ name }) => name === 'AUTH_URL')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(
        `The path in AUTH_URL is left out: the site is at ${server.url},`,
      ) as string,
    });
    expect(problems).toEqual([]);
    expect([good.code, good.stderr, diagnosis.ok]).toEqual([0, '', true]);
    expect(diagnosis.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(
        'environment database migrations plans clock disk permissions trigger backups search AUTH_URL'.split(
          ' ',
        ),
      ),
    );
  });

  it('names what is wrong and exits 1', async () => {
    await app.db.$executeRawUnsafe('DROP INDEX "media_removals_remove_after_idx"');
    const { command, diagnosis, problems } = await diagnose({ AUTH_SECRET: '' });
    expect([command.code, diagnosis.ok]).toEqual([1, false]);
    expect(Object.fromEntries(problems.map(({ name, message }) => [name, message]))).toEqual({
      environment: 'AUTH_SECRET is not configured',
      plans: expect.stringContaining('media_removals_remove_after_idx') as string,
      AUTH_URL: expect.stringContaining('does not answer') as string,
    });
  });

  it('takes a placeholder as AUTH_URL for none, and names the variable once', async () => {
    const { problems } = await diagnose({ AUTH_URL: '<AUTH_URL>' });
    expect(problems.map(({ name, message }) => [name, message])).toEqual(
      expect.arrayContaining([
        ['environment', 'AUTH_URL is not configured'],
        ['AUTH_URL', 'Not checked: mend the problem of “environment” first.'],
      ]),
    );
    const both = await diagnose({ AUTH_URL: '', AUTH_SECRET: '' });
    expect(both.problems.find(({ name }) => name === 'environment')!.message).toBe(
      'AUTH_SECRET and AUTH_URL are not configured',
    );
  });

  it('names a database that cannot be used', async () => {
    const folder = await folderWith({ 'not.db': 'this is no database, but long enough to be taken for one' });
    const nothing = path.join(folder, 'not.db');
    const { command, problems } = await diagnose({ DATABASE_URL: `file:${nothing}` });
    expect([command.code, problems.map(({ name }) => name)]).toEqual([
      1,
      expect.arrayContaining(['database', 'migrations', 'plans']),
    ]);
    expect(problems.find(({ name }) => name === 'database')!.message).toMatch(
      /^The database named by DATABASE_URL cannot be used: (?!Invalid)/,
    );
    expect((await runCommand(['doctor'], { env: { ...app.variables, DATABASE_URL: '' } })).stderr).toBe(
      'DATABASE_URL is not configured\n',
    );
  });

  it('names a media store that cannot be reached', async () => {
    const store = 's3://bucket?endpoint=http://127.0.0.1:1&region=x';
    const keys = { S3_ACCESS_KEY_ID: 'x', S3_SECRET_ACCESS_KEY: 'y' };
    const { diagnosis } = await diagnose({ ...keys, MEDIA_STORE: store });
    expect(diagnosis.checks.find(({ name }) => name === 'media')).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/^s3:\/\/bucket: the store cannot be reached/) as string,
    });
  });
});
