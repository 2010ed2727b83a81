// What doctor advises when something that it checks is not there.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { createTestApp, describeWithApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { createTestDatabase } from '#tests/support/databases.ts';
import { createMedia, createPosts } from '#tests/support/factories.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

/** @returns name → `status: message` */
async function diagnose(env: Record<string, string>) {
  const { code, json } = await runCommand(['doctor'], { env });
  const { ok, checks } = json<{
    ok: boolean;
    checks: { name: string; status: string; message: string }[];
  }>();
  const found = Object.fromEntries(
    checks.map(({ name, status, message }) => [name, `${status}: ${message}`]),
  );
  expect(code).toBe(ok ? 0 : 1);
  return found;
}

it('doctor says what to do about a missing media folder and a search engine that does not answer', async () => {
  const app = await createTestApp({ now: new Date() });
  const missing = path.join(await tempFolder(), 'nothing');
  const before = await diagnose({ ...app.variables, UPLOADS_DIR: missing });
  expect(before.media).toBe(
    `warning: There is no folder ${missing} yet. The server creates it when it starts.`,
  );
  await createMedia(app);
  const found = await diagnose({
    ...app.variables,
    UPLOADS_DIR: missing,
    SEARCH_HOST: 'http://127.0.0.1:1',
    SEARCH_API_KEY: 'a-key',
  });
  expect(found.media).toBe(
    `problem: The folder ${missing} cannot be read and written (ENOENT). Create it, or correct the address.`,
  );
  const file = path.join(await tempFolder(), 'file');
  await writeFile(file, 'x');
  const { media } = await diagnose({ ...app.variables, UPLOADS_DIR: file });
  expect(media).toBe(`problem: ${file} is a file, or below one. Correct the address.`);
  expect(found.search).toBe(
    'problem: Typesense does not answer at 127.0.0.1:1 (ECONNREFUSED). Check that it runs, and SEARCH_HOST.',
  );
});

it('doctor names a NODE_ENV that is none', async () => {
  const app = await createTestApp({ now: new Date() });
  const secrets = {
    AUTH_SECRET: randomBytes(32).toString('hex'),
    INTERNAL_CRON_SECRET: randomBytes(16).toString('hex'),
  };
  const { environment } = await diagnose({
    ...app.variables,
    ...secrets,
    AUTH_URL: 'http://127.0.0.1:1',
    NODE_ENV: 'prod',
  });
  expect(environment).toMatch(/^warning: NODE_ENV is “prod”: only “production” makes/);
});

const unchecked = (first: string) => `problem: Not checked: mend the problem of “${first}” first.`;

it.each([
  ['MEDIA_STORE', 'ftp://x', 'MEDIA_STORE must begin with file: (a folder) or s3:// (a bucket)'],
  ['DATABASE_URL', 'mysql://x', 'DATABASE_URL must begin with file: (SQLite) or postgresql:// (PostgreSQL)'],
  ['PAGE_CACHE_MB', 'much', 'PAGE_CACHE_MB must be a whole number from 0 to 65536'],
])('doctor names a variable that cannot be read: %s', async (name, value, message) => {
  const database = `file:${path.join(await tempFolder(), 'dateline.db')}`;
  expect(await diagnose({ DATABASE_URL: database, [name]: value })).toMatchObject({
    environment: `problem: ${message}`,
    ...{ database: unchecked('environment'), media: unchecked('environment') },
  });
});

it('doctor names a database that is not there once, and does not make it', async () => {
  const file = path.join(await tempFolder(), 'nothing/dateline.db');
  const found = await diagnose({ DATABASE_URL: `file:${file}` });
  expect(found).toMatchObject({
    database: `problem: There is no database ${file}. Correct DATABASE_URL, or mount its disk. For a new site, make it with: npm run db:migrate`,
    ...{ migrations: unchecked('database'), plans: unchecked('database'), clock: unchecked('database') },
    ...{ search: unchecked('database'), trigger: unchecked('database'), backups: unchecked('database') },
  });
  expect(existsSync(file)).toBe(false);
  // Nor where SQLite could make it, and another check would ask it.
  const folder = await tempFolder();
  await diagnose({
    ...{
      DATABASE_URL: `file:${path.join(folder, 'dateline.db')}`,
      UPLOADS_DIR: path.join(folder, 'nothing'),
    },
  });
  expect(await readdir(folder)).toEqual([]);
  const away = await diagnose({ DATABASE_URL: 'postgresql://blog@127.0.0.1:1/blog' });
  expect(away.database).toMatch(
    /^problem: .*127\.0\.0\.1:1\. Check that it runs, DATABASE_URL and the rights/,
  );
});

describeWithApp('doctor', (getApp, dialect) => {
  it('names what is wrong with the schema, once', async () => {
    const empty = await createTestDatabase(dialect, { empty: true });
    if (dialect === 'sqlite') await writeFile(empty.url.slice('file:'.length), '');
    const found = await diagnose({ ...getApp().variables, DATABASE_URL: empty.url });
    const missing = 'problem: Migrations are missing or not finished. Run npm run db:migrate.';
    expect(found).toMatchObject({
      ...{ migrations: missing, plans: unchecked('migrations'), trigger: unchecked('migrations') },
      ...{ search: unchecked('migrations'), backups: unchecked('migrations') },
      database: expect.stringMatching(/^ok: \w+ answers\.$/) as string,
    });
    await empty.drop();
  });

  if (dialect === 'postgresql')
    it('names a table without statistics, as a restored dump leaves it', async () => {
      const { db, variables } = getApp();
      const filler = `INSERT INTO audit_log SELECT i::text, now(), NULL, 'a', 'b', 'c', repeat('d', 900) FROM generate_series(1, 1200) i`;
      await db.$executeRawUnsafe(filler);
      await db.$executeRawUnsafe(`UPDATE pg_class SET reltuples = -1 WHERE oid = 'audit_log'::regclass`);
      expect((await diagnose(variables)).plans).toBe(
        'warning: PostgreSQL has no statistics of audit_log and guesses its plans. Run ANALYZE in the database now, and see that autovacuum is on.',
      );
    });

  it('names indexes that are missing or not valid', async () => {
    const { db, variables } = getApp();
    await db.$executeRawUnsafe('DROP INDEX "posts_title_id_idx"');
    const gone = ['posts_title_id_idx'];
    if (dialect === 'postgresql') {
      // As CREATE INDEX CONCURRENTLY leaves it where it fails.
      await db.$executeRawUnsafe(
        `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'posts_parent_id_idx'::regclass`,
      );
      gone.push('posts_parent_id_idx');
    }
    expect((await diagnose(variables)).plans).toBe(
      `problem: Indexes are missing or not valid: ${gone.join(', ')}. Their migrations in prisma/ say how to create them; drop one that is not valid first.`,
    );
  });

  it('names what is overdue, releases too', async () => {
    const app = getApp();
    const hourAgo = new Date(Date.now() - 3_600_000);
    await createRelease(app, { name: 'Friday', publishAt: hourAgo, step: 'save', by: byCommand });
    // The form refuses a time that is past.
    await app.db.release.updateMany({ data: { status: 'scheduled' } });
    const release =
      'A release is overdue or blocked. Run npm run releases:status: it names it and the reason.';
    const never = 'The trigger has never run. Let cron run npm run posts:publish-scheduled every 5 minutes.';
    expect((await diagnose(app.variables)).trigger).toBe(`problem: ${release} ${never}`);
    const publishedAt = new Date(Date.now() - 7_200_000);
    await createPosts(app, 1, { status: 'scheduled', publishedAt });
    const late = `A post or a scheduled change is overdue since ${publishedAt.toISOString()}. Let cron run npm run posts:publish-scheduled every 5 minutes.`;
    expect((await diagnose(app.variables)).trigger).toBe(`problem: ${late} ${release} ${never}`);
  });
});
