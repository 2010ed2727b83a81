// media:move between stores, a site on S3 from upload to backup, and doctor.
import { createHash } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportBackup } from '#app/backup/export-backup.server.ts';
import { importBackup } from '#app/backup/import-backup.server.ts';
import { storeMedia, type Media } from '#app/media/store-media.server.ts';
import { removeLater, sweepRemovedMedia } from '#app/media/sweep.server.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
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

it('copies everything once, verifies it, goes on after a stop, and keeps the source', async () => {
  const { MEDIA_STORE, ...credentials } = standInVariables(standIn);
  const env = { ...app.variables, ...credentials };
  const move = () => runCommand(['media:move', '--to', MEDIA_STORE!], { env });
  const count = await fileCount();
  standIn.objects.set(`blog/${media[0]!.path}`, { bytes: Buffer.from('torn'), meta: {} });
  const first = await move();
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(first.json()).toMatchObject({ copied: count, skipped: 0, verified: count });
  const stored = standIn.objects.get(`blog/${media[0]!.path}`)!;
  expect(createHash('sha256').update(stored.bytes).digest('hex')).toBe(media[0]!.sha256);
  expect((await move()).json()).toEqual({ copied: 0, skipped: count, bytes: 0, verified: count });
  expect(await fileCount()).toBe(count);
  const back = path.join(await tempFolder(), 'back');
  const variables = { ...env, MEDIA_STORE: MEDIA_STORE! };
  const returned = await runCommand(['media:move', '--to', `file:${back}`], { env: variables });
  expect(returned.json()).toMatchObject({ copied: count });
  expect(await readFile(path.join(back, media[1]!.path))).toEqual(
    await readFile(path.join(app.env.uploadsDir, media[1]!.path)),
  );
  expect((await runCommand(['media:move', '--to', 'ftp://x'], { env })).code).toBe(2);
  const file = path.join(back, media[1]!.path);
  for (const place of [file, path.join(file, 'below'), '/proc/none/media']) {
    const { code, stdout, stderr } = await runCommand(['media:move', '--to', `file:${place}`], { env });
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^[^\n]*folder[^\n]*\n$/)]);
    expect(stderr).not.toMatch(/E[A-Z]{4,}/);
  }
  const same = await runCommand(['media:move', '--to', `file:${app.env.uploadsDir}`], { env });
  expect([same.code, same.stderr]).toEqual([1, expect.stringContaining('already')]);
  const below = path.join(app.env.uploadsDir, 'below');
  const inside = await runCommand(['media:move', '--to', `file:${below}`], { env });
  expect([inside.code, inside.stdout, inside.stderr]).toEqual([1, '', expect.stringContaining('already')]);
  await expect(stat(below)).rejects.toThrow('ENOENT');
});

it('a site on S3 serves, takes, sweeps, saves and restores its media', async () => {
  const onS3 = await createTestApp({ now: new Date(), variables: standInVariables(standIn, 'site') });
  const upload = { bytes: await picture({ seed: 9 }), originalName: 'b.jpg', uploadedById: null };
  const row = await storeMedia(onS3, upload);
  expect(standIn.objects.has(`site/${row.path}`)).toBe(true);
  await createPost(onS3, {
    slug: 'boat',
    status: 'published',
    publishedAt: new Date(Date.now() - 60_000),
    coverMediaId: row.id,
    body: 'x',
    bodyHtml: `<p><img src="/uploads/${row.path}" srcset="/uploads/${row.path} 1w" alt=""></p>`,
  });
  const { json } = await runCommand(['media:make-avif', '--seconds', '60'], { env: onS3.variables });
  expect(json()).toMatchObject({ pictures: 1, failed: 0, waiting: 0 });
  const avif = row.path.replace('.jpg', '-640.avif');
  const folder = path.join(await tempFolder(), 'backup');
  expect(await exportBackup(onS3, { outputDir: folder })).toMatchObject({ warnings: [] });

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

  const cdn = await startServer({ env: { ...onS3.variables, MEDIA_URL: 'https://media.example.org/b/' } });
  const page = (await cdn.client().get('/posts/boat')).text;
  expect(page).toContain(`https://media.example.org/b/${avif} 640w`);
  expect(page).toContain(`src="https://media.example.org/b/${row.path}"`);
  expect(page).toContain(`srcset="https://media.example.org/b/${row.path} 1w"`);
  expect(page).not.toContain('"/uploads/');
  expect((await cdn.client().get('/rss.xml')).text).toContain(`https://media.example.org/b/${row.path}`);
  await cdn.stop();

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

  await inTransaction(onS3.db, (tx) => removeLater(tx, ['site-gone.webp'], new Date(0)));
  standIn.objects.set('site/site-gone.webp', { bytes: Buffer.from('x'), meta: {} });
  expect(await sweepRemovedMedia(onS3)).toEqual({ removedFileCount: 1 });
  expect(standIn.objects.has('site/site-gone.webp')).toBe(false);

  standIn.objects.set('site/stray.webp', { bytes: Buffer.from('stray'), meta: {} });
  await importBackup(onS3, { inputDir: folder, force: true });
  const keys = [...standIn.objects.keys()].filter((key) => key.startsWith('site/'));
  expect(keys.some((key) => key.includes('.import-') || key.endsWith('stray.webp'))).toBe(false);
  expect(keys).toContain(`site/${row.path}`);
  await onS3.close();
});

it('doctor names what is wrong and exits 1, and 0 where there are only warnings', async () => {
  interface Diagnosis {
    ok: boolean;
    checks: { name: string; status: string; message: string }[];
  }
  const server = await startServer({ env: app.variables });
  const env = { ...app.variables, AUTH_URL: server.url };
  const good = await runCommand(['doctor'], { env });
  const diagnosis = good.json<Diagnosis>();
  expect(diagnosis.checks.filter(({ status }) => status === 'problem')).toEqual([]);
  expect([good.code, good.stderr, diagnosis.ok]).toEqual([0, '', true]);
  expect(diagnosis.checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(
      'environment database migrations plans clock disk permissions trigger backups search AUTH_URL'.split(
        ' ',
      ),
    ),
  );
  await server.stop();
  await app.db.$executeRawUnsafe('DROP INDEX "media_removals_remove_after_idx"');
  const bad = await runCommand(['doctor'], { env: { ...env, AUTH_SECRET: '' } });
  const problems = Object.fromEntries(
    bad
      .json<Diagnosis>()
      .checks.filter(({ status }) => status === 'problem')
      .map(({ name, message }) => [name, message]),
  );
  expect([bad.code, bad.json<Diagnosis>().ok]).toEqual([1, false]);
  expect(problems).toEqual({
    environment: 'AUTH_SECRET is not configured',
    plans: expect.stringContaining('media_removals_remove_after_idx') as string,
    AUTH_URL: expect.stringContaining('does not answer') as string,
  });
  const nothing = path.join(await tempFolder(), 'not-a-database.db');
  await writeFile(nothing, 'this is no database, but long enough to be taken for one');
  const down = await runCommand(['doctor'], { env: { ...env, DATABASE_URL: `file:${nothing}` } });
  const failed = down.json<Diagnosis>().checks.filter(({ status }) => status === 'problem');
  expect([down.code, failed.map(({ name }) => name)]).toEqual([
    1,
    expect.arrayContaining(['database', 'migrations', 'plans']),
  ]);
  expect(failed.find(({ name }) => name === 'database')!.message).toMatch(
    /^The database named by DATABASE_URL cannot be used: (?!Invalid)/,
  );
  expect((await runCommand(['doctor'], { env: { ...env, DATABASE_URL: '' } })).stderr).toBe(
    'DATABASE_URL is not configured\n',
  );
  await rm(nothing, { force: true });
  const store = 's3://bucket?endpoint=http://127.0.0.1:1&region=x';
  const keys = { S3_ACCESS_KEY_ID: 'x', S3_SECRET_ACCESS_KEY: 'y' };
  const unreachable = await runCommand(['doctor'], { env: { ...env, ...keys, MEDIA_STORE: store } });
  expect(unreachable.json<Diagnosis>().checks.find(({ name }) => name === 'media')).toMatchObject({
    status: 'problem',
    message: expect.stringMatching(/^s3:\/\/bucket: the store cannot be reached/) as string,
  });
});
