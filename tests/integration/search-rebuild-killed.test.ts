import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#app/platform/clock.ts';
import { publishDue } from '#app/publishing/publish-due.server.ts';
import { editPost } from '#app/publishing/save-post.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { startScript } from '#tests/support/child-process.ts';
import { createPosts } from '#tests/support/factories.ts';
import { createSearchApp, expectIndexInLine, found, type SearchTestApp } from '#tests/support/search-app.ts';
import { engineKinds } from '#tests/support/search-engines.ts';
import { expectOnlyOneIndex } from '#tests/support/search-leftovers.ts';

const KILLS = process.env.NIGHTLY ? 10 : 2;
const POSTS = 150;

describe.concurrent.each(engineKinds)(
  'a rebuild that is killed at a random point (%s)',
  (kind) => {
    it('leaves an index that answers; the next one works and leaves no rubbish', async () => {
      const testApp = await createSearchApp(kind);
      // Real processes share its leases, so its time must pass as theirs does.
      const app = { ...testApp, clock: systemClock } as unknown as SearchTestApp;
      try {
        const ids = await createPosts(app, POSTS, { status: 'published', body: 'Words of the harbour.' });
        const whole = (await rebuild(app, null))!;
        await expectIndexInLine(app, { posts: POSTS });
        for (let kill = 0; kill < KILLS; kill += 1) {
          const after = Math.random() * whole * 1.05;
          await rebuild(app, after);
          const where = `killed after ${Math.round(after)} of ${whole} ms`;
          expect(await found(app, 'harbour'), where).toHaveLength(50);
          const fields = { title: `Changed after kill ${kill}` };
          await editPost(app, { postId: ids[kill]!, intent: 'save', fields, editorId: null });
          await publishDue(app, 'command');
          await expectIndexInLine(app, { posts: POSTS });
        }
        const started = performance.now();
        await reindexPosts(app, { batchSize: 100 });
        expect(performance.now() - started).toBeLessThan(30_000);
        await publishDue(app, 'command');
        await expectIndexInLine(app, { posts: POSTS });
        await expectOnlyOneIndex(app.test);
        expect(await app.db.searchOutbox.count()).toBe(0);
      } finally {
        await testApp.close();
      }
    });
  },
  3_600_000,
);

/** Rebuilds in a process of its own. @returns its milliseconds; null when it was killed first */
async function rebuild(app: SearchTestApp, killAfter: number | null): Promise<number | null> {
  const script = startScript('tests/support/processes/rebuild-index.mjs', ['10'], { env: app.variables });
  let over = false;
  void script.ended.then(() => (over = true));
  while (!over && !script.stdout().includes('ready')) await sleep(5);
  if (killAfter !== null) {
    await Promise.race([sleep(killAfter), script.ended]);
    script.child.kill('SIGKILL');
  }
  await script.ended;
  const milliseconds = /^done (\d+)$/m.exec(script.stdout())?.[1];
  if (killAfter === null) expect(milliseconds, script.stderr()).toBeDefined();
  return milliseconds === undefined ? null : Number(milliseconds);
}
