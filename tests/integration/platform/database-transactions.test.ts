import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '#app/platform/database/client.server.ts';
import { inTransaction, isUniqueViolation } from '#app/platform/database/transaction.server.ts';
import { createTestApp, describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createCategory, createUser } from '#tests/support/factories.ts';
import { closedGate } from '#tests/support/gate.ts';

const setting = (key: string, value = 'x') => ({ key, value, updatedAt: new Date('2026-11-20T08:00:00Z') });
const testSettings = (app: TestApp) =>
  app.db.setting.findMany({ where: { key: { startsWith: 'test' } }, orderBy: { key: 'asc' } });

describeWithApp('transactions', (getApp, dialect) => {
  test('a failure takes back everything', async () => {
    const app = getApp();
    const failing = inTransaction(app.db, async (tx) => {
      await tx.setting.create({ data: setting('test-a') });
      await createCategory({ ...app, db: tx as TestApp['db'] });
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await testSettings(app)).toEqual([]);
    expect(await app.db.category.count()).toBe(0);
    await inTransaction(app.db, (tx) => tx.setting.create({ data: setting('test-b') }));
    expect(await testSettings(app)).toHaveLength(1);
  });

  test('a failing statement takes back what came before it', async () => {
    const app = getApp();
    const user = await createUser(app);
    const failing = inTransaction(app.db, async (tx) => {
      await tx.setting.create({ data: setting('test-a') });
      await tx.user.create({ data: { ...user, id: 'another' } });
    });
    expect(isUniqueViolation(await failing.catch((error: unknown) => error))).toBe(true);
    expect(await testSettings(app)).toEqual([]);
  });

  test('a write from outside is no part of the open transaction', async () => {
    const app = getApp();
    const started = closedGate();
    const finish = closedGate();
    const failing = inTransaction(app.db, async (tx) => {
      await tx.setting.create({ data: setting('test-inside') });
      started.open();
      await finish.passed;
      throw new Error('on purpose');
    });
    await started.passed;
    const outside = app.db.setting.create({ data: setting('test-outside') });
    await sleep(50);
    finish.open();
    await expect(failing).rejects.toThrow('on purpose');
    await outside;
    expect((await testSettings(app)).map(({ key }) => key)).toEqual(['test-outside']);
  });

  test('what is not committed is not read outside', async () => {
    const app = getApp();
    await inTransaction(app.db, async (tx) => {
      await tx.setting.create({ data: setting('test-inside') });
      expect(await testSettings(app)).toEqual([]);
      expect(await tx.setting.count({ where: { key: 'test-inside' } })).toBe(1);
    });
    expect(await testSettings(app)).toHaveLength(1);
  });

  test('two transactions that wait for each other both succeed: one of them runs again', async () => {
    const app = getApp();
    await app.db.setting.createMany({ data: [setting('test-a', '0'), setting('test-b', '0')] });
    // SQLite admits one writer at a time, so the second transaction begins after the first one.
    const canMeet = dialect === 'postgresql';
    const bothHoldOne = closedGate();
    let attempts = 0;
    let holding = 0;
    const addTo = (...keys: string[]) =>
      inTransaction(app.db, async (tx) => {
        attempts += 1;
        for (const key of keys) {
          const row = await tx.setting.update({ where: { key }, data: { updatedAt: new Date() } });
          await tx.setting.update({ where: { key }, data: { value: String(Number(row.value) + 1) } });
          if (++holding === 2) bothHoldOne.open();
          if (canMeet) await bothHoldOne.passed;
        }
      });
    await Promise.all([addTo('test-a', 'test-b'), addTo('test-b', 'test-a')]);
    expect(attempts).toBe(canMeet ? 3 : 2);
    expect((await testSettings(app)).map(({ value }) => value)).toEqual(['2', '2']);
  });

  test('a read snapshot does not see what is written after it began', async () => {
    const app = getApp();
    const snapshots = await openDatabase(app.env.database, { readSnapshots: true });
    try {
      await snapshots.$transaction(async (tx) => {
        const before = await tx.setting.count();
        await app.db.setting.create({ data: setting('test-late') });
        expect(await tx.setting.count()).toBe(before);
      });
      expect(await snapshots.setting.count({ where: { key: 'test-late' } })).toBe(1);
    } finally {
      await snapshots.$disconnect();
    }
  });
});

test('a COMMIT that fails (sqlite) leaves nothing behind, and the next transaction works', async () => {
  const app = await createTestApp({ dialect: 'sqlite' });
  const failing = app.db.$transaction(async (tx) => {
    await tx.setting.create({ data: setting('test-a') });
    // Checked only at COMMIT, which then fails and leaves the transaction open.
    await tx.$executeRawUnsafe('PRAGMA defer_foreign_keys = ON');
    await tx.$executeRawUnsafe(
      `INSERT INTO sessions (id, user_id, created_at, last_seen_at, expires_at) VALUES ('s', 'nobody', 0, 0, 0)`,
    );
  });
  await expect(failing).rejects.toThrow();
  expect(await testSettings(app)).toEqual([]);
  await inTransaction(app.db, (tx) => tx.setting.create({ data: setting('test-b') }));
  expect((await testSettings(app)).map(({ key }) => key)).toEqual(['test-b']);
  await app.close();
});

test('foreign keys are enforced (sqlite)', async () => {
  const app = await createTestApp({ dialect: 'sqlite' });
  const user = await createUser(app);
  const session = {
    id: 's',
    createdAt: user.createdAt,
    lastSeenAt: user.createdAt,
    expiresAt: user.createdAt,
  };
  await expect(app.db.session.create({ data: { ...session, userId: 'nobody' } })).rejects.toMatchObject({
    code: 'P2003',
  });
  await app.db.session.create({ data: { ...session, userId: user.id } });
  await app.db.user.delete({ where: { id: user.id } });
  expect(await app.db.session.count()).toBe(0);
  await app.close();
});
