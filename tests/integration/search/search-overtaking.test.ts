import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#app/platform/clock.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { drainOutbox } from '#app/search/drain.server.ts';
import { bundledProcess } from '#tests/support/bundled-process.ts';
import { startScript } from '#tests/support/child-process.ts';
import { fakeClock } from '#tests/support/clock.ts';
import { closedGate } from '#tests/support/gate.ts';
import {
  createSearchApp,
  describeOnBothEngines,
  expectIndexMatches,
  found,
  type SearchTestApp,
} from '#tests/support/search-app.ts';
import { engineKinds } from '#tests/support/search-engines.ts';

// One drain reads version 1 and is stopped before it writes it; another one saves and drains version 2.
const [FIRST, SECOND] = ['The word is mackerel.', 'The word is herring.'];

const publish = (app: SearchTestApp) =>
  createPost(app, {
    intent: 'publish',
    fields: { title: 'Overtaken', body: 'Nothing yet.' },
    editorId: null,
  });
const save = (app: SearchTestApp, postId: string, body: string) =>
  editPost(app, { postId, intent: 'save', fields: { body }, editorId: null });

/** The app with a drain that stops before it writes to the engine, or after it. */
function stoppedInUpsert(app: SearchTestApp, when: 'before' | 'after') {
  const [arrived, goOn] = [closedGate(), closedGate()];
  const upsert: SearchTestApp['search']['upsert'] = async (...parameters) => {
    if (when === 'after') await app.search.upsert(...parameters);
    arrived.open();
    await goOn.passed;
    return when === 'after' ? [] : app.search.upsert(...parameters);
  };
  return { slow: { ...app, search: { ...app.search, upsert } }, arrived, goOn };
}

describeOnBothEngines('a drain that was stopped longer than its lease lasts', (getApp) => {
  it.each(['before', 'after'] as const)(
    '%s it wrote to the engine, while a newer version went by',
    async (when) => {
      const app = getApp();
      const { id } = await publish(app);
      const { slow, arrived, goOn } = stoppedInUpsert(app, when);
      const first = save(slow, id, FIRST);
      await arrived.passed;
      const clock = fakeClock(new Date(app.clock.now().getTime() + 60_000));
      const other = { ...app, clock, search: await app.test.another() };
      // As in a process of its own: of one process only one drains at a time.
      await editPost({ ...other, search: broken }, { ...edit(id), fields: { body: SECOND } });
      expect(await drainOutbox(other, 'command')).toBeNull();
      expect(await found(app, 'herring')).toEqual(['overtaken']);
      goOn.open();
      await first;
      await app.drains.ended();
      expect(await found(app, 'herring')).toEqual(['overtaken']);
      await expectIndexMatches(app);
    },
  );

  const edit = (postId: string) => ({ postId, intent: 'save' as const, editorId: null });
  const broken = {} as SearchTestApp['search'];
});

describe.each(engineKinds)('a process that is stopped by SIGSTOP in its drain (%s)', (kind) => {
  it.concurrent.each([
    ['before it writes, until its lease is over', 'before', true],
    ['after it wrote, until its lease is over', 'after', true],
    ['before it writes, for a moment', 'before', false],
  ] as const)('%s', async (_, when, untilOver) => {
    const testApp = await createSearchApp(kind);
    const app = { ...testApp, clock: systemClock } as unknown as SearchTestApp;
    try {
      const { id } = await publish(app);
      const script = startScript(await bundledProcess('stopped-edit'), [id, FIRST, when], {
        env: app.variables,
      });
      await until(() => script.stdout().includes('stopping'));
      await save(app, id, SECOND);
      if (untilOver) await until(async () => (await found(app, 'herring')).length === 1);
      script.child.kill('SIGCONT');
      expect(await script.ended, script.stderr()).toBe(0);
      await until(async () => (await app.db.searchOutbox.count()) === 0);
      expect(await found(app, 'mackerel')).toEqual([]);
      expect(await found(app, 'herring')).toEqual(['overtaken']);
      await expectIndexMatches(app);
    } finally {
      await testApp.close();
    }
  });
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const started = performance.now();
  while (!(await isSo())) {
    if (performance.now() - started > 45_000) throw new Error('It did not come about in 45 s.');
    await sleep(50);
  }
}
