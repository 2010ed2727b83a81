// Twenty addresses are read on two servers while twenty triggers of four processes, most of them killed,
// publish releases of 1, 10 and 500 posts. `ROUNDS=30` for the whole of it.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { newId, systemClock } from '#app/platform/clock.ts';
import type { Dialect } from '#app/platform/env.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { keepTextsInRelease } from '#app/publishing/releases/texts.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import type { PublishResult } from '#app/publishing/trigger/publish-due.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { firstDialect } from '#tests/support/databases.ts';
import { createCategory, createTag, createUser } from '#tests/support/factories.ts';
import { startReading } from '#tests/support/release-readers.ts';
import { keepRedirectInRelease } from '#tests/support/releases.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const ROUNDS = Number(process.env.ROUNDS ?? (process.env.NIGHTLY ? 30 : 1));
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31));
/** Posts by release, in the order of their times. */
const SIZES = process.env.NIGHTLY || ROUNDS > 1 ? [1, 10, 500] : [1, 10, 80];
/** With the two commands: twenty triggers at once. */
const REQUESTS_EACH = 9;

type ReleaseApp = App & Pick<TestApp, 'variables'>;

it.each(firstDialect('postgresql'))(
  `nobody sees half a release, whoever is killed (%s, SEED=${SEED})`,
  { timeout: 60_000 + ROUNDS * 120_000 },
  async (dialect) => {
    for (let seed = SEED; seed < SEED + ROUNDS; seed += 1)
      await playRound(dialect, seed).catch((error: unknown) => {
        throw new Error(`Failed with SEED=${seed}`, { cause: error });
      });
  },
);

async function playRound(dialect: Dialect, seed: number): Promise<void> {
  const testApp = await createTestApp({ dialect });
  const app = { ...testApp, clock: systemClock };
  const readers = await Promise.all([1, 2].map(() => startServer({ env: app.variables })));
  const triggering = await Promise.all([1, 2].map(() => startServer({ env: app.variables })));
  try {
    const drafts = await fillReleases(app);
    const reading = startReading(readers, SIZES.length);
    await reading.hasBegun;
    // Everything is due at the same moment.
    await app.db.release.updateMany({ data: { status: 'scheduled' } });
    const outputs = await triggersUnderFire(app, triggering, randomsOf(seed));
    const clean = await runCommand(['posts:publish-scheduled'], { env: app.variables });
    expect([clean.code, clean.stderr]).toEqual([0, '']);
    await reading.stopOnceNew();
    expectReportedOnce([...outputs, clean.stdout], drafts);
    expect(await app.db.post.count({ where: { title: { startsWith: 'Old' } } })).toBe(0);
    expect(await app.db.post.count({ where: { status: { not: 'published' } } })).toBe(0);
    expect(await app.db.post.count({ where: { version: { not: 2 } } })).toBe(0);
    expect(await app.db.auditLog.count({ where: { action: 'release.published' } })).toBe(SIZES.length);
  } finally {
    for (const server of [...readers, ...triggering]) await server.stop('SIGKILL');
    await testApp.close();
  }
}

/** No id twice. What is missing was published by a trigger that was killed before its answer: whole releases. */
function expectReportedOnce(outputs: string[], drafts: string[][]): void {
  const reported = outputs.flatMap((text) => (JSON.parse(text) as PublishResult).publishedPostIds);
  expect(new Set(reported).size, 'two triggers reported one post').toBe(reported.length);
  for (const ids of drafts) {
    const count = ids.filter((id) => reported.includes(id)).length;
    expect([0, ids.length], 'a release is reported whole').toContain(count);
  }
  const known = new Set(drafts.flat());
  expect(reported.filter((id) => !known.has(id))).toEqual([]);
}

/** Numbers from 0 to below 1, the same for the same seed. */
function randomsOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @returns what the triggers printed or answered that got to their end */
async function triggersUnderFire(
  { variables: env, db }: ReleaseApp,
  servers: TestServer[],
  random: () => number,
): Promise<string[]> {
  // Most are killed: that long after so many releases are out.
  const kills = Array.from({ length: 4 }, () => ({
    releases: Math.floor(random() * 3),
    milliseconds: random() < 0.2 ? 600_000 : random() * 700,
  }));
  const momentOf = async (index: number, workDone: Promise<unknown>) => {
    const { releases, milliseconds } = kills[index]!;
    let isDone = false;
    void workDone.then(() => (isDone = true));
    const isOut = async () =>
      (await db.publishRun.count()) > 0 &&
      (await db.release.count({ where: { status: 'published' } })) >= releases;
    while (!isDone && !(await isOut())) await sleep(5);
    await Promise.race([workDone, sleep(milliseconds, undefined, { ref: false })]);
  };
  const fromServers = servers.map(async (server, index) => {
    const authorization = `Bearer ${env.INTERNAL_CRON_SECRET}`;
    const send = () =>
      server.client().send('POST', '/api/internal/posts/publish-scheduled', { authorization });
    const answers = Promise.allSettled(Array.from({ length: REQUESTS_EACH }, send));
    await momentOf(index, answers);
    await server.stop('SIGKILL');
    return (await answers).flatMap((answer) =>
      answer.status === 'fulfilled' && answer.value.status === 200 ? [answer.value.text] : [],
    );
  });
  const fromCommands = [2, 3].map(async (index) => {
    const command = startScript('bin/run.mjs', ['posts:publish-scheduled'], { env });
    await momentOf(index, command.ended);
    command.child.kill('SIGKILL');
    await command.ended;
    return command.stdout().endsWith('\n') ? [command.stdout()] : [];
  });
  return (await Promise.all([...fromServers, ...fromCommands])).flat();
}

/**
 * Three releases. Each changes the site's title to its number, and has one draft and, but for the first one, changed
 * posts; those that are looked at are the newest of their lists. @returns the ids of the drafts by release
 */
async function fillReleases(app: ReleaseApp): Promise<string[][]> {
  await changeSettings(app, { site_title: 'Side 0', posts_per_page: '20', feed_items: '20' });
  const { id: authorId } = await createUser(app, { username: 'ada', displayName: 'Ada' });
  const tag = await createTag(app, { slug: 'harbour', name: 'Harbour' });
  const category = await createCategory(app, { slug: 'sea', name: 'Sea' });
  const target = await createPost(app, {
    intent: 'save',
    fields: { title: 'Target', slug: 'target', body: 'A target.' },
    editorId: authorId,
  });
  await app.db.post.update({ where: { id: target.id }, data: { status: 'published', version: 2 } });
  const now = new Date(Date.now() - 3_600_000);
  const drafts: string[][] = [];
  for (const [index, size] of SIZES.entries()) {
    const number = index + 1;
    const { id: releaseId } = await createRelease(app, { name: `R${number}`, step: 'save', by: byCommand });
    const posts = Array.from({ length: size }, (_, place) => {
      const isDraft = place % 2 === 0;
      // The two that are looked at come before all others.
      const publishedAt = new Date(now.getTime() - (place < 2 ? number : 100 + place) * 60_000);
      return {
        isDraft,
        row: {
          id: newId(systemClock),
          slug: `${isDraft ? 'draft' : 'change'}-${number}-${place}`,
          title: isDraft ? `New ${number} draft` : `Old ${number} change`,
          body: 'Words',
          bodyHtml: '<p>Words</p>',
          status: isDraft ? 'draft' : 'published',
          hasBeenPublic: !isDraft,
          authorId,
          categoryId: category.id,
          publishedAt,
          contentUpdatedAt: publishedAt,
          createdAt: publishedAt,
          updatedAt: publishedAt,
        },
      };
    });
    await app.db.post.createMany({ data: posts.map(({ row }) => row) });
    await app.db.postTag.createMany({
      data: posts.map(({ row }) => ({ postId: row.id, tagId: tag.id, position: 0 })),
    });
    await app.db.releaseItem.createMany({
      data: posts.map(({ row, isDraft }, place) => ({
        id: newId(systemClock),
        releaseId,
        kind: 'post',
        subjectId: row.id,
        action: isDraft ? 'publish' : 'update',
        fields: isDraft
          ? '{}'
          : JSON.stringify({
              title: `New ${number} change`,
              ...(place === 1 && { slug: `moved-${number}` }),
            }),
        createdAt: now,
        updatedAt: now,
      })),
    });
    const setting = { kind: 'setting', subjectId: 'site_title', texts: { value: `Side ${number}` } } as const;
    await keepTextsInRelease(app, { releaseId, editorId: null, wanted: [setting], replaces: false });
    await keepRedirectInRelease(app, {
      releaseId,
      editorId: null,
      from: `/old/${number}`,
      to: '/posts/target',
    });
    const publishAt = new Date(now.getTime() + number * 60_000);
    await app.db.release.update({ where: { id: releaseId }, data: { publishAt } });
    drafts.push(posts.filter(({ isDraft }) => isDraft).map(({ row }) => row.id));
  }
  await app.db.post.updateMany({
    where: { status: 'published', title: { startsWith: 'Old' } },
    data: { authorId },
  });
  await makeDerivedRows(app);
  return drafts;
}

/** What a content write would have derived from posts that were inserted directly. */
async function makeDerivedRows(app: ReleaseApp): Promise<void> {
  const { changePublicContent } = await import('#app/publishing/change/public-change.server.ts');
  const rows = await app.db.post.findMany({ where: { status: 'published' }, select: { id: true } });
  await changePublicContent(app, ({ affects, affectsEveryPage }) => {
    affects(...rows.map(({ id }) => id));
    affectsEveryPage();
    return Promise.resolve();
  });
}
