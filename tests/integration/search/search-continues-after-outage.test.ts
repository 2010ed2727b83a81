import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { enqueue } from '#app/search/outbox.server.ts';
import { createPosts } from '#tests/support/factories.ts';
import { createSearchApp, expectIndexMatches, type SearchTestApp } from '#tests/support/search-app.ts';
import { noFaults, type TypesenseFaults } from '#tests/support/typesense-stand-in.ts';

const POSTS = 350;

let app: SearchTestApp;
beforeEach(async () => {
  app = await createSearchApp('typesense', { dialect: 'sqlite' });
});
afterEach(() => app.close());

const save = () => createPost(app, { intent: 'publish', fields: { title: 'Another' }, editorId: null });

describe.each<[string, Partial<TypesenseFaults>]>([
  ['was down', { down: true }],
  ['hung', { delayMs: Infinity }],
  ['skipped writes', { busy: 'skips writes' }],
])('after Typesense %s', (_, faults) => {
  it('the server indexes everything that waits, without a trigger', async () => {
    await save();
    const ids = await createPosts(app, POSTS, { status: 'published' });
    await app.db.$transaction((tx) => enqueue(tx, app.clock, ids));
    Object.assign(app.test.standIn!.faults, faults);
    await save();
    expect(await app.db.searchOutbox.count()).toBe(POSTS + 1);
    Object.assign(app.test.standIn!.faults, noFaults());
    // More than a save waits for: each part takes its time.
    app.test.standIn!.faults.delayMs = 100;
    await expect.poll(() => app.db.searchOutbox.count()).toBe(0);
    await expectIndexMatches(app, { posts: POSTS + 2 });
  });
});
