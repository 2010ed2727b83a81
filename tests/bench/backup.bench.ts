// `npm run bench -- backup`: what a backup costs, at 10,000 and 100,000 posts with 2,000 pictures.
//   1. Export, verify and import in rows and bytes a second, and as ratios to what copies an instance without
//      looking at it: SQLite's own backup (`sqlite3 .backup`), PostgreSQL's copy of a template, plus `cp -r` of the uploads folder.
//   2. Peak memory of each, at 100,000 posts against 10,000 (to stay under 1.3 times).
// Each step runs in a process of its own. The search index is not updated, so this measures no search engine.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import type { App } from '#app/app.ts';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { verifyBackup } from '#app/backup/restore/verify-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { createApp } from '#app/compose.server.ts';
import { newId, systemClock } from '#app/platform/clock.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { onBothDatabases, type Place } from './on-both-databases.ts';
import { report } from './report.ts';

const SIZES = [10_000, 100_000];
const PICTURES = 2_000;
const PICTURE_BYTES = 150_000;
const BODY = 'Lorem ipsum dolor sit amet, consetetur sadipscing elitr. '.repeat(40);

const steps = {
  export: (app: App, folder: string) => exportBackup(app, { outputDir: folder }),
  verify: (app: App, folder: string) => verifyBackup(app, { inputDir: folder }),
  import: (app: App, folder: string) => importBackup(app, { inputDir: folder }),
};
type Step = keyof typeof steps;

interface Measured {
  seconds: number;
  peakBytes: number;
}

const [step, ...places] = process.argv.slice(2);
if (step === 'step') await runStep(...(places as [Step, string, string, string]));
else await measureAll();

async function measureAll(): Promise<void> {
  await onBothDatabases(async (label, place) => {
    const peaks: Record<Step, number>[] = [];
    for (const posts of SIZES) {
      const folder = path.join(place.folder, `${label}-${posts}`);
      await mkdir(folder);
      const newDatabase = (name: string) => place.newDatabase(`${name}_${posts}`);
      peaks.push(await measure(label, posts, { folder, newDatabase }));
      await rm(folder, { recursive: true });
    }
    for (const name of Object.keys(steps) as Step[])
      report(`${label}: ${name}, peak memory, 100,000 posts to 10,000`, peaks[1]![name] / peaks[0]![name], {
        atMost: 1.3,
      });
  });
}

async function measure(
  label: string,
  posts: number,
  { folder, newDatabase }: Place,
): Promise<Record<Step, number>> {
  const [source, target] = [await newDatabase('source'), await newDatabase('target')];
  const [uploads, restored, backup] = ['uploads', 'restored', 'backup'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  await prepareTemplate(source);
  await prepareTemplate(target);
  const app = await open(source, uploads);
  await fill(app, posts);
  await app.db.$disconnect();
  const exported = spawnStep('export', source, uploads, backup);
  const verified = spawnStep('verify', source, uploads, backup);
  const imported = spawnStep('import', target, restored, backup);
  const bytes = await sizeOf(backup);
  const rows = posts * 3;
  const copied = await copyUnseen(label, source, uploads, folder);
  for (const [name, { seconds, peakBytes }] of Object.entries({
    export: exported,
    verify: verified,
    import: imported,
  })) {
    const detail = `${seconds.toFixed(1)} s, ${thousands(rows / seconds)} rows/s, ${(bytes / seconds / 1e6).toFixed(0)} MB/s, peak ${(peakBytes / 1e6).toFixed(0)} MB`;
    report(`${label}: ${name} of ${thousands(posts)} posts to a plain copy`, seconds / copied, {}, detail);
  }
  return { export: exported.peakBytes, verify: verified.peakBytes, import: imported.peakBytes };
}

function spawnStep(name: Step, url: string, uploads: string, backup: string): Measured {
  const script = path.join(import.meta.dirname, 'backup.bench.ts');
  const output = execFileSync(
    process.execPath,
    ['--import', 'tsx', script, 'step', name, url, uploads, backup],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return JSON.parse(output) as Measured;
}

async function runStep(name: Step, url: string, uploads: string, backup: string): Promise<void> {
  const app = await open(url, uploads);
  const started = performance.now();
  await steps[name](app, backup);
  const seconds = (performance.now() - started) / 1_000;
  await app.db.$disconnect();
  process.stdout.write(JSON.stringify({ seconds, peakBytes: process.resourceUsage().maxRSS * 1_024 }));
}

/** Seconds of the database's own copy of its files (SQLite's backup, PostgreSQL's template) and of the folder's. */
async function copyUnseen(label: string, url: string, uploads: string, folder: string): Promise<number> {
  const started = performance.now();
  if (label === 'SQLite') {
    const db = new BetterSqlite3(url.slice('file:'.length), { readonly: true });
    await db.backup(path.join(folder, 'copy.db'));
    db.close();
  } else {
    const source = new URL(url);
    const name = source.pathname.slice(1);
    const client = new pg.Client({ connectionString: new URL('/postgres', source).href });
    await client.connect();
    await client.query(`CREATE DATABASE "copy_of_${name}" TEMPLATE "${name}"`);
    await client.end();
  }
  execFileSync('cp', ['-r', uploads, path.join(folder, 'copied')]);
  return (performance.now() - started) / 1_000;
}

async function open(url: string, uploads: string): Promise<App> {
  const variables = {
    DATABASE_URL: url,
    UPLOADS_DIR: uploads,
    SEARCH_HOST: 'http://127.0.0.1:1',
    LOG_LEVEL: 'silent',
  };
  return createApp(parseEnv(variables, 'command'), { logTo: 'stderr' });
}

async function fill(app: App, posts: number): Promise<void> {
  const now = new Date();
  const stamps = { createdAt: now, updatedAt: now };
  const tagId = newId(systemClock);
  await app.db.tag.create({ data: { id: tagId, slug: 'tag', name: 'Tag', ...stamps } });
  for (let from = 0; from < posts; from += 500) {
    const ids = Array.from({ length: 500 }, () => newId(systemClock));
    await app.db.post.createMany({
      data: ids.map((id) => ({
        id,
        slug: `post-${id}`,
        title: `Post ${id}`,
        body: BODY,
        bodyHtml: BODY,
        status: 'published',
        publishedAt: now,
        contentUpdatedAt: now,
        ...stamps,
      })),
    });
    await app.db.postTag.createMany({ data: ids.map((postId) => ({ postId, tagId })) });
    await app.db.revision.createMany({
      data: ids.map((postId) => ({
        id: newId(systemClock),
        postId,
        postVersion: 1,
        kind: 'save',
        fields: JSON.stringify({ body: BODY }),
        ...stamps,
      })),
    });
  }
  await mkdir(path.join(app.env.uploadsDir, '2026/11'), { recursive: true });
  for (let number = 0; number < PICTURES; number += 1) {
    const content = randomBytes(PICTURE_BYTES);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const file = `2026/11/${sha256.slice(0, 32)}.webp`;
    await writeFile(path.join(app.env.uploadsDir, file), content);
    await app.db.media.create({
      data: {
        id: newId(systemClock),
        path: file,
        originalName: 'x',
        mimeType: 'image/webp',
        bytes: PICTURE_BYTES,
        sha256,
        ...stamps,
      },
    });
  }
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
  return bytes;
}

function thousands(value: number): string {
  return Math.round(value).toLocaleString('en');
}
