// `npm run upgrade` replaces the last release with this one under readers and triggers, and `--back` puts it back. The
// last release is built from history; where there is none, a build of this one takes its place.
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { atFileEnd } from '#tests/support/file-end.ts';
import { freePort } from '#tests/support/free-port.ts';
import { createClient } from '#tests/support/http-client.ts';
import { buildLastRelease } from '#tests/support/last-release.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const READERS = 4;
const DUE = 30;
/** Between the instants at which two posts are due. */
const DUE_EVERY_MS = 4_000;
const DOWN_MAX_MS = 5_000;
const paths = ['/', '/archive', '/rss.xml', '/posts/published-1', '/posts/published-2'];

let lastRelease: string;
beforeAll(async () => {
  const built = await buildLastRelease();
  if (built === null) process.stderr.write('The last release is not in this clone: this one is upgraded.\n');
  lastRelease = built ?? projectRoot;
}, 900_000);

/** A clone of the last release with its build, after `git pull`: the sources are this release's. */
async function pulledClone(): Promise<string> {
  const clone = path.join(await tempFolder(), 'clone');
  await cp(path.join(lastRelease, 'build'), path.join(clone, 'build'), { recursive: true });
  for (const entry of await readdir(projectRoot)) {
    if (/^(\.git|\.upgrade.*|build(\.(next|last|former))?|node_modules|backups|data)$/.test(entry)) continue;
    await cp(path.join(projectRoot, entry), path.join(clone, entry), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'generated',
    });
  }
  await symlink(path.join(projectRoot, 'node_modules'), path.join(clone, 'node_modules'));
  return clone;
}

/** Three published posts, and such that become due one after the other. */
async function writePosts(env: Record<string, string>): Promise<void> {
  const folder = await tempFolder();
  const post = (slug: string, date: Date, status: string) =>
    writeFile(
      path.join(folder, `${slug}.md`),
      `---\ntitle: ${slug}\nslug: ${slug}\nstatus: ${status}\npublished_at: ${date.toISOString()}\n---\n\nText of ${slug}.\n`,
    );
  await mkdir(folder, { recursive: true });
  for (const number of [1, 2, 3])
    await post(`published-${number}`, new Date(Date.now() - number * 86_400_000), 'published');
  const started = Date.now() + 60_000;
  for (let number = 0; number < DUE; number += 1)
    await post(`due-${number}`, new Date(started + number * DUE_EVERY_MS), 'scheduled');
  const imported = await runCommand(['content:import', '--from', 'markdown', '--input', folder], {
    folder: path.join(lastRelease, 'build'),
    env,
  });
  expect(imported.code, imported.stderr).toBe(0);
}

/** Servers that are started again whenever they end, as systemd does; `restart` is what the operator's command does. */
async function supervise(clone: string, env: Record<string, string>, count: number) {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const start = (index: number) =>
    startServer({ env, port: ports[index]!, script: path.join(clone, 'bin/start.mjs'), cwd: clone });
  const servers: TestServer[] = [];
  const note = (index: number) => writeFile(path.join(clone, `pid.${index}`), String(servers[index]!.pid));
  let isOver = false;
  const keep = async (index: number) => {
    while (!isOver) {
      const { pid } = servers[index]!;
      while (!isOver && isAlive(pid)) await sleep(20);
      if (isOver) return;
      servers[index] = await start(index);
      await note(index);
    }
  };
  for (const index of ports.keys()) {
    servers[index] = await start(index);
    await note(index);
  }
  const kept = ports.map((_, index) => keep(index));
  const stop = async () => {
    isOver = true;
    await Promise.all(kept);
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  };
  atFileEnd(stop);
  const restart = ports
    .map(
      (port, index) =>
        `old=$(cat pid.${index}); kill $old; while [ "$(cat pid.${index})" = "$old" ]; do sleep 0.1; done; ` +
        `until curl -sf -o /dev/null http://127.0.0.1:${port}/api/ready; do sleep 0.1; done`,
    )
    .join('; ');
  return { origins: ports.map((port) => `http://127.0.0.1:${port}`), restart, stop };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Readers who ask another server when one does not accept them, as a proxy does, and one trigger a second. */
function startUse(clone: string, env: Record<string, string>, origins: string[]) {
  const use = {
    reads: 0,
    statuses: new Map<number, number>(),
    downMs: 0,
    triggers: 0,
    published: [] as string[],
  };
  const failures: string[] = [];
  let isOver = false;
  const read = async (reader: number, round: number): Promise<number> => {
    for (const [index] of origins.entries()) {
      const client = createClient(origins[(reader + index) % origins.length]!);
      const answer = await client.get(paths[round % paths.length]!).catch(() => null);
      if (answer) return answer.status;
    }
    return 503;
  };
  const reader = async (number: number) => {
    let downSince: number | null = null;
    for (let round = number; !isOver; round += 1) {
      const asked = Date.now();
      const status = await read(number, round);
      use.reads += 1;
      use.statuses.set(status, (use.statuses.get(status) ?? 0) + 1);
      if (status === 503) downSince ??= asked;
      else if (downSince !== null) {
        use.downMs = Math.max(use.downMs, Date.now() - downSince);
        downSince = null;
      }
      await sleep(30);
    }
  };
  const trigger = async () => {
    while (!isOver) {
      const next = sleep(1_000);
      const { code, stdout, stderr } = await runCommand(['posts:publish-scheduled'], { folder: clone, env });
      use.triggers += 1;
      if (code === 0)
        use.published.push(...(JSON.parse(stdout) as { publishedPostIds: string[] }).publishedPostIds);
      else failures.push(stderr);
      await next;
    }
  };
  const running = [...Array.from({ length: READERS }, (_, index) => reader(index)), trigger()];
  return {
    use,
    failures,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

async function upgradeUnderUse(variables: Record<string, string>, servers: number) {
  const clone = await pulledClone();
  const env = { ...variables, UPLOADS_DIR: path.join(clone, 'uploads'), LOG_LEVEL: 'warn' };
  await mkdir(env.UPLOADS_DIR);
  for (const step of ['db:migrate', 'db:seed'])
    expect(await runCommand([step], { folder: path.join(lastRelease, 'build'), env })).toMatchObject({
      code: 0,
    });
  await writePosts(env);
  const supervised = await supervise(clone, env, servers);
  const { use, failures, stop } = startUse(clone, env, supervised.origins);
  const upgrade = async (...options: string[]) => {
    const script = startScript(
      path.join(clone, 'bin/release/upgrade.mjs'),
      [...options, '--restart', supervised.restart],
      { cwd: clone, env: { ...env, AUTH_URL: supervised.origins[0]! } },
    );
    expect(await script.ended, script.stderr()).toBe(0);
    return JSON.parse(script.stdout()) as { backup: string | null };
  };
  const started = Date.now();
  expect(await upgrade()).toMatchObject({
    ready: true,
    restarted: true,
    backup: expect.any(String) as string,
  });
  const upgraded = Date.now();
  expect(await upgrade('--back')).toMatchObject({ ready: true, restarted: true });
  const back = Date.now();
  const allPublished = () => use.published.length;
  await expect.poll(allPublished, { timeout: 300_000, interval: 500 }).toBe(DUE);
  await stop();
  await supervised.stop();
  const statuses = [...use.statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
  process.stderr.write(
    `${servers} server(s): upgrade ${(upgraded - started) / 1000} s, back ${(back - upgraded) / 1000} s; ${use.reads} reads (${statuses}), down for ${use.downMs} ms at most; ${use.triggers} triggers\n`,
  );
  expect(failures).toEqual([]);
  expect(new Set(use.published).size).toBe(DUE);
  await rm(clone, { recursive: true });
  return use;
}

test('on SQLite: 503 while the server restarts, every due post once', { timeout: 1_200_000 }, async () => {
  const folder = await tempFolder();
  const use = await upgradeUnderUse(
    {
      DATABASE_URL: `file:${path.join(folder, 'dateline.db')}`,
      AUTH_SECRET: 'test-secret-of-more-than-32-characters',
      INTERNAL_CRON_SECRET: 'test-cron-secret',
      AUTH_URL: 'http://127.0.0.1',
    },
    1,
  );
  expect([...use.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  // Of a machine that does nothing else.
  if (process.env.NIGHTLY) expect(use.downMs).toBeLessThan(DOWN_MAX_MS);
});

test('on PostgreSQL with two servers: no reader sees an error', { timeout: 1_200_000 }, async () => {
  const postgres = await startPostgres();
  atFileEnd(() => postgres.stop());
  await postgres.createDatabase('dateline');
  const use = await upgradeUnderUse(
    {
      DATABASE_URL: postgres.urlOf('dateline'),
      SEARCH_HOST: `file:${path.join(await tempFolder(), 'search.db')}`,
      AUTH_SECRET: 'test-secret-of-more-than-32-characters',
      INTERNAL_CRON_SECRET: 'test-cron-secret',
      AUTH_URL: 'http://127.0.0.1',
    },
    2,
  );
  expect([...use.statuses.keys()]).toEqual([200]);
});
