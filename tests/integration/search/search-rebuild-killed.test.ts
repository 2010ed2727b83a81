import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#app/platform/clock.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { bundledProcess } from '#tests/support/bundled-process.ts';
import { startScript } from '#tests/support/child-process.ts';
import { createPosts } from '#tests/support/factories.ts';
import { createSearchApp, expectIndexMatches, found, type SearchTestApp } from '#tests/support/search-app.ts';
import { engineKinds } from '#tests/support/search-engines.ts';
import { expectOnlyOneIndex } from '#tests/support/search-leftovers.ts';

/** Where the process kills itself, and how often it is killed at a random moment. */
const POINTS = ['batch', 'finish', 'swap', 'swapped'] as const;
const RANDOM_KILLS = process.env.NIGHTLY ? 10 : 0;
const POSTS = 150;

describe.concurrent.each(engineKinds)(
  'a rebuild that is killed (%s)',
  (kind) => {
    it('leaves an index that answers; the next one works and leaves nothing behind', async () => {
      const testApp = await createSearchApp(kind);
      // Real processes share its leases, so its time must pass as theirs does.
      const app = { ...testApp, clock: systemClock } as unknown as SearchTestApp;
      try {
        const ids = await createPosts(app, POSTS, { status: 'published', body: 'Words of the harbour.' });
        const whole = await rebuild(app);
        expect(whole).not.toBeNull();
        await expectIndexMatches(app, { posts: POSTS });
        const moments = Array.from({ length: RANDOM_KILLS }, () => Math.round(Math.random() * whole! * 1.05));
        for (const [kill, at] of [...POINTS, ...moments].entries()) {
          const milliseconds = await rebuild(app, at);
          if (typeof at === 'string') expect(milliseconds).toBeNull();
          expect(await found(app, 'harbour'), `killed at ${at} of ${whole} ms`).toHaveLength(50);
          const fields = { title: `Changed after kill ${kill}` };
          await editPost(app, { postId: ids[kill]!, intent: 'save', fields, editorId: null });
          await publishDue(app, 'command');
          await expectIndexMatches(app, { posts: POSTS });
        }
        await expectRebuildLeavesNothingBehind(app);
      } finally {
        await testApp.close();
      }
    });
  },
  3_600_000,
);

async function expectRebuildLeavesNothingBehind(app: SearchTestApp): Promise<void> {
  const started = performance.now();
  await reindexPosts(app, { batchSize: 100 });
  expect(performance.now() - started).toBeLessThan(30_000);
  await publishDue(app, 'command');
  await expectIndexMatches(app, { posts: POSTS });
  await expectOnlyOneIndex(app.test);
  expect(await app.db.searchOutbox.count()).toBe(0);
}

/**
 * Rebuilds in a process of its own.
 * @param killAt where it kills itself, or after how many milliseconds it is killed
 * @returns its milliseconds; null when it was killed first
 */
async function rebuild(
  app: SearchTestApp,
  killAt?: (typeof POINTS)[number] | number,
): Promise<number | null> {
  const point = typeof killAt === 'string' ? [killAt] : [];
  const script = startScript(await bundledProcess('rebuild-index'), ['10', ...point], {
    env: app.variables,
  });
  if (typeof killAt === 'number') {
    let isOver = false;
    void script.ended.then(() => (isOver = true));
    while (!isOver && !script.stdout().includes('ready')) await sleep(5);
    await Promise.race([sleep(killAt), script.ended]);
    script.child.kill('SIGKILL');
  }
  await script.ended;
  expect(script.stdout(), script.stderr()).toContain('ready');
  const milliseconds = /^done (\d+)$/m.exec(script.stdout())?.[1];
  return milliseconds === undefined ? null : Number(milliseconds);
}
