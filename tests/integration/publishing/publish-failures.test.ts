import { describe, expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { changeHidden } from '#app/publishing/change/public-change.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { createTestApp, describeWithApp } from '#tests/support/app.ts';
import { testNow } from '#tests/support/clock.ts';
import { expectCompleteBatches } from '#tests/support/complete-batches.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';
import { createPost } from '#tests/support/factories.ts';

const minuteAgo = new Date(new Date(testNow).getTime() - 60_000);

describeWithApp('a trigger on a failing disk', (getApp, dialect) => {
  it('says so, leaves every batch whole and goes on where it stopped', async () => {
    const app = getApp();
    // What the first batch writes is little, what the others write is much.
    const slug = (index: number, id: string) => (index < 200 ? id : `${'long-'.repeat(400)}${id}`);
    await insertDuePosts(app, 450, (index) => new Date(minuteAgo.getTime() + index), slug);
    const repair = await (dialect === 'sqlite' ? fillSqlite(app) : fillPostgres(app));
    await expect(publishDue(app, 'command')).rejects.toMatchObject({
      code: 'unavailable',
      status: 503,
      message: expect.stringMatching(
        /^Publishing stopped.*: (database or disk is full|No space left on device)$/,
      ),
    });
    const published = await expectCompleteBatches(app);
    expect(published).toBe(200);
    await repair();
    const rest = await publishDue(app, 'command');
    expect(rest.publishedCount).toBe(450 - published);
    expect(await app.db.sitemapEntry.count()).toBe(450);
    // The note of the failed run is the first thing that a full disk may lose.
    const errors = (await app.db.publishRun.findMany()).map(({ error }) => error);
    expect(errors).toContain('');
    if (dialect === 'postgresql')
      expect(errors).toContain('Publishing stopped after 200 posts: No space left on device');
  });
});

describe('a trigger whose database goes away', () => {
  it('says so, leaves every batch whole and works again with the next call (postgresql)', async () => {
    const app = await createTestApp({ dialect: 'postgresql' });
    await insertDuePosts(app, 450, () => minuteAgo);
    // The 300th row ends the connection from the server's side, as a restart does.
    const repair = await onSitemapRow(app, 300, `PERFORM pg_terminate_backend(pg_backend_pid())`);
    await expect(publishDue(app, 'route')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Publishing stopped after 200 posts: '),
    });
    expect(await expectCompleteBatches(app)).toBe(200);
    await repair();
    expect((await publishDue(app, 'route')).publishedCount).toBe(250);
    await app.close();
  });

  it('has a reason to give when it cannot even begin', async () => {
    const app = await createTestApp({ dialect: 'postgresql' });
    await app.close();
    await expect(publishDue(app, 'command')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^Publishing stopped: \S.*$/),
    });
    await app.db.$disconnect();
  });
});

describeWithApp('two changes that lock each other up', (getApp) => {
  it('both get through: the database ends one, which is run again', async () => {
    const app = getApp();
    const [a, b] = [(await createPost(app)).id, (await createPost(app)).id];
    let runs = 0;
    const met = barrier(2);
    const rename = (first: string, second: string) =>
      changeHidden(app, async ({ tx }) => {
        runs += 1;
        const firstRun = runs <= 2;
        await tx.post.update({ where: { id: first }, data: { version: { increment: 1 } } });
        // SQLite lets in one at a time, so only PostgreSQL's two can wait for each other here.
        if (firstRun) await Promise.race([met(), pause(500)]);
        await tx.post.update({ where: { id: second }, data: { version: { increment: 1 } } });
      });
    await Promise.all([rename(a, b), rename(b, a)]);
    expect((await app.db.post.findMany()).map(({ version }) => version)).toEqual([3, 3]);
  });
});

// SQLite's own limit: the file may not grow, and then answers what a full disk answers.
async function fillSqlite(app: App): Promise<() => Promise<unknown>> {
  const [{ page_count: pages }] = await app.db.$queryRawUnsafe<[{ page_count: bigint }]>('PRAGMA page_count');
  await app.db.$executeRawUnsafe(`PRAGMA max_page_count = ${Number(pages) + 100}`);
  return () => app.db.$executeRawUnsafe('PRAGMA max_page_count = 1073741823');
}

function fillPostgres(app: App) {
  return onSitemapRow(
    app,
    300,
    `RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'No space left on device'`,
  );
}

/** Makes PostgreSQL do something instead of writing the given sitemap row. @returns the way back */
async function onSitemapRow(app: App, row: number, statement: string): Promise<() => Promise<unknown>> {
  await app.db.$executeRawUnsafe('CREATE SEQUENCE sitemap_rows');
  await app.db.$executeRawUnsafe(`CREATE FUNCTION strike() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF nextval('sitemap_rows') >= ${row} THEN ${statement}; END IF; RETURN NEW; END $$`);
  await app.db.$executeRawUnsafe(
    'CREATE TRIGGER strike BEFORE INSERT ON sitemap_entries FOR EACH ROW EXECUTE FUNCTION strike()',
  );
  return () => app.db.$executeRawUnsafe('DROP TRIGGER strike ON sitemap_entries');
}

function barrier(size: number): () => Promise<void> {
  let waiting = 0;
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return () => {
    waiting += 1;
    if (waiting === size) open();
    return opened;
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
