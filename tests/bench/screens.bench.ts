// `npm run bench -- screens [--beside <another work tree>] [--only <screens>]`: the longest turn of the event loop that
// large screens of the backend cause, in milliseconds of processor time (SQLite): at most 10. With `--beside` the build
// of another tree answers the same requests, in turns. Needs a build.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { closeApp, createApp } from '#app/compose.server.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { startSession } from '#app/people/sessions/sessions.server.ts';
import { newId } from '#app/platform/clock.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { createUser } from '#tests/support/factories.ts';
import { freePort } from '#tests/support/free-port.ts';
import { createClient, type Client } from '#tests/support/http-client.ts';
import { insertLargeBlog } from '#tests/support/large-blog.ts';
import { startArguments } from '#tests/support/package-scripts.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { median } from './cpu.ts';
import { report } from './report.ts';

const CHANGES = 500;
const POSTS = 1_500;
const ROUNDS = 12;
/** Rounds that load and compile what the screens need. */
const WARM_UP = 4;
const BODY = 'Lorem ipsum dolor sit amet, consetetur sadipscing elitr.\n\n'.repeat(60);
const HOUR = 3_600_000;
const MINUTE = 60_000;

const { values } = parseArgs({ options: { beside: { type: 'string' }, only: { type: 'string' } } });
const folder = await mkdtemp(path.join(tmpdir(), 'dateline-bench-screens-'));
const variables: Record<string, string> = {
  DATABASE_URL: `file:${path.join(folder, 'site.db')}`,
  SEARCH_HOST: `file:${path.join(folder, 'search.db')}`,
  UPLOADS_DIR: path.join(folder, 'uploads'),
  AUTH_SECRET: 'bench-secret-of-more-than-32-characters',
  LOG_LEVEL: 'error',
};
await mkdir(variables.UPLOADS_DIR!);
await prepareTemplate(variables.DATABASE_URL!);
const env = parseEnv({ ...variables, AUTH_URL: 'http://127.0.0.1' }, 'server');
const app = await createApp(env, { logTo: 'stderr', workers: 'inline' });
const blog = await insertLargeBlog(app, { posts: POSTS, texts: ['<p>A boat came in.</p>\n'.repeat(100)] });
await app.db.post.updateMany({ data: { body: BODY } });

interface Server {
  name: string;
  child: ChildProcess;
  editor: Client;
}

const servers: Server[] = [];
try {
  const screens = await makeScreens();
  servers.push(await start('', projectRoot));
  if (values.beside) servers.push(await start(' (the tree beside)', path.resolve(values.beside)));
  const asked = values.only?.split(',');
  for (const [screen, address] of Object.entries(screens))
    if (!asked || asked.includes(screen)) await measure(screen, address);
} finally {
  for (const { child } of servers) child.kill('SIGKILL');
  await closeApp(app);
  await rm(folder, { recursive: true, force: true });
}

/** The screens' addresses, with all that they show. */
async function makeScreens(): Promise<Record<string, string>> {
  const template = await app.db.post.findFirstOrThrow({ where: { status: 'published' } });
  const copies = (name: string, fields: (index: number) => object) =>
    Array.from({ length: CHANGES }, (_, index) => ({
      ...template,
      id: newId(app.clock),
      slug: `${name}-${index}`,
      title: `${name} ${index}`,
      ...fields(index),
    }));
  const drafts = copies('Draft', () => ({ status: 'draft', publishedAt: null }));
  const scheduled = copies('Scheduled', (index) => ({
    status: 'scheduled',
    publishedAt: new Date(Date.UTC(2090, 0, 2) + index * 80 * MINUTE),
  }));
  const published = copies('Published', (index) => ({
    publishedAt: new Date(Date.UTC(2019, 4, 10) + index * 10 * MINUTE),
  }));
  for (const rows of [drafts, scheduled, published])
    for (let from = 0; from < CHANGES; from += 100)
      await app.db.post.createMany({ data: rows.slice(from, from + 100) });
  const texts = blog.ids.slice(200, 200 + CHANGES);
  const changed = (index: number) => ({ title: `Released ${index}`, body: `${BODY} Changed ${index}.` });
  return {
    '500 changed texts': await release('Texts', texts, 'update', changed),
    '500 drafts': await release(
      'Drafts',
      drafts.map(({ id }) => id),
      'publish',
    ),
    'an empty release': await release('Empty', []),
    'the list of releases': '/admin/releases',
    'the time screen': '/admin/time',
    'two moments compared': `/admin/time?at=${new Date(Date.now() + 4 * HOUR).toISOString().slice(0, 16)}`,
    'the list of posts': '/admin/posts',
    'a month of 500 scheduled posts': '/admin/calendar?month=2090-01',
    '500 published posts in four days': '/admin/calendar?month=2019-05',
    'the editor': `/admin/posts/${texts[0]!}`,
    'the settings': '/admin/settings/site',
  };
}

async function release(
  name: string,
  ids: string[],
  action = 'publish',
  fields: (index: number) => object = () => ({}),
): Promise<string> {
  const publishAt = new Date(Date.now() + HOUR);
  const { id: releaseId } = await createRelease(app, { name, publishAt, step: 'schedule', by: byCommand });
  const now = new Date();
  const items = ids.map((subjectId, index) => ({
    id: newId(app.clock),
    releaseId,
    kind: 'post',
    subjectId,
    action,
    fields: JSON.stringify(fields(index)),
    createdAt: now,
    updatedAt: now,
  }));
  for (let from = 0; from < items.length; from += 100)
    await app.db.releaseItem.createMany({ data: items.slice(from, from + 100) });
  return `/admin/releases/${releaseId}`;
}

async function start(name: string, cwd: string): Promise<Server> {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const turns = pathToFileURL(path.join(projectRoot, 'tests/bench/turns.mjs')).href;
  const child = spawn(process.execPath, ['--import', turns, ...startArguments], {
    cwd,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      TELL_TURNS: 'yes',
      ...variables,
      AUTH_URL: origin,
      PORT: port,
      HOST: '127.0.0.1',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  for (let left = 300; left > 0 && !(await fetch(`${origin}/api/health`).catch(() => null))?.ok; left -= 1)
    await sleep(100);
  const editor = createClient(origin);
  const { id } = await createUser(app, { role: 'administrator' });
  const cookie = await startSession(app, id, { userAgent: 'Bench', address: '127.0.0.1' });
  const [key, value] = cookie.split(';')[0]!.split('=') as [string, string];
  editor.cookies.set(key, value);
  return { name, child, editor };
}

async function tell({ child }: Server, message: 'begin' | 'end'): Promise<number[]> {
  child.send(message);
  const [turns] = (await once(child, 'message')) as [number[]];
  return turns;
}

async function measure(screen: string, address: string): Promise<void> {
  const longest = new Map<Server, number[][]>(servers.map((server) => [server, []]));
  const bytes = new Map<Server, number>();
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1)
    for (const server of servers) {
      await tell(server, 'begin');
      const { status, text } = await server.editor.get(address);
      if (status !== 200) throw new Error(`${address} was answered with ${status}: ${text.slice(0, 200)}`);
      bytes.set(server, text.length);
      const turns = await tell(server, 'end');
      if (round >= WARM_UP) longest.get(server)!.push(turns);
    }
  for (const server of servers) {
    const turns = longest.get(server)!;
    const of = (rank: number) => median(turns.map((all) => all[rank]!)).toFixed(1);
    report(
      `longest turn, ${screen}${server.name} (ms of CPU)`,
      median(turns.map(([first]) => first!)),
      { atMost: 10 },
      `lowest ${Math.min(...turns.map(([first]) => first!)).toFixed(1)}; second ${of(1)}, third ${of(2)}; ${Math.round(bytes.get(server)! / 1024)} KB; load ${loadavg()[0]!.toFixed(0)}`,
    );
  }
}
