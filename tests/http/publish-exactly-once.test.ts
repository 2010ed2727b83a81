import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { systemClock } from '#app/platform/clock.ts';
import type { Dialect } from '#app/platform/env.server.ts';
import { publishDue, type PublishResult } from '#app/publishing/trigger/publish-due.server.ts';
import { checkIndex } from '#app/search/reindex.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { dialects } from '#tests/support/databases.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';
import { startServer } from '#tests/support/server.ts';

const POSTS = 1_000;
const SERVERS = 2;
const COMMANDS = 2;
/** With the commands: twenty triggers at once. */
const REQUESTS_EACH = 9;
const ROUNDS = process.env.NIGHTLY ? 30 : 1;
/** `SEED=<n>` repeats the first round; the test's name and its failure tell it. */
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31));

/**
 * When a process is killed: that many milliseconds after that many posts are out. By progress, so that a
 * slow machine is killed in the middle of things as well. Some live until their work is done.
 */
interface Kill {
  posts: number;
  milliseconds: number;
}

const upTo = (max: number) => fc.noBias(fc.integer({ min: 0, max }));
const LIVES = { posts: 0, milliseconds: 600_000 };
const arbitraryKills: fc.Arbitrary<Kill[]> = fc.array(
  fc.oneof(
    { weight: 7, arbitrary: fc.record({ posts: upTo(700), milliseconds: upTo(300) }) },
    { weight: 2, arbitrary: fc.record({ posts: fc.constant(POSTS), milliseconds: upTo(2_000) }) },
    { weight: 1, arbitrary: fc.constant(LIVES) },
  ),
  { minLength: SERVERS + COMMANDS, maxLength: SERVERS + COMMANDS },
);

it.each(dialects)(
  `twenty triggers at once, killed at random points, publish every post once (%s, SEED=${SEED})`,
  { timeout: ROUNDS * 120_000 },
  async (dialect) => {
    let triggersBegun = 0;
    for (let seed = SEED; seed < SEED + ROUNDS; seed += 1) {
      const [kills] = fc.sample(arbitraryKills, { seed, numRuns: 1 });
      triggersBegun += await playRound(dialect, kills!).catch((error: unknown) => {
        throw new Error(`Failed with SEED=${seed}, kills ${JSON.stringify(kills)}`, { cause: error });
      });
    }
    // Beside the clean ones: what was killed had work in its hands.
    expect(triggersBegun).toBeGreaterThan(2 * ROUNDS);
  },
);

/** @returns how many triggers had begun. */
async function playRound(dialect: Dialect, kills: Kill[]): Promise<number> {
  const testApp = await createTestApp({ dialect });
  const app = { ...testApp, clock: systemClock };
  const ids = await insertDuePosts(app, POSTS, (index) => new Date(Date.now() - 60_000 - index * 1_000));

  const reports = await triggersUnderFire(app, kills);
  const clean = await runCommand(['posts:publish-scheduled'], { env: app.variables });
  expect([clean.code, clean.stderr]).toEqual([0, '']);
  reports.push(JSON.parse(clean.stdout) as PublishResult);

  // On a busy machine a trigger's time for the index may run out; the next one continues.
  for (let more = 0; more < 20 && (await app.db.searchOutbox.count()) > 0; more += 1)
    expect(await publishDue(app, 'command')).toMatchObject({ publishedCount: 0, affectedSlugs: [] });
  await expectPublishedOnce(app, ids);
  const reported = reports.flatMap(({ publishedPostIds }) => publishedPostIds);
  expect(new Set(reported).size, 'two triggers reported one post').toBe(reported.length);
  for (const { publishedCount, publishedPostIds, affectedSlugs } of reports) {
    expect(publishedCount).toBe(publishedPostIds.length);
    expect(affectedSlugs).toEqual(publishedPostIds.map((id) => `due-${id}`));
  }
  const triggersBegun = await app.db.publishRun.count();
  await testApp.close();
  return triggersBegun;
}

/** @returns what the triggers reported that got to their end. */
async function triggersUnderFire(
  app: Pick<TestApp, 'variables' | 'db'>,
  kills: Kill[],
): Promise<PublishResult[]> {
  const env = app.variables;
  const servers = await Promise.all(Array.from({ length: SERVERS }, () => startServer({ env })));
  const fromServers = servers.map(async (server, index) => {
    const authorization = `Bearer ${env.INTERNAL_CRON_SECRET}`;
    const send = () =>
      server.client().send('POST', '/api/internal/posts/publish-scheduled', { authorization });
    const answers = Promise.allSettled(Array.from({ length: REQUESTS_EACH }, send));
    await momentOf(kills[index]!, app, answers);
    await server.stop('SIGKILL');
    return (await answers).flatMap((answer) =>
      answer.status === 'fulfilled' && answer.value.status === 200 ? [answer.value.text] : [],
    );
  });
  const fromCommands = kills.slice(SERVERS).map(async (kill) => {
    const command = startScript('bin/run.mjs', ['posts:publish-scheduled'], { env });
    await momentOf(kill, app, command.ended);
    command.child.kill('SIGKILL');
    await command.ended;
    return command.stdout().endsWith('\n') ? [command.stdout()] : [];
  });
  const outputs = await Promise.all([...fromServers, ...fromCommands]);
  return outputs.flat().map((text) => JSON.parse(text) as PublishResult);
}

async function momentOf(kill: Kill, { db }: Pick<App, 'db'>, workDone: Promise<unknown>): Promise<void> {
  let isDone = false;
  void workDone.then(() => (isDone = true));
  const isOut = async () =>
    (await db.publishRun.count()) > 0 &&
    (await db.post.count({ where: { status: 'published' } })) >= kill.posts;
  while (!isDone && !(await isOut())) await sleep(20);
  await Promise.race([workDone, sleep(kill.milliseconds, undefined, { ref: false })]);
}

async function expectPublishedOnce(app: App, ids: string[]): Promise<void> {
  const posts = await app.db.post.findMany({ include: { sitemapEntries: true } });
  expect(posts.map(({ id }) => id).sort()).toEqual([...ids].sort());
  const wrong = posts.filter(
    ({ status, version, sitemapEntries, slug }) =>
      status !== 'published' ||
      version !== 2 ||
      String(sitemapEntries.map(({ path }) => path)) !== `/posts/${slug}`,
  );
  expect(wrong).toEqual([]);
  expect(await app.db.sitemapEntry.count()).toBe(POSTS);
  expect(await app.db.auditLog.count({ where: { action: 'post.published' } })).toBe(POSTS);
  expect(await app.db.searchOutbox.count()).toBe(0);
  const inLine = { sourceCount: POSTS, indexedCount: POSTS, missing: 0, stale: 0, orphaned: 0 };
  expect(await checkIndex(app, { repair: false })).toMatchObject(inLine);
}
