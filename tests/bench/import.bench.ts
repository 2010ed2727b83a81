// `npm run bench -- import`: what an import costs, from a WordPress export of 10,000 posts (text only, 40 pingbacks each).
//   1. Posts a second of processor time (at least 150), posts a second of the clock, and the time as a ratio to the
//      same rows written by `createMany` (which renders nothing, checks nothing and makes no tables of contents).
//   2. Peak memory (at most 400 MB), and at 10,000 posts against 2,000 (to stay under 1.3 times).
//   3. Processor time of 100 posts with a JPEG picture of 2 megapixels each (at most 15 s), photographs and noise that
//      compresses badly, on SQLite. Only that: `npm run bench -- import pictures`.
// Other sizes: `npm run bench -- import 100 500`. It runs the built command. The search engine is the embedded one.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { wxrEnd, wxrHead, wxrItem } from '#tests/support/wxr.ts';
import { onBothDatabases, type Place } from './on-both-databases.ts';
import { writePicturePosts, type PictureKind } from './random-pictures.ts';
import { report } from './report.ts';

const DEFAULT_SIZES = [2_000, 10_000];
const PARAGRAPH =
  '<!-- wp:paragraph -->\n<p>Lorem <strong>ipsum</strong> dolor sit amet, <a href="https://x.example/a">consetetur</a> sadipscing elitr, sed diam nonumy eirmod tempor invidunt ut labore.</p>\n<!-- /wp:paragraph -->\n\n';
const COMMENTS = 40;
/** In the order of their references. */
const tables = [
  'user',
  'category',
  'tag',
  'post',
  'postTag',
  'revision',
  'redirect',
  'sitemapEntry',
  'importItem',
] as const;
const ROWS = 500;

/** The limits in docs/benchmarks.md. */
const POSTS_A_CPU_SECOND = 150;
const PEAK_MEGABYTES = 400;
const PICTURES = 100;
const PICTURES_CPU_SECONDS = 15;

interface Measured {
  /** Of the clock. */
  seconds: number;
  cpuSeconds: number;
  peakBytes: number;
}

const project = path.resolve(import.meta.dirname, '../..');
const chosen = process.argv.slice(2);
const [few, many] = (chosen.length === 2 ? chosen.map(Number) : DEFAULT_SIZES) as [number, number];
await onBothDatabases(async (label, place) => {
  if (label === 'SQLite')
    for (const kind of ['photographs', 'noise'] as const) await measurePictures(kind, place);
  if (chosen[0] === 'pictures') return;
  const peaks: number[] = [];
  for (const posts of [few, many]) peaks.push(await measure(label, posts, place));
  report(`${label}: peak memory, ${many} posts to ${few}`, peaks[1]! / peaks[0]!, { atMost: 1.3 });
});

async function measurePictures(kind: PictureKind, { folder, newDatabase }: Place): Promise<void> {
  const input = path.join(folder, kind);
  await mkdir(input);
  await writePicturePosts(input, kind, PICTURES);
  const url = await newDatabase(kind);
  await prepareTemplate(url);
  const { cpuSeconds, peakBytes } = await runImport(url, folder, {
    from: 'markdown',
    input,
    posts: PICTURES,
  });
  report(`${PICTURES} pictures of 2 megapixels, ${kind}: processor time in s`, cpuSeconds, {
    atMost: PICTURES_CPU_SECONDS,
  });
  report(`${PICTURES} pictures of 2 megapixels, ${kind}: peak memory in MB`, peakBytes / 1e6, {
    atMost: PEAK_MEGABYTES,
  });
}

async function measure(label: string, posts: number, { folder, newDatabase }: Place): Promise<number> {
  const file = path.join(folder, `${label}-${posts}.xml`);
  await writeExport(file, posts);
  const url = await newDatabase(`imported_${posts}`);
  await prepareTemplate(url);
  const { seconds, cpuSeconds, peakBytes } = await runImport(url, folder, {
    from: 'wordpress',
    input: file,
    posts,
  });
  const copyUrl = await newDatabase(`copied_${posts}`);
  await prepareTemplate(copyUrl);
  const copied = await copyRows(url, copyUrl, folder);
  const megabytes = (await stat(file)).size / 1e6;
  const speeds = `${(posts / seconds).toFixed(0)} to ${(posts / copied).toFixed(0)} posts/s`;
  report(
    `${label}: ${posts} posts of WordPress to createMany`,
    seconds / copied,
    {},
    `${speeds} of the clock, file ${megabytes.toFixed(0)} MB`,
  );
  report(`${label}: ${posts} posts, posts a second of processor time`, posts / cpuSeconds, {
    atLeast: POSTS_A_CPU_SECOND,
  });
  report(`${label}: ${posts} posts, peak memory in MB`, peakBytes / 1e6, { atMost: PEAK_MEGABYTES });
  return peakBytes;
}

async function writeExport(file: string, posts: number): Promise<void> {
  const stream = createWriteStream(file);
  stream.write(wxrHead({ authors: [{ login: 'ada' }], categories: [{ slug: 'news' }] }));
  for (let id = 1; id <= posts; id += 1) {
    const item = wxrItem({
      id,
      title: `Post ${id}`,
      author: 'ada',
      content: PARAGRAPH.repeat(12),
      excerpt: 'Lorem ipsum.',
      comments: COMMENTS,
      terms: [
        { domain: 'category', slug: 'news', name: 'News' },
        { domain: 'post_tag', slug: `tag-${id % 200}`, name: `Tag ${id % 200}` },
      ],
    });
    if (!stream.write(item)) await once(stream, 'drain');
  }
  stream.end(wxrEnd);
  await once(stream, 'finish');
}

function environment(url: string, root: string) {
  const name = path.basename(url).replace(/\W/g, '-');
  return {
    DATABASE_URL: url,
    SEARCH_HOST: `file:${path.join(root, name)}.search.db`,
    UPLOADS_DIR: path.join(root, 'uploads'),
    LOG_LEVEL: 'silent',
  };
}

async function open(url: string, root: string) {
  return createApp(parseEnv(environment(url, root), 'command'), { logTo: 'stderr' });
}

async function runImport(
  url: string,
  root: string,
  { from, input, posts }: { from: string; input: string; posts: number },
): Promise<Measured> {
  const usageFile = path.join(root, 'usage.json');
  const started = performance.now();
  const output = execFileSync(
    process.execPath,
    [
      ...['--import', path.join(import.meta.dirname, 'usage-at-exit.mjs')],
      ...[path.join(project, 'build/bin/run.mjs'), 'content:import', '--from', from, '--input', input],
    ],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...environment(url, root), USAGE_FILE: usageFile },
    },
  );
  const seconds = (performance.now() - started) / 1_000;
  const { imported, skipped } = JSON.parse(output) as { imported: { posts: number }; skipped: unknown[] };
  if (imported.posts !== posts || skipped.length > 0) throw new Error('The import did not do its work.');
  const usage = JSON.parse(await readFile(usageFile, 'utf8')) as Omit<Measured, 'seconds'>;
  return { seconds, ...usage };
}

/** Seconds that `createMany` takes for all rows of an import. */
async function copyRows(from: string, to: string, root: string): Promise<number> {
  const source = await open(from, root);
  const target = await open(to, root);
  let seconds = 0;
  for (const table of tables) {
    const rows = await (source.db[table] as unknown as { findMany(): Promise<object[]> }).findMany();
    const started = performance.now();
    const writer = target.db[table] as unknown as { createMany(args: { data: object[] }): Promise<unknown> };
    for (let at = 0; at < rows.length; at += ROWS)
      await writer.createMany({ data: rows.slice(at, at + ROWS) });
    seconds += (performance.now() - started) / 1_000;
  }
  await source.db.$disconnect();
  await target.db.$disconnect();
  return seconds;
}
