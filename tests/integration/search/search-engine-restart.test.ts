import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { createPosts } from '#tests/support/factories.ts';
import { createSearchApp, expectIndexMatches, found, type SearchTestApp } from '#tests/support/search-app.ts';

let app: SearchTestApp;
beforeEach(async () => {
  app = await createSearchApp('typesense', { dialect: 'sqlite' });
  await createPosts(app, 5, { status: 'published' });
  await reindexPosts(app, { batchSize: 200 });
});
afterEach(() => app.close());

const publish = (title: string) => createPost(app, { intent: 'publish', fields: { title }, editorId: null });

it('a hard restart of Typesense loses no write: each names the collection behind the alias', async () => {
  const { id } = await publish('Before the restart');
  await publish('Gone before the restart');
  await editPost(app, { postId: id, intent: 'save', fields: { body: 'Edited.' }, editorId: null });
  await app.drains.ended();
  app.test.standIn!.restartHard();
  expect(await found(app, 'edited')).toEqual(['before-the-restart']);
  await expectIndexMatches(app, { posts: 7 });
});

it('an engine that came back with fewer documents is repaired by the next trigger', async () => {
  const [collection] = app.test.standIn!.collections.values();
  for (const id of [...collection!.documents.keys()].slice(0, 2)) collection!.remove(id);
  await publishDue(app, 'command');
  await expectIndexMatches(app, { posts: 5 });
});

it('an engine that came back with documents of deleted posts is repaired by the next trigger', async () => {
  const { id } = (await app.db.post.findFirst())!;
  await app.db.post.delete({ where: { id } });
  await publishDue(app, 'command');
  await expectIndexMatches(app, { posts: 4 });
});
