import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { createSearchApp, expectIndexMatches, found, type SearchTestApp } from '#tests/support/search-app.ts';
import { createTestEngine, type TestEngine } from '#tests/support/search-engines.ts';

// One database, first with one engine, then with another, then with the first again.
let onTypesense: SearchTestApp;
let embedded: TestEngine;
let onEmbedded: SearchTestApp;
beforeEach(async () => {
  onTypesense = await createSearchApp('typesense', { dialect: 'sqlite' });
  embedded = await createTestEngine('embedded');
  onEmbedded = { ...onTypesense, search: embedded.engine };
});
afterEach(async () => {
  await onTypesense.close();
  await embedded.close();
});

const publish = (app: SearchTestApp, title: string) =>
  createPost(app, { intent: 'publish', fields: { title }, editorId: null });

it('an index that others followed without is brought in line by the next trigger', async () => {
  const first = await publish(onTypesense, 'Lighthouse at dawn');
  await publishDue(onEmbedded, 'command');
  expect(await found(onEmbedded, 'lighthouse')).toEqual(['lighthouse-at-dawn']);
  await publish(onEmbedded, 'Lighthouse at dusk');
  await editPost(onEmbedded, { postId: first.id, intent: 'archive', fields: {}, editorId: null });
  await onEmbedded.drains.ended();
  await expectIndexMatches(onEmbedded, { posts: 1 });
  await publishDue(onTypesense, 'command');
  expect(await found(onTypesense, 'lighthouse')).toEqual(['lighthouse-at-dusk']);
  await expectIndexMatches(onTypesense, { posts: 1 });
  expect(await onTypesense.db.searchOutbox.count()).toBe(0);
});

it('an index that was followed all the time is compared with nothing', async () => {
  await publish(onTypesense, 'Harbour');
  await publishDue(onTypesense, 'command');
  const { requests } = onTypesense.test.standIn!;
  const before = requests.length;
  await publishDue(onTypesense, 'command');
  expect(requests.slice(before).filter((request) => request.includes('export'))).toEqual([]);
});
