import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { isAppError } from '#app/platform/errors.ts';
import { storeFields } from '#app/posts/fields/stored.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { cancelScheduledUpdate, scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { drainOutbox } from '#app/search/drain.server.ts';
import { enqueue } from '#app/search/outbox.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { testNow } from '#tests/support/clock.ts';
import { createPost } from '#tests/support/factories.ts';
import {
  legalEndings,
  type Ending,
  type ModelPost,
  type ModelState,
  type Operation,
  type Outcome,
} from '#tests/support/publishing-model.ts';

const RUNS = process.env.NIGHTLY ? 500 : 15;

const hour = 3_600_000;
const at = (milliseconds: number) => new Date(new Date(testNow).getTime() + milliseconds);
const past = { publishedAt: at(-2 * hour), archiveAt: at(-hour), prepared: at(-hour) };
const future = { publishedAt: at(hour), archiveAt: at(2 * hour), prepared: at(90 * 60_000) };

const time = fc.constantFrom('past' as const, 'future' as const);
const arbitraryStart: fc.Arbitrary<ModelPost> = fc
  .record({
    status: fc.constantFrom('scheduled' as const, 'scheduled' as const, 'published' as const),
    publishedAt: fc.constantFrom('past' as const, 'past' as const, 'future' as const),
    archiveAt: fc.option(time, { freq: 1 }),
    prepared: fc.option(fc.record({ title: fc.constant('Prepared'), at: time })),
  })
  .map((start) => ({
    ...start,
    publishedAt: start.status === 'published' ? 'past' : start.publishedAt,
    prepared: start.status === 'published' ? start.prepared : null,
    title: 'Start',
    slug: 'start',
    version: 1,
    hasBeenPublic: start.status === 'published',
    redirects: [],
  }));

const version = fc.constantFrom(1, 1, 2, undefined);
const arbitraryOperation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    do: fc.constantFrom('save' as const, 'publish' as const, 'draft' as const, 'archive' as const),
    version,
    title: fc.constantFrom('Edited', undefined),
    slug: fc.constantFrom('moved', undefined),
  }),
  fc.record({ do: fc.constant('schedule' as const), version }),
  fc.record({
    do: fc.constant('prepare' as const),
    version: fc.constantFrom(1, 2),
    title: fc.constant('Next'),
  }),
  fc.constant<Operation>({ do: 'cancel' }),
  fc.record({ do: fc.constant('delete' as const), version }),
);

/** Each operation with the milliseconds after which it starts. */
const arbitraryRace = fc
  .tuple(
    fc.array(arbitraryOperation, { minLength: 1, maxLength: 3 }),
    fc.constantFrom<Operation[]>([{ do: 'trigger' }], [{ do: 'trigger' }, { do: 'trigger' }]),
  )
  .chain(([operations, triggers]) => {
    const all = [...operations, ...triggers];
    const delays = fc.array(fc.nat({ max: 30 }), { minLength: all.length, maxLength: all.length });
    return delays.map((waits) => all.map((operation, index) => ({ operation, wait: waits[index]! })));
  });

describeWithApp('what happens to a post while triggers run', (getApp) => {
  it('ends as if one had happened after the other', { timeout: 3_600_000 }, async () => {
    const app = getApp();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryStart, arbitraryRace, async (start, race) => {
        const prefix = `race-${(number += 1)}-`;
        const id = await insert(app, start, prefix);
        const outcomes = await Promise.all(
          race.map(async ({ operation, wait }) => {
            await sleep(wait);
            return perform(app, id, operation, prefix);
          }),
        );
        await drainOutbox(app, 'command');
        const ending: Ending = { state: await readState(app, id, prefix), outcomes };
        await expectFollowed(app, id, ending.state, prefix);
        await app.db.post.deleteMany({ where: { id } });
        const operations = race.map(({ operation }) => operation);
        expect(legalEndings(start, operations)).toContainEqual(ending);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});

async function insert(app: TestApp, start: ModelPost, prefix: string): Promise<string> {
  const { prepared } = start;
  const { id, slug } = await createPost(app, {
    status: start.status,
    title: start.title,
    slug: prefix + start.slug,
    publishedAt: start.publishedAt && (start.publishedAt === 'past' ? past : future).publishedAt,
    archiveAt: start.archiveAt && (start.archiveAt === 'past' ? past : future).archiveAt,
    hasBeenPublic: start.hasBeenPublic,
  });
  if (start.status === 'published') {
    await app.db.sitemapEntry.create({ data: { path: `/posts/${slug}`, postId: id, lastModified: at(0) } });
    await enqueue(app.db, app.clock, [id]);
  }
  if (prepared)
    await app.db.scheduledUpdate.create({
      data: {
        postId: id,
        fields: storeFields({ title: prepared.title }),
        dueAt: (prepared.at === 'past' ? past : future).prepared,
        createdAt: at(-3 * hour),
      },
    });
  return id;
}

async function perform(app: TestApp, postId: string, operation: Operation, prefix: string): Promise<Outcome> {
  const by = { postId, editorId: null };
  try {
    switch (operation.do) {
      case 'trigger': {
        const { publishedPostIds, affectedSlugs } = await publishDue(app, 'route');
        const own = affectedSlugs.flatMap((slug) =>
          slug.startsWith(prefix) ? [slug.slice(prefix.length)] : [],
        );
        return { published: publishedPostIds.includes(postId), affectedSlugs: own };
      }
      case 'delete':
        await trashPost(app, { ...by, version: operation.version });
        return 'ok';
      case 'cancel':
        await cancelScheduledUpdate(app, postId);
        return 'ok';
      case 'prepare': {
        const { title, version } = operation;
        await scheduleUpdate(app, { ...by, version, fields: { title }, changeAt: future.prepared });
        return 'ok';
      }
      case 'schedule': {
        const fields = { publishedAt: future.publishedAt };
        await editPost(app, { ...by, version: operation.version, intent: 'schedule', fields });
        return 'ok';
      }
      default: {
        const { title, slug, version } = operation;
        const fields = {
          ...(title === undefined ? {} : { title }),
          ...(slug === undefined ? {} : { slug: prefix + slug }),
        };
        await editPost(app, { ...by, version, intent: operation.do, fields });
        return 'ok';
      }
    }
  } catch (error) {
    if (isAppError(error) && operation.do !== 'trigger') return error.code as Outcome;
    throw error;
  }
}

async function readState(app: App, id: string, prefix: string): Promise<ModelState> {
  const row = await app.db.post.findUnique({
    where: { id },
    include: { scheduledUpdate: true, redirects: true },
  });
  if (!row || row.status === 'trashed') return null;
  const told = (instant: Date | null) => instant && (instant <= app.clock.now() ? 'past' : 'future');
  const { title, slug, version, hasBeenPublic, scheduledUpdate: change } = row;
  return {
    status: row.status as ModelPost['status'],
    publishedAt: told(row.publishedAt),
    archiveAt: told(row.archiveAt),
    prepared: change && {
      title: (JSON.parse(change.fields) as { title: string }).title,
      at: told(change.dueAt)!,
    },
    title,
    slug: slug.slice(prefix.length),
    version,
    hasBeenPublic,
    redirects: row.redirects.map(({ path }) => path.replace(`/posts/${prefix}`, '')).sort(),
  };
}

/** Sitemap and search know a published post at its address, and no other. */
async function expectFollowed(app: App, id: string, state: ModelState, prefix: string): Promise<void> {
  const isPublic = state?.status === 'published';
  const entries = await app.db.sitemapEntry.findMany({ where: { postId: id } });
  expect(entries.map(({ path }) => path)).toEqual(isPublic ? [`/posts/${prefix}${state.slug}`] : []);
  expect(await app.db.searchOutbox.count({ where: { postId: id } })).toBe(0);
  const indexed: string[] = [];
  for await (const entry of app.search.entries()) indexed.push(entry.id);
  expect(indexed.includes(id)).toBe(isPublic);
}
