import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { deletePost } from '#app/publishing/trash/purge.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { searchPosts } from '#app/search/posts.server.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';
import { createPosts } from '#tests/support/factories.ts';
import { closedGate } from '#tests/support/gate.ts';
import {
  describeOnBothEngines,
  expectIndexMatches,
  found,
  type SearchTestApp,
} from '#tests/support/search-app.ts';
import { expectOnlyOneIndex } from '#tests/support/search-leftovers.ts';

const POSTS = process.env.NIGHTLY ? 2_000 : 250;

describeOnBothEngines('a rebuild', (getApp) => {
  const rebuild = (more: { slugPrefix?: string; batchSize?: number } = {}) =>
    reindexPosts(getApp(), { batchSize: 10, ...more });

  it('under 50 edits, publications and archivings is answered for throughout and misses nothing', async () => {
    const app = getApp();
    const ids = await fill(app, POSTS);
    await rebuild({ batchSize: 100 });
    await insertDuePosts(app, 10, () => app.clock.now());
    const other = { ...app, search: await app.test.another() };
    let changing = true;
    let over = false;
    const asked = askUntil(app, () => over);
    const changed = change(other, ids).finally(() => (changing = false));
    // One after the other, so that the changes meet every part of one.
    try {
      do {
        const { sourceCount, indexedCount } = await rebuild({ batchSize: 20 });
        expect(indexedCount).toBe(sourceCount);
      } while (changing);
    } finally {
      over = true;
    }
    await changed;
    expect(await asked).toBeGreaterThan(0);
    // What was marked while the last drain of another process was on its way.
    await publishDue(app, 'command');
    await expectIndexMatches(app);
    expect(await app.db.searchOutbox.count()).toBe(0);
    await expectOnlyOneIndex(app.test);
  });

  it('that fails leaves the old index, and what changed meanwhile is in it', async () => {
    const app = getApp();
    const ids = await fill(app, 30);
    await rebuild();
    const stop = new AbortController();
    const rebuilt = reindexPosts(app, {
      batchSize: 10,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    const refused = expect(rebuilt).rejects.toMatchObject({ code: 'conflict' });
    await editPost(app, {
      postId: ids[0]!,
      intent: 'save',
      fields: { title: 'Edited midway' },
      editorId: null,
    });
    await refused;
    expect(await found(app, 'midway')).toHaveLength(1);
    await expectIndexMatches(app, { posts: 30 });
    await expectOnlyOneIndex(app.test);
  });

  it('begun later takes over from one that is still running', async () => {
    const app = getApp();
    await fill(app, 40);
    const { first, second } = overlappingBuilds(app);
    let later: ReturnType<typeof rebuild> | undefined;
    const onProgress = () => {
      later ??= reindexPosts(second, { batchSize: 10 });
    };
    const overtaken = reindexPosts(first, { batchSize: 1, onProgress });
    const code = expect.stringMatching(/^(conflict|unavailable)$/) as string;
    await expect(overtaken).rejects.toMatchObject({ code });
    expect(await later).toMatchObject({ sourceCount: 40, indexedCount: 40, batchCount: 4 });
    await expectIndexMatches(app, { posts: 40 });
    await expectOnlyOneIndex(app.test);
  });

  it('of a prefix brings only those documents in line, in place', async () => {
    const app = getApp();
    await createPosts(app, 1, { status: 'published', slug: 'news-one', title: 'Bulletin one' });
    await createPosts(app, 1, { status: 'published', slug: 'news-two', title: 'Bulletin two' });
    await createPosts(app, 1, { status: 'published', slug: 'essay', title: 'Bulletin three' });
    await rebuild();
    // Past the content write, so that only a reindex can know.
    await app.db.post.updateMany({ data: { title: 'Gazette' } });
    await app.db.post.update({ where: { slug: 'news-two' }, data: { status: 'archived' } });
    await createPosts(app, 1, { status: 'published', slug: 'news-three', title: 'Gazette' });
    const collections = [...(app.test.standIn?.collections.keys() ?? [])];
    const result = await rebuild({ slugPrefix: 'news-', batchSize: 2 });
    expect(result).toEqual({
      indexName: 'published_posts',
      batchSize: 2,
      batchCount: 2,
      sourceCount: 2,
      indexedCount: 2,
    });
    expect((await found(app, 'gazette')).sort()).toEqual(['news-one', 'news-three']);
    expect(await found(app, 'bulletin')).toEqual(['essay']);
    expect([...(app.test.standIn?.collections.keys() ?? [])]).toEqual(collections);
    expect(await rebuild({ slugPrefix: 'nothing-like-it' })).toMatchObject({ sourceCount: 0, batchCount: 0 });
  });
});

async function fill(app: SearchTestApp, count: number): Promise<string[]> {
  const now = app.clock.now();
  return createPosts(app, count, {
    status: 'published',
    body: 'Common words of the harbour.',
    publishedAt: now,
  });
}

/** 50 changes of every kind, in the order in which editors might make them. */
async function change(app: SearchTestApp, ids: string[]): Promise<void> {
  const save = (postId: string, intent: 'save' | 'archive', fields = {}) =>
    editPost(app, { postId, intent, fields, editorId: null });
  const work: (() => Promise<unknown>)[] = [];
  for (let number = 0; number < 10; number += 1) {
    const [a, b, c] = [ids[number * 7]!, ids[number * 11 + 1]!, ids.at(-1 - number)!];
    work.push(
      () => save(a, 'save', { title: `Edited ${number}` }),
      () => createPost(app, { intent: 'publish', fields: { title: `New ${number}` }, editorId: null }),
      () => save(b, 'archive'),
      () => deletePost(app, { postId: c }),
      () => (number === 4 ? publishDue(app, 'command') : save(a, 'save', { body: `Twice ${number}.` })),
    );
  }
  for (let from = 0; from < work.length; from += 5)
    await Promise.allSettled(work.slice(from, from + 5).map((each) => each())).then(refuseFailures);
}

// A post that two of the changes hit may be gone for the second.
function refuseFailures(results: PromiseSettledResult<unknown>[]): void {
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'not_found' });
}

/** How often the index answered, each time with something. */
async function askUntil(app: SearchTestApp, isOver: () => boolean): Promise<number> {
  let answered = 0;
  while (!isOver()) {
    const ask = { query: 'harbour', category: null, tag: null, page: 1, perPage: 5 };
    const { total, fallback } = await searchPosts(app, ask);
    expect({ fallback, isFound: total > 100 }).toEqual({ fallback: false, isFound: true });
    answered += 1;
    await sleep(5);
  }
  return answered;
}

/** The app twice: the first one goes on with its second batch only when the second one has begun its own index. */
function overlappingBuilds(app: SearchTestApp): Record<'first' | 'second', SearchTestApp> {
  const tookOver = closedGate();
  const first: typeof app.search.beginBuild = async () => {
    const build = await app.search.beginBuild();
    let batches = 0;
    const add: typeof build.add = async (documents) => {
      if (batches > 0) await tookOver.passed;
      batches += 1;
      await build.add(documents);
    };
    return { ...build, add };
  };
  const second: typeof app.search.beginBuild = async () => {
    const build = await app.search.beginBuild();
    tookOver.open();
    return build;
  };
  return {
    first: { ...app, search: { ...app.search, beginBuild: first } },
    second: { ...app, search: { ...app.search, beginBuild: second } },
  };
}
