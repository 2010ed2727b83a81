import { describe, expect, it } from 'vitest';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { drainOutbox } from '#app/search/drain.server.ts';
import { SCHEMA_VERSION } from '#app/search/embedded/tables.server.ts';
import { searchPosts } from '#app/search/posts.server.ts';
import { createTestApp, describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createTestEngine, engineKinds } from '#tests/support/search-engines.ts';

describe.each(engineKinds)('emoji in the engine %s', (kind) => {
  it('are found, with words or alone, in any colour of skin', async () => {
    const engine = await createTestEngine(kind);
    const app = await createTestApp({ variables: engine.variables });
    await publish(app, 'Pizza', 'I love 🍕 pizza');
    await publish(app, 'Cook', 'A cook 👩🏾‍🍳 with a burger🍔');
    await publish(app, 'Flags 🇩🇪', '❤️');
    expect(await find(app, '🍕')).toEqual(['Pizza']);
    expect(await find(app, 'pizza 🍕')).toEqual(['Pizza']);
    expect(await find(app, '🍔')).toEqual(['Cook']);
    expect(await find(app, '👩‍🍳')).toEqual(['Cook']);
    expect(await find(app, '🇩🇪 ❤')).toEqual(['Flags 🇩🇪']);
    expect(await find(app, '🍟')).toEqual([]);
    expect(await find(app, '🇪🇩')).toEqual([]);
    await app.close();
    await engine.close();
  });
});

describeWithApp('emoji', (getApp) => {
  it('are marked in hits', async () => {
    const app = getApp();
    await publish(app, 'Pizza 🍕', 'I love 🍕 pizza');
    const { hits } = await search(app, '🍕');
    const marked = (pieces: { text: string; marked: boolean }[]) =>
      pieces.filter((piece) => piece.marked).map(({ text }) => text);
    expect(hits.map(({ title, snippet }) => [marked(title), marked(snippet)])).toEqual([[['🍕'], ['🍕']]]);
    const { id } = await app.db.post.findFirstOrThrow();
    await editPost(app, {
      postId: id,
      intent: 'save',
      fields: { body: 'I love pizza', title: 'Pizza' },
      editorId: null,
    });
    await drainOutbox(app, 'command');
    expect(await find(app, '🍕')).toEqual([]);
  });
});

it('an index of the words before emoji counts as lost, so that it is built again', () => {
  expect(SCHEMA_VERSION).toBeGreaterThan(5);
});

it('emoji are found while the engine is down', async () => {
  const app = await createTestApp({ variables: { SEARCH_HOST: 'http://127.0.0.1:9', SEARCH_API_KEY: 'x' } });
  await publish(app, 'Pizza 🍕', 'Text');
  await publish(app, 'Burger 🍔', 'Text');
  const { hits, fallback } = await search(app, '🍕');
  expect(fallback).toBe(true);
  expect(hits.map(({ post }) => post.title)).toEqual(['Pizza 🍕']);
  await app.close();
});

async function publish(app: TestApp, title: string, body: string): Promise<void> {
  await createPost(app, { intent: 'publish', fields: { title, body }, editorId: null });
  await drainOutbox(app, 'command').catch(() => {});
}

const search = (app: TestApp, query: string) =>
  searchPosts(app, { query, category: null, tag: null, page: 1, perPage: 10 });

async function find(app: TestApp, query: string): Promise<string[]> {
  return (await search(app, query)).hits.map(({ post }) => post.title).sort();
}
