import path from 'node:path';
import { expect, it } from 'vitest';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { countSubscribers, listGrowth, newSubscriber } from '#app/newsletter/subscribers.server.ts';
import { countRecipients } from '#app/newsletter/forecast.server.ts';
import { subscriberStates } from '#app/newsletter/states.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Numbers below a limit, the same in each run. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** What the kept counts say, and what the rows themselves do. */
async function compare(app: TestApp) {
  const rows = await app.db.subscriber.findMany({ orderBy: { id: 'asc' } });
  expect(rows.length).toBeGreaterThan(10);
  expect(await countSubscribers(app)).toEqual(
    subscriberStates.map((name) => ({ name, count: rows.filter(({ state }) => state === name).length })),
  );
  const growth = await listGrowth(app);
  expect(growth).toHaveLength(12);
  for (const { at, subscribers } of growth) {
    const onTheList = rows.filter(
      ({ consentAt, state, stateAt }) => consentAt && consentAt <= at && (state === 'active' || stateAt > at),
    );
    expect(subscribers, at.toISOString()).toBe(onTheList.length);
  }
  for (const categoryId of [null, 'a', 'b']) {
    const wanted = rows.filter(
      ({ state, frequency, categories }) =>
        state === 'active' &&
        frequency === 'each' &&
        (categories === '[]' || (categoryId !== null && categories.includes(`"${categoryId}"`))),
    );
    expect(await countRecipients(app, categoryId), String(categoryId)).toBe(wanted.length);
  }
  return rows.map(({ id }) => id);
}

describeWithApp('counts of subscribers', (getApp) => {
  it('are kept through every change of a row, and through a restore', async () => {
    const app = getApp();
    const below = numbers(61);
    const some = <Value>(...values: Value[]) => values[below(values.length)]!;
    const time = () => new Date(app.clock.now().getTime() - below(500) * DAY - 1);
    const change = () => ({
      state: some(...subscriberStates),
      frequency: some('each', 'each', 'none'),
      categories: some('[]', '["a"]', '["a","b"]'),
      consentAt: some(null, time(), time()),
      stateAt: time(),
    });
    await app.db.subscriber.createMany({
      data: Array.from({ length: 60 }, (_, index) => ({
        ...newSubscriber(app, `reader-${index}@example.org`, 'active'),
        ...change(),
      })),
    });
    let ids = await compare(app);
    for (const id of ids.slice(0, 30)) await app.db.subscriber.update({ where: { id }, data: change() });
    await app.db.subscriber.updateMany({ where: { id: { in: ids.slice(25, 35) } }, data: change() });
    await app.db.subscriber.deleteMany({ where: { id: { in: ids.slice(40, 50) } } });
    await app.db.subscriber.delete({ where: { id: ids[0]! } });
    ids = await compare(app);

    const outputDir = path.join(await tempFolder(), 'backup');
    await exportBackup(app, { outputDir, includeSecrets: false });
    await app.db.subscriber.deleteMany({ where: { id: { in: ids.slice(0, 20) } } });
    await importBackup(app, { inputDir: outputDir, force: true });
    expect(await compare(app)).toEqual(ids);
  });

  it('outlive changes at the same time', async () => {
    const app = getApp();
    const rows = Array.from({ length: 24 }, (_, index) => ({
      ...newSubscriber(app, `reader-${index}@example.org`, 'pending'),
      consentAt: app.clock.now(),
    }));
    await Promise.all(rows.map((data) => app.db.subscriber.create({ data })));
    await Promise.all(
      rows.map(({ id }) => app.db.subscriber.update({ where: { id }, data: { state: 'active' } })),
    );
    await compare(app);
  });
});
