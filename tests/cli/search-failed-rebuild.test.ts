import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPosts } from '#tests/support/factories.ts';
import { createSearchApp, type SearchTestApp } from '#tests/support/search-app.ts';
import { noFaults, type TypesenseFaults } from '#tests/support/typesense-stand-in.ts';

describe('a rebuild that fails prints its reason and nothing else, where Typesense', () => {
  let app: SearchTestApp;
  beforeAll(async () => {
    app = await createSearchApp('typesense', { dialect: 'sqlite' });
    await createPosts(app, 30, { status: 'published' });
    await reindexPosts(app, { batchSize: 200 });
  });
  afterAll(() => app?.close());

  test.each<[string, Partial<TypesenseFaults>, RegExp]>([
    ['is down', { down: true }, /^Typesense does not answer[^\n]*$/],
    ['is out of disk', { outOf: 'OUT_OF_DISK' }, /^Typesense is not ready: [^\n]*OUT_OF_DISK$/],
    ['refuses a document', { failingLine: () => 'Bad JSON.' }, /^Typesense refused post [^\n]*: Bad JSON\.$/],
  ])('%s', async (_, faults, reason) => {
    const { id } = (await app.db.post.findFirst())!;
    // Something waits, so that there is something to follow after the failure.
    await app.db.searchOutbox.upsert({
      where: { postId: id },
      create: { postId: id, marker: 'waiting', enqueuedAt: new Date() },
      update: {},
    });
    Object.assign(app.test.standIn!.faults, faults);
    const args = ['search:reindex-posts', '--batch-size', '10'];
    const result = await runCommand(args, { env: { ...app.variables, LOG_LEVEL: 'info' } });
    Object.assign(app.test.standIn!.faults, noFaults());
    expect(result.stderr.trim()).toMatch(reason);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 1, stdout: '' });
  });
});
