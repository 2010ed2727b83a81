// `npm run bench -- release`: what publishing a release of 500 posts costs on both databases.
//   1. Other writers, those that take an address too, wait less than 2 s, and the event loop never longer than 50 ms:
//      500 drafts, 500 changed texts.
//   2. A draft of a release to a single scheduled post (to stay under 1.5 times): the median of three rounds.
// The search index is not updated, so this measures no search engine.
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import { closeApp, createApp } from '#app/compose.server.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { newId, systemClock } from '#app/platform/clock.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { changePublicContent } from '#app/publishing/change/public-change.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { median } from './cpu.ts';
import { onBothDatabases, type Place } from './on-both-databases.ts';
import { report } from './report.ts';

const POSTS = 500;
const ROUNDS = 3;
const SAMPLED_MS = 5;
const BODY = 'Lorem ipsum dolor sit amet, consetetur sadipscing elitr.\n\n'.repeat(60);

await onBothDatabases(measure);

async function measure(label: string, { folder, newDatabase }: Place): Promise<void> {
  const url = await newDatabase('release');
  await prepareTemplate(url);
  const variables = {
    DATABASE_URL: url,
    SEARCH_HOST: `file:${path.join(folder, `${label}.search.db`)}`,
    UPLOADS_DIR: folder,
    AUTH_SECRET: 'bench-secret-of-more-than-32-characters',
    LOG_LEVEL: 'silent',
  };
  const open = () => createApp(parseEnv(variables, 'server'), { logTo: 'stderr', clock: systemClock });
  const app = await open();
  const other = await open();
  try {
    // The first run of anything also loads it.
    await publish(app, other, await fill(app, 'warm-up'));
    const runs: Run[] = [];
    const ratios: number[] = [];
    // In turns: a busy machine makes either of two single runs twice as long.
    for (let round = 1; round <= ROUNDS; round += 1) {
      const run = await publish(app, other, await fill(app, 'drafts', round));
      runs.push(run);
      await insertPosts(app, `single-${round}`, {
        status: 'scheduled',
        publishedAt: new Date(Date.now() - 1_000),
      });
      const single = await timed(app, other, () => publishDue({ ...app, search: down() }, 'command'));
      ratios.push(run.milliseconds / single.milliseconds);
    }
    reportLongest(label, 'drafts', runs);
    const rounds = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
    report(`${label}: a draft of a release to a single post`, median(ratios), { atMost: 1.5 }, rounds);
    const changed = await publish(app, other, await fill(app, 'changed texts'));
    reportLongest(label, 'changed texts', [changed]);
  } finally {
    await closeApp(other);
    await closeApp(app);
  }
}

type Run = Awaited<ReturnType<typeof timed>>;

/** Publishes a release as the trigger does. */
function publish(app: App, other: App, id: string): Promise<Run> {
  return timed(app, other, () => publishRelease(app, { id, dueAt: new Date(), by: byCommand }));
}

function reportLongest(label: string, kind: string, runs: Run[]): void {
  const of = (part: keyof Run) => Math.max(...runs.map((run) => run[part]));
  const what = `${label}: longest`;
  const detail = `${of('milliseconds').toFixed(0)} ms in all`;
  report(`${what} wait of another writer, ${POSTS} ${kind} (ms)`, of('writer'), { atMost: 2_000 }, detail);
  report(`${what} wait for an address, ${POSTS} ${kind} (ms)`, of('address'), { atMost: 2_000 });
  report(`${what} turn of the event loop, ${POSTS} ${kind} (ms)`, of('loop'), { atMost: 50 });
}

function down(): App['search'] {
  return new Proxy({} as App['search'], {
    get: () => () => Promise.reject(new Error('The index is left out.')),
  });
}

async function insertPosts(app: App, name: string, fields: object): Promise<string[]> {
  const now = new Date(Date.now() - 60_000);
  const posts = Array.from({ length: POSTS }, (_, index) => ({
    id: newId(systemClock),
    slug: `${name}-${index}`,
    title: `${name} ${index}`,
    body: BODY,
    bodyHtml: `<p>${BODY}</p>`,
    contentUpdatedAt: now,
    createdAt: now,
    updatedAt: now,
    ...fields,
  }));
  for (let from = 0; from < POSTS; from += 50)
    await app.db.post.createMany({ data: posts.slice(from, from + 50) });
  return posts.map(({ id }) => id);
}

async function fill(app: App, kind: 'drafts' | 'changed texts' | 'warm-up', round = 1): Promise<string> {
  const isDraft = kind !== 'changed texts';
  const state = isDraft
    ? { status: 'draft' }
    : { status: 'published', publishedAt: new Date(0), hasBeenPublic: true };
  const ids = await insertPosts(app, `${kind.replace(' ', '-')}-${round}`, state);
  const publishAt = new Date(Date.now() + 200);
  const { id: releaseId } = await createRelease(app, {
    name: kind,
    publishAt,
    step: 'schedule',
    by: byCommand,
  });
  const now = new Date();
  const fields = isDraft ? '{}' : JSON.stringify({ title: 'Changed', body: `${BODY}More.` });
  const action = isDraft ? 'publish' : 'update';
  for (const subjectId of ids)
    await app.db.releaseItem.create({
      data: {
        id: newId(systemClock),
        releaseId,
        kind: 'post',
        subjectId,
        action,
        fields,
        createdAt: now,
        updatedAt: now,
      },
    });
  await sleep(300);
  return releaseId;
}

/** Runs it while two writers of another process write all the time; all in milliseconds. */
async function timed(app: App, other: App, run: () => Promise<unknown>) {
  let isOver = false;
  const longestWait = async (write: () => Promise<unknown>) => {
    let longest = 0;
    while (!isOver) {
      const began = performance.now();
      await write();
      longest = Math.max(longest, performance.now() - began);
      await sleep(5);
    }
    return longest;
  };
  const writing = longestWait(() =>
    other.db.lease.updateMany({ where: { name: 'none' }, data: { holder: '' } }),
  );
  // As a new post, a renamed one or a redirect does.
  const takingAddresses = longestWait(() =>
    changePublicContent(other, async ({ affects, lockAddresses }) => {
      await lockAddresses();
      affects();
    }),
  );
  const delay = monitorEventLoopDelay({ resolution: SAMPLED_MS });
  delay.enable();
  const began = performance.now();
  await run();
  const milliseconds = performance.now() - began;
  // The turn in which it commits is counted once the next sample is taken.
  await sleep(4 * SAMPLED_MS);
  delay.disable();
  isOver = true;
  const writer = await writing;
  return { milliseconds, writer, address: await takingAddresses, loop: delay.max / 1e6 };
}
