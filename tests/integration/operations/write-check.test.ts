import { mkdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readReadiness, createWriteCheck } from '#app/operations/readiness.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';

/** Makes the database refuse every write that needs room. @returns what makes it take writes again */
async function refuseWrites(app: TestApp): Promise<() => Promise<unknown>> {
  if (app.env.database.dialect === 'sqlite') {
    const [{ page_count: pages }] = await app.db.$queryRaw<[{ page_count: bigint }]>`PRAGMA page_count`;
    await app.db.$executeRawUnsafe(`PRAGMA max_page_count = ${pages}`);
    return () => app.db.$executeRawUnsafe('PRAGMA max_page_count = 1000000');
  }
  const [{ name }] = await app.db.$queryRaw<[{ name: string }]>`SELECT current_database() AS name`;
  const setReadOnly = async (on: boolean) => {
    await app.db.$executeRawUnsafe(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${on}`);
    // What is set for a database holds for new connections.
    await app.db.$disconnect();
  };
  await setReadOnly(true);
  return async () => {
    await app.db.$executeRaw`SET default_transaction_read_only = off`;
    await setReadOnly(false);
  };
}

const write = (app: TestApp) =>
  app.db.lease.create({
    data: { name: 'large', holder: 'x', expiresAt: new Date(), details: 'x'.repeat(300_000) },
  });

describeWithApp('a database that refuses writes', (getApp) => {
  it('is told of by readiness from the first refused write on, until it takes writes again', async () => {
    const app = getApp();
    await mkdir(app.env.uploadsDir, { recursive: true });
    let now = 0;
    const writeCheck = createWriteCheck(app, () => now);
    const database = async () => (await readReadiness(app, { writeCheck })).checks.database;
    const accept = await refuseWrites(app);
    await write(app).catch((error: unknown) => writeCheck.noteFailure(error));
    expect(await database()).toBe('unwritable');
    now += 20_000;
    expect(await database()).toBe('unwritable');
    await accept();
    expect(await database()).toBe('unwritable');
    now += 20_000;
    expect(await database()).toBe('ok');
    expect(await app.db.lease.count()).toBe(0);
  });

  it('is asked by a write once in ten seconds at most, and never while nothing was refused', async () => {
    const app = getApp();
    let now = 0;
    let statements = 0;
    const lease = new Proxy(app.db.lease, {
      get(target, name, receiver) {
        if (name === 'upsert') statements += 1;
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    const writeCheck = createWriteCheck({ ...app, db: { lease } as typeof app.db }, () => now);
    const askOften = () => Promise.all(Array.from({ length: 50 }, () => writeCheck.isWritable()));
    await askOften();
    writeCheck.noteFailure(new Error('somebody typed something wrong'));
    await askOften();
    expect(statements).toBe(0);
    const accept = await refuseWrites(app);
    await write(app).catch((error: unknown) => writeCheck.noteFailure(error));
    for (let second = 0; second < 30; second += 1, now += 1_000) await askOften();
    expect(statements).toBe(2);
    await accept();
  });
});
