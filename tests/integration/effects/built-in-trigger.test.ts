import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { closeApp, createApp } from '#app/compose.server.ts';
import { systemClock } from '#app/platform/clock.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { startBuiltInTrigger } from '#app/publishing/trigger/built-in.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';

let stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
});

const switchOn = (app: TestApp) => changeSettings(app, { built_in_trigger: 'yes' });

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('It did not happen within a minute.');
    await sleep(50);
  }
}

describeWithApp('the built-in trigger', (getApp) => {
  it('does nothing while it is off', async () => {
    const app = getApp();
    await createPost(app, { status: 'scheduled', publishedAt: app.clock.now() });
    stops.push(startBuiltInTrigger(app));
    await sleep(1_500);
    expect(await app.db.publishRun.count()).toBe(0);
  });

  it('publishes what becomes due, and says that a server did it', async () => {
    const app = getApp();
    await switchOn(app);
    const later = new Date(app.clock.now().getTime() + 3_600_000);
    await createPost(app, { status: 'scheduled', publishedAt: later });
    stops.push(startBuiltInTrigger(app));
    await sleep(1_500);
    const published = () => app.db.post.count({ where: { status: 'published' } });
    expect(await published()).toBe(0);
    app.clock.set(later);
    await until(async () => (await published()) === 1);
    await until(
      async () => (await app.db.publishRun.count({ where: { publishedCount: 1, source: 'server' } })) === 1,
    );
    // Nothing new: no run a second.
    await sleep(2_500);
    const runs = await app.db.publishRun.count();
    await sleep(2_500);
    expect(await app.db.publishRun.count()).toBeLessThanOrEqual(runs + 1);
  });

  it('goes on after the clock was set back by an hour', async () => {
    const app = getApp();
    await switchOn(app);
    stops.push(startBuiltInTrigger(app));
    await until(async () => (await app.db.publishRun.count()) > 0);
    app.clock.advance(-3_600_000);
    await createPost(app, { status: 'scheduled', publishedAt: app.clock.now() });
    await until(async () => (await app.db.post.count({ where: { status: 'published' } })) === 1);
  });

  it('publishes each of 100 posts once, with three servers', async () => {
    const app = getApp();
    await switchOn(app);
    const soon = Date.now() + 3_000;
    for (let number = 0; number < 100; number += 1)
      await createPost(app, { status: 'scheduled', publishedAt: new Date(soon + number * 40) });
    for (let server = 0; server < 3; server += 1) {
      const other = await createApp(parseEnv(app.variables, 'server'), {
        logTo: 'stderr',
        clock: systemClock,
        workers: 'inline',
      });
      const stop = startBuiltInTrigger(other);
      stops.push(async () => {
        await stop();
        await closeApp(other);
      });
    }
    await until(async () => (await app.db.post.count({ where: { status: 'published' } })) === 100);
    await until(async () => (await app.db.publishRun.count({ where: { finishedAt: null } })) === 0);
    const { _sum } = await app.db.publishRun.aggregate({ _sum: { publishedCount: true } });
    expect(_sum.publishedCount).toBe(100);
    // Posts keep their own times; versions rise once.
    expect(await app.db.post.count({ where: { version: 2 } })).toBe(100);
  });
});
