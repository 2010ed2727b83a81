// `npm run bench -- time-travel [--posts 10000] [--database sqlite|postgresql]`: the site at an instant with 100 pending
// changes: 40 scheduled posts, 30 scheduled updates and a release of 30 changed texts.
//   1. The first page within 3 s, and what it costs the server's processor.
//   2. Every kind of further page within 3 times the processor time of its first render for readers.
//   3. Readers over whole visits, in which somebody opens an instant and looks at a page every two seconds: p99 within
//      1.5 times that of a calm time as long. One process asks all the time, 200 times a second, and nothing else; it
//      comes before all others (as root).
//   4. Readers within the half second in which a site opens; and, to tell what is the machine's share, beside a process
//      that only computes, with the priority of the process that makes the copy.
// Needs a build.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { closeApp, createApp } from '#app/compose.server.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { newId } from '#app/platform/clock.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { createSitePreview } from '#app/time-travel/site-previews.server.ts';
import { childrenOf } from '#tests/support/children-of.ts';
import { freePort } from '#tests/support/free-port.ts';
import { createClient } from '#tests/support/http-client.ts';
import { insertLargeBlog } from '#tests/support/large-blog.ts';
import { startArguments } from '#tests/support/package-scripts.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { cpuOf, median } from './cpu.ts';
import { startReaders } from './http/processes.ts';
import { at99, spanOf, waitsIn, type Span } from './http/waits.ts';
import { seededRandom } from './random-posts.ts';
import { report } from './report.ts';

/** Each has a calm second before it: the machine is not equally quiet all the time. */
const OPENINGS = 20;
const READERS_A_SECOND = 200;
const CALM_MS = 1_000;
/** As long as an opening takes. */
const COMPUTING_MS = 700;
/** For what somebody does to begin the next part. */
const REST_MS = 200;
const VISITS = 4;
const PAGES_A_VISIT = 8;
/** How long somebody looks at a page. */
const LOOK_MS = 2_000;
/** Longer than a server on PostgreSQL takes to see a change. */
const SEEN_MS = 1_500;
/**
 * Times that each address is asked for. The median counts: the lowest may be that of a page that was rendered ahead.
 * Each round has an order of its own, so that no address is always the one behind which V8 collects its garbage.
 */
const ROUNDS = 15;
const random = seededRandom(21);
const BODY = 'Lorem ipsum dolor sit amet, consetetur sadipscing elitr.\n\n'.repeat(40);
const HOUR = 3_600_000;

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '10000' },
    database: { type: 'string', default: 'sqlite' },
  },
});
const posts = Number(values.posts);
const folder = await mkdtemp(path.join(tmpdir(), 'dateline-bench-time-'));
const postgres = values.database === 'postgresql' ? await startPostgres() : undefined;
if (postgres) await postgres.createDatabase('travel');
const variables: Record<string, string> = {
  DATABASE_URL: postgres ? postgres.urlOf('travel') : `file:${path.join(folder, 'site.db')}`,
  SEARCH_HOST: `file:${path.join(folder, 'search.db')}`,
  UPLOADS_DIR: path.join(folder, 'uploads'),
  AUTH_SECRET: 'bench-secret-of-more-than-32-characters',
  LOG_LEVEL: 'error',
};
await mkdir(variables.UPLOADS_DIR!, { recursive: true });
await prepareTemplate(variables.DATABASE_URL!);
const env = parseEnv({ ...variables, AUTH_URL: 'http://127.0.0.1' }, 'server');
const app = await createApp(env, { logTo: 'stderr', workers: 'inline' });
const blog = await insertLargeBlog(app, { posts, texts: ['<p>A boat came in.</p>\n'.repeat(100)] });
await app.search.createIndex();
await makePending();

const port = String(await freePort());
const origin = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, startArguments, {
  cwd: projectRoot,
  env: {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    ...variables,
    AUTH_URL: origin,
    PORT: port,
    HOST: '127.0.0.1',
  },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const visitor = createClient(origin);
try {
  for (let left = 300; left > 0 && !(await fetch(`${origin}/api/health`).catch(() => null))?.ok; left -= 1)
    await sleep(100);
  await measure();
} finally {
  server.kill('SIGKILL');
  await closeApp(app);
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const paths = blog.slugs.slice(500, 520).map((slug) => `/posts/${slug}`);
  const lists = '/ /archive /tags /tags/tag-3 /categories/category-3 /authors/writer-1 /rss.xml'.split(' ');
  const addresses = [...lists, ...paths];
  const costs = new Map<string, number[]>(addresses.map((address) => [address, []]));
  // The first round loads what renders them.
  for (let round = 0; round <= ROUNDS; round += 1) {
    await app.db.siteState.updateMany({ data: { contentVersion: { increment: 1 } } });
    if (postgres) await sleep(SEEN_MS);
    for (const address of shuffled(addresses)) {
      const cost = await costOf(address);
      if (round > 0) costs.get(address)!.push(cost.cpu);
    }
  }
  const [firstCpu, mainCpu]: number[][] = [[], []];
  const ratios: { kind: string; ratio: number }[] = [];
  const [calmTimes, openTimes, besideTimes]: Span[][] = [[], [], []];
  const readers = await startReaders({ origin, paths, rate: READERS_A_SECOND, folder });
  await sleep(CALM_MS);
  for (let opening = 0; opening < OPENINGS; opening += 1) {
    calmTimes!.push(await spanOf(() => sleep(CALM_MS)));
    const computing = spawn('nice', ['-n', '15', process.execPath, '-e', 'for (;;);']);
    await sleep(REST_MS);
    besideTimes!.push(await spanOf(() => sleep(COMPUTING_MS)));
    computing.kill('SIGKILL');
    const instant = new Date(Date.now() + 2 * HOUR + opening * 60_000);
    const base = await makeLink(instant);
    await sleep(REST_MS);
    const { span, cpu, mainCpu: cpuOfMain } = await costOf(base);
    openTimes!.push(span);
    firstCpu!.push(cpu);
    mainCpu!.push(cpuOfMain);
  }
  const [lookTimes, restTimes]: Span[][] = [[], []];
  for (let visit = 0; visit < VISITS; visit += 1) {
    restTimes!.push(await spanOf(() => sleep(PAGES_A_VISIT * LOOK_MS)));
    const instant = new Date(Date.now() + 4 * HOUR + visit * 60_000);
    lookTimes!.push(await spanOf(() => visitSite(instant, paths.slice(0, PAGES_A_VISIT - 1))));
  }
  const { visits } = await readers.stop();
  const first = openTimes!.map(([from, to]) => to - from);
  const [calm, waits, beside] = [calmTimes!, openTimes!, besideTimes!].map((spans) => waitsIn(visits, spans));
  const instant = new Date(Date.now() + 3 * HOUR);
  const base = await makeLink(instant);
  await costOf(base);
  const inSite = new Map<string, number[]>(addresses.map((address) => [address, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const address of shuffled(addresses)) {
      const { cpu } = await costOf(base.slice(0, -1) + address);
      inSite.get(address)!.push(cpu);
    }
  // The posts have the same text, so they are one kind of page.
  for (const alike of [...lists.map((list) => [list]), paths]) {
    const [there, here] = [inSite, costs].map((asked) => median(alike.flatMap((one) => asked.get(one)!)));
    ratios.push({ kind: alike[0]!, ratio: there! / here! });
  }
  ratios.sort((one, other) => other.ratio - one.ratio);
  const label = `${values.database}, ${posts} posts`;
  const load = `load ${loadavg()[0]!.toFixed(0)}`;
  report(
    `${label}: first page of an instant with 100 pending changes, ms`,
    median(first),
    { atMost: 3_000 },
    `${first.join(', ')}; ${load}`,
  );
  report(`${label}: the same, ms of the server's CPU`, median(firstCpu!), { atMost: 3_000 });
  report(
    `${label}: the same, ms of CPU of the thread that answers readers, who ask ${READERS_A_SECOND} times a second`,
    median(mainCpu!),
    {},
    mainCpu!.map(Math.round).join(', '),
  );
  report(
    `${label}: a further page to its first render for readers, CPU, the dearest kind of page`,
    ratios[0]!.ratio,
    { atMost: 3 },
    ratios.map(({ kind, ratio }) => `${kind} ${ratio.toFixed(2)}`).join(', '),
  );
  report(
    `${label}: p99 of readers while sites open to calm`,
    at99(waits!) / at99(calm!),
    {},
    `${at99(waits!).toFixed(1)} ms to ${at99(calm!).toFixed(1)}; ${waits!.length} and ${calm!.length} readers; ${load}`,
  );
  const [looks, rests] = [lookTimes!, restTimes!].map((spans) => waitsIn(visits, spans));
  report(
    `${label}: p99 of readers while somebody opens sites and looks at ${PAGES_A_VISIT} pages of each, to calm`,
    at99(looks!) / at99(rests!),
    { atMost: 1.5 },
    `${at99(looks!).toFixed(1)} ms to ${at99(rests!).toFixed(1)}; ${looks!.length} and ${rests!.length} readers; ${load}`,
  );
  const [cold] = openTimes!;
  report(
    `${label}: the longest wait while the first site of a server opens, ms`,
    Math.max(...waitsIn(visits, [cold!])),
    {},
    `the others: ${openTimes!
      .slice(1)
      .map((span) => Math.max(...waitsIn(visits, [span])).toFixed(0))
      .join(', ')}`,
  );
  report(
    `${label}: p99 of readers beside a process that only computes to calm`,
    at99(beside!) / at99(calm!),
    {},
    load,
  );
}

function shuffled(addresses: string[]): string[] {
  const places = new Map(addresses.map((address) => [address, random()]));
  return addresses.toSorted((one, other) => places.get(one)! - places.get(other)!);
}

/** @returns the path below which the site at the instant is */
async function makeLink(instant: Date): Promise<string> {
  const createdById = blog.authorIds[0]!;
  return (await createSitePreview(app, { instant, isShared: true, createdById })).path;
}

/** Opens the site at an instant, then further pages of it. */
async function visitSite(instant: Date, paths: string[]): Promise<void> {
  const base = await makeLink(instant);
  for (const address of ['/', ...paths]) {
    const { status } = await visitor.get(base.slice(0, -1) + address);
    if (status !== 200) throw new Error(`${address} was answered with ${status}`);
    await sleep(LOOK_MS);
  }
}

async function makePending(): Promise<void> {
  const { id: releaseId } = await createRelease(app, {
    name: 'Thirty',
    publishAt: new Date(Date.now() + HOUR),
    step: 'schedule',
    by: byCommand,
  });
  for (let index = 0; index < 40; index += 1) {
    const fields = { title: `Scheduled ${index}`, body: BODY, publishedAt: new Date(Date.now() + HOUR) };
    await createPost({ ...app }, { intent: 'schedule', fields, editorId: null });
  }
  for (const [index, postId] of blog.ids.slice(100, 160).entries()) {
    const now = new Date();
    if (index < 30) {
      const fields = { body: `${BODY} Updated ${index}.` };
      const { version } = await app.db.post.findUniqueOrThrow({ where: { id: postId } });
      const changeAt = new Date(Date.now() + HOUR);
      await scheduleUpdate(app, { postId, version, fields, changeAt, editorId: null });
    } else {
      const fields = JSON.stringify({ title: `Released ${index}`, body: BODY });
      const item = {
        id: newId(app.clock),
        releaseId,
        kind: 'post',
        subjectId: postId,
        action: 'update',
        fields,
      };
      await app.db.releaseItem.create({ data: { ...item, createdAt: now, updatedAt: now } });
    }
  }
}

interface Cost {
  /** Of all threads and processes, and of the thread that answers readers. */
  cpu: number;
  mainCpu: number;
  /** The request alone, without what the bench itself does to count the processor time. */
  span: Span;
}

async function costOf(address: string): Promise<Cost> {
  const before = await cpuOfServer();
  const from = Date.now();
  const { status, text } = await visitor.get(address);
  const span: Span = [from, Date.now()];
  if (status !== 200) throw new Error(`${address} was answered with ${status}: ${text.slice(0, 200)}`);
  const after = await cpuOfServer();
  return { cpu: after.all - before.all, mainCpu: after.main - before.main, span };
}

/** Milliseconds of CPU that the server and its processes have used, and the server's first thread. */
async function cpuOfServer(): Promise<{ all: number; main: number }> {
  const pids = [server.pid!, ...(await childrenOf(server.pid!))];
  const all = (await Promise.all(pids.map(cpuOf))).reduce((sum, one) => sum + one, 0);
  const main = await readFile(`/proc/${server.pid}/schedstat`, 'utf8');
  return { all, main: Number(main.split(' ')[0]) / 1e6 };
}
