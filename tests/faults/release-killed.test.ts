// Contract, section 12: releases of 10 and of 500 posts, published by triggers of several processes that are killed at
// fixed points, while two servers are read. Wholly before or wholly after, and exactly once.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { newId, systemClock } from '#app/platform/clock.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import type { PublishResult } from '#app/publishing/trigger/publish-due.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { firstDialect } from '#tests/support/databases.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

type ReleaseApp = App & Pick<TestApp, 'variables'>;

const ROUNDS = process.env.NIGHTLY ? 10 : 1;
const SMALL = 10;
const LARGE = 500;
/** Every other post of a release is a published one whose text changes. */
const isDraft = (index: number) => index % 2 === 0;

/**
 * When a trigger is killed: milliseconds after the first release can be seen, so within the transaction of the second;
 * `begun`: as soon as it has written that it runs; `done`: when the second one can be seen, before its answer.
 */
type KillPoint = number | 'begun' | 'done';
const killPoints: KillPoint[] = process.env.NIGHTLY ? ['begun', 0, 60, 250, 'done'] : ['begun', 60, 'done'];

it.each(firstDialect('postgresql'))(
  'a release is published once and whole by triggers that are killed (%s)',
  { timeout: ROUNDS * 170_000 },
  async (dialect) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const testApp = await createTestApp({ dialect });
      const app = { ...testApp, clock: systemClock };
      const servers = await Promise.all([1, 2].map(() => startServer({ env: app.variables })));
      try {
        await playRound(app, servers);
      } finally {
        for (const server of servers) await server.stop();
        await testApp.close();
      }
    }
  },
);

async function playRound(app: ReleaseApp, servers: TestServer[]): Promise<void> {
  const ids = [...(await fillRelease(app, 'small', SMALL)), ...(await fillRelease(app, 'large', LARGE))];
  const reading = servers.map((server) => readAllTheTime(server));
  const outputs: string[] = [];
  for (const point of killPoints) {
    const runs = await app.db.publishRun.count();
    const trigger = startScript('bin/run.mjs', ['posts:publish-scheduled'], { env: app.variables });
    await Promise.race([reached(app, point, runs), trigger.ended]);
    trigger.child.kill('SIGKILL');
    await trigger.ended;
    if (trigger.stdout().endsWith('\n')) outputs.push(trigger.stdout());
  }
  const together = await Promise.all(
    [1, 2].map(() => runCommand(['posts:publish-scheduled'], { env: app.variables })),
  );
  for (const { code, stdout } of together) {
    expect(code).toBe(0);
    outputs.push(stdout);
  }
  await sleep(1_000);
  for (const { stop, states } of reading) {
    await stop();
    expect(states.at(-1), 'a second later every process shows the new side').toEqual(['new', 'new']);
  }
  const posts = await app.db.post.findMany({
    where: { NOT: { status: 'published', version: 2, title: { startsWith: 'New' } } },
    select: { slug: true, status: true, version: true, title: true },
  });
  expect(posts).toEqual([]);
  expect(await app.db.sitemapEntry.count()).toBe(SMALL + LARGE);
  expect(await app.db.auditLog.count({ where: { action: 'release.published' } })).toBe(2);
  const reported = outputs.flatMap((text) => (JSON.parse(text) as PublishResult).publishedPostIds);
  expect(new Set(reported).size, 'two triggers reported one post').toBe(reported.length);
  expect(reported.filter((id) => !ids.includes(id))).toEqual([]);
}

/** Drafts and changes of published posts, due a minute ago. @returns the ids of the drafts */
async function fillRelease(app: ReleaseApp, name: string, count: number): Promise<string[]> {
  const now = new Date(Date.now() - 120_000);
  const times = { createdAt: now, updatedAt: now };
  const posts = Array.from({ length: count }, (_, index) => ({
    id: newId(systemClock),
    slug: `${name}-${index}`,
    title: isDraft(index) ? `New ${name} ${index}` : `Old ${name} ${index}`,
    status: isDraft(index) ? 'draft' : 'published',
    publishedAt: isDraft(index) ? null : now,
    hasBeenPublic: !isDraft(index),
    contentUpdatedAt: now,
    ...times,
  }));
  await app.db.post.createMany({ data: posts });
  const { id: releaseId } = await createRelease(app, { name, step: 'save', by: byCommand });
  await app.db.releaseItem.createMany({
    data: posts.map(({ id: subjectId }, index) => ({
      id: newId(systemClock),
      releaseId,
      kind: 'post',
      subjectId,
      action: isDraft(index) ? 'publish' : 'update',
      fields: isDraft(index)
        ? '{}'
        : JSON.stringify({ title: `New ${name} ${index}`, body: `Text ${index}` }),
      ...times,
    })),
  });
  // The small one comes first.
  const publishAt = new Date(Date.now() - (name === 'small' ? 60_000 : 50_000));
  await app.db.release.update({ where: { id: releaseId }, data: { status: 'scheduled', publishAt } });
  return posts.filter((_, index) => isDraft(index)).map(({ id }) => id);
}

async function reached({ db }: ReleaseApp, point: KillPoint, runsBefore: number): Promise<void> {
  const until = async (isReached: () => Promise<boolean>) => {
    while (!(await isReached())) await sleep(5);
  };
  await until(async () => (await db.publishRun.count()) > runsBefore);
  if (point === 'begun') return;
  const isOut = async (slug: string) => (await db.post.count({ where: { slug, status: 'published' } })) === 1;
  await until(() => isOut(point === 'done' ? 'large-0' : 'small-0'));
  if (point !== 'done') await sleep(point);
}

/** Reads the first draft and the last change of each release without a pause; no old state may follow a new one. */
function readAllTheTime(server: TestServer) {
  const client = server.client();
  const states: string[][] = [];
  let isOver = false;
  const sideOf = async (name: string, count: number) => {
    const [draft, change] = await Promise.all(
      [`/posts/${name}-0`, `/posts/${name}-${count - 1}`].map((path) => client.get(path)),
    );
    return [draft!.status === 200 ? 'new' : 'old', change!.text.includes(`New ${name}`) ? 'new' : 'old'];
  };
  const run = (async () => {
    const isNew = { small: [false, false], large: [false, false] };
    while (!isOver) {
      const sides = { small: await sideOf('small', SMALL), large: await sideOf('large', LARGE) };
      for (const name of ['small', 'large'] as const) {
        const wasNew = isNew[name].some(Boolean);
        sides[name].forEach((side, index) => {
          if (wasNew) expect(side, `${name}: an answer that began after a new one`).toBe('new');
          isNew[name][index] ||= side === 'new';
        });
      }
      states.push(sides.large);
    }
  })();
  return {
    states,
    stop: () => {
      isOver = true;
      return run;
    },
  };
}
