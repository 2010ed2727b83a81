// backup:run and backup:prove as child processes: what they prove, find, keep and remove.
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyBackup } from '#app/backup/restore/verify-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { readBackupState } from '#app/backup/write/runs.server.ts';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import { readReadiness } from '#app/operations/readiness.server.ts';
import { projectRoot } from '#app/platform/project.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { createUser } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';
import { standInVariables, startS3StandIn } from '#tests/support/s3/stand-in.ts';
import { changeTables } from '#tests/support/tampering/change-tables.ts';
import { consistentFaults } from '#tests/support/tampering/consistent-faults.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

interface Proof {
  proven: boolean;
  mediaFiles: number;
  problems: string[];
}
interface Run {
  backup: string;
  removed: string[];
  bytes: number;
}

const POSTS = 17;
let app: TestApp;
let backup: string;
let cover: string;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  const editorId = (await createUser(app, { role: 'administrator' })).id;
  const upload = { bytes: await picture(), originalName: 'a.jpg', uploadedById: null };
  cover = (await storeMedia(app, upload)).path;
  const rope = { ...upload, bytes: await picture({ seed: 2 }), originalName: 'rope.jpg' };
  const { path: second } = await storeMedia(app, rope);
  for (let number = 0; number < POSTS; number += 1) {
    const body = `![A boat](/uploads/${number === 9 ? second : cover})\n\nText ${number}.`;
    const fields = { title: `Boat & net ${number}`, tags: ['Sea'], body };
    await createPost(app, { intent: 'publish', fields, editorId });
  }
  backup = path.join(await tempFolder(), 'backup');
  await exportBackup(app, { outputDir: backup });
});
afterAll(() => app?.close());

/** A copy of the backup with changes in its tables or without a picture, its checksums right. */
async function spoilt(change: {
  tables?: [name: string, from: string | RegExp, to: string][];
  without?: string;
}) {
  const folder = path.join(await tempFolder(), 'backup');
  await cp(backup, folder, { recursive: true });
  const file = path.join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as {
    tables: { name: string; file: string; bytes: number; sha256: string }[];
    media: { path: string }[];
    warnings: string[];
  };
  for (const [name, from, to] of change.tables ?? []) {
    const entry = manifest.tables.find((each) => each.name === name)!;
    const before = await readFile(path.join(folder, entry.file), 'utf8');
    const text = before.replace(from, to);
    expect(text).not.toBe(before);
    await writeFile(path.join(folder, entry.file), text);
    entry.bytes = Buffer.byteLength(text);
    entry.sha256 = createHash('sha256').update(text).digest('hex');
  }
  if (change.without) {
    manifest.media = manifest.media.filter((entry) => entry.path !== change.without);
    manifest.warnings.push(
      `media/${change.without} is missing: the database names it, but it is not in the uploads folder.`,
    );
    await rm(path.join(folder, 'media', change.without));
  }
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
}

const reportTimers = ['--import', path.join(projectRoot, 'tests/support/processes/report-timers.mjs')];
const prove = (input: string) =>
  runCommand(['backup:prove', '--input', input], { env: app.variables, nodeOptions: reportTimers });

describe('backup:prove', () => {
  it('proves a good backup, says how long a restore takes, and ends at once', async () => {
    const { code, stderr, json } = await prove(backup);
    expect([code, stderr]).toEqual([0, '']);
    const proof = json<Record<string, unknown>>();
    expect(Object.keys(proof)).toEqual(
      'inputDir proven pages feeds mediaFiles searchDocuments restoreSeconds problems'.split(' '),
    );
    expect(proof).toMatchObject({ inputDir: backup, proven: true, searchDocuments: POSTS, problems: [] });
    expect(proof.pages).toBeGreaterThanOrEqual(POSTS + 4);
    expect(proof.feeds).toBeGreaterThanOrEqual(4);
    expect(proof.mediaFiles).toBe(
      (await readdir(path.join(backup, 'media'), { recursive: true })).filter((name) => /\.\w+$/.test(name))
        .length,
    );
    expect(proof.restoreSeconds).toBeGreaterThan(0);
  });

  it('names what checksums cannot see, on stdout, and exits 1; the page says what it does not see', async () => {
    const folder = await spoilt({ without: cover });
    const faults = consistentFaults.filter((fault) => !fault.refused);
    await changeTables(folder, (tables) => faults.forEach(({ spoil }) => spoil(tables)));
    const { code, json } = await prove(folder);
    const { proven, problems } = json<Proof>();
    expect([code, proven]).toEqual([1, false]);
    const found = faults.flatMap((fault) => (fault.found ? [fault.found] : []));
    const missing = [
      /^manifest\.json: media\/.* is missing/,
      /shows \/uploads\/.*not in the backup/,
      /names .*, which is not in the backup/,
    ];
    const expected = [...found, ...missing];
    expect(problems.filter((problem) => !expected.some((words) => words.test(problem)))).toEqual([]);
    expect(expected.filter((words) => !problems.some((problem) => words.test(problem)))).toEqual([]);
    const page = await readFile(path.join(projectRoot, 'docs/operations/backup.md'), 'utf8');
    const unseen = faults.flatMap((fault) => fault.unseen ?? []);
    expect(unseen.filter((words) => !page.includes(words))).toEqual([]);
    expect(consistentFaults.length).toBeGreaterThan(40);
  });

  it.for(consistentFaults.filter(({ refused }) => refused))('refuses $name', async ({ spoil, refused }) => {
    const folder = await spoilt({});
    await changeTables(folder, spoil);
    await expect(verifyBackup(app, { inputDir: folder })).rejects.toThrow(refused);
  });

  it('a failed checksum or a missing folder is a problem too', async () => {
    const folder = await spoilt({ tables: [['posts', 'Text 3.', 'Text X.']] });
    await writeFile(path.join(folder, 'tables/tags.jsonl'), '{}\n');
    for (const input of [folder, path.join(folder, 'nowhere')]) {
      const { code, json } = await prove(input);
      expect(code).toBe(1);
      expect(json<Proof>()).toMatchObject({ proven: false, mediaFiles: 0 });
      expect(json<Proof>().problems).toHaveLength(1);
    }
  });
});

it('a link of a text that leads nowhere is a warning: it did so before', async () => {
  const folder = await spoilt({
    tables: [['posts', /<p>Text 5\./, '<p>Text 5. <a href=\\"/nowhere\\">This</a>']],
  });
  const { code, stderr, json } = await prove(folder);
  expect([code, stderr, json<Proof>().problems]).toEqual([
    0,
    '/posts/boat-net-5 links to /nowhere, which answers 404.\n',
    [],
  ]);
});

it('a page that is the home is read at `/`: the sitemap does not name its own address', async () => {
  const site = await createTestApp({ now: new Date() });
  try {
    const editorId = (await createUser(site, { role: 'administrator' })).id;
    const fields = { type: 'page' as const, title: 'Welcome aboard', slug: 'welcome' };
    const { id } = await createPost(site, { intent: 'publish', fields, editorId });
    await changeSettings(site, { home_page: id });
    const folder = path.join(await tempFolder(), 'backup');
    await exportBackup(site, { outputDir: folder });
    const { code, json } = await prove(folder);
    expect([code, json<Proof>().problems]).toEqual([0, []]);
  } finally {
    await site.close();
  }
});

it('is refused where the sources, as here, do not run from a build', async () => {
  const { proveBackup } = (await import(path.join(projectRoot, 'bin/prove/prove-backup.ts'))) as {
    proveBackup(input: { inputDir: string }): Promise<unknown>;
  };
  await expect(proveBackup({ inputDir: backup })).rejects.toThrow('there is no build of these sources');
});

describe('backup:run', () => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    runCommand(['backup:run', ...args], { env: { ...app.variables, ...env } });

  it('takes an address of another kind for no folder', async () => {
    const { code, stdout, stderr } = await run(['--to', 'https://bucket.example/backups']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--to takes one folder, or s3://');
  });

  describe('into a folder', () => {
    let to: string;
    let first: Run & Record<string, unknown>;

    it('stores a verified and proven backup, which its owner alone may read', async () => {
      to = path.join(await tempFolder(), 'backups');
      const { code, stderr, json } = await run(['--to', to, '--prove', '--keep-daily', '1']);
      expect([code, stderr]).toEqual([0, '']);
      first = json();
      expect(Object.keys(first).sort()).toEqual([
        ...['backup', 'bytes', 'proven', 'removed', 'seconds', 'verified'],
      ]);
      expect(first).toMatchObject({ verified: true, proven: true, removed: [] });
      expect(path.dirname(first.backup)).toBe(to);
      expect(await verifyBackup(app, { inputDir: first.backup })).toMatchObject({ valid: true });
      expect((await stat(path.join(first.backup, 'tables/users.jsonl'))).mode & 0o077).toBe(0);
    });

    it('keeps what the rules say and what is not its own, and never removes the last proven one', async () => {
      // An older one, proven too, that the rules do not keep; a stranger's folder; a name like ours without a status.
      const old = path.join(to, 'dateline-2026-01-01T00-00-00-000Z');
      await cp(first.backup, old, { recursive: true });
      const status = { createdAt: '2026-01-01T00:00:00.000Z', verified: true, proven: true };
      await writeFile(`${old}.status.json`, `${JSON.stringify(status)}\n`);
      await mkdir(path.join(to, 'dateline-private'));
      const second = (await run(['--to', to, '--keep-daily', '1'])).json<Run>();
      expect((await run(['--to', path.join(to, 'dateline-private')])).json()).toMatchObject({ removed: [] });
      expect(second).toMatchObject({ removed: [old], proven: null });
      expect((await readdir(to)).sort()).toEqual(
        [first, second]
          .map(({ backup: each }) => path.basename(each))
          .flatMap((name) => [name, `${name}.status.json`, `${name}.audit-log.jsonl.gz`])
          .concat('dateline-private')
          .sort(),
      );
    });

    it('is overdue days after the last one, until a zero ends the schedule', async () => {
      expect((await readReadiness(app)).checks.backups).toBe('ok');
      app.clock.set(new Date(Date.now() + 3 * 24 * 3_600_000));
      expect((await readReadiness(app)).checks.backups).toBe('overdue');
      app.clock.set(new Date());
      // The last was made by hand; a zero ends the schedule.
      expect((await readBackupState(app)).nextExpectedAt).not.toBeNull();
      await run(['--to', to, '--keep-daily', '0']);
      expect((await readBackupState(app)).nextExpectedAt).toBeNull();
    });
  });

  it('fills a bucket, and says in one line why it cannot', async () => {
    const standIn = await startS3StandIn();
    const { MEDIA_STORE, ...credentials } = standInVariables(standIn, 'backups');
    const good = await run(['--to', MEDIA_STORE!, '--keep-daily', '2'], credentials);
    expect([good.code, good.stderr]).toEqual([0, '']);
    const { backup: address, bytes } = good.json<Run>();
    expect(address).toMatch(/^s3:\/\/pictures\/backups\/dateline-[\dTZ-]+$/);
    expect(standIn.objects.has(`backups/${address.split('/').at(-1)}.audit-log.jsonl.gz`)).toBe(true);
    const stored = [...standIn.objects].filter(([key]) => !/\.(status\.json|jsonl\.gz)$/.test(key));
    expect(stored.reduce((sum, [, object]) => sum + object.bytes.length, 0)).toBe(bytes);
    standIn.faults.answers = Array.from({ length: 9 }, () => ({ status: 403, code: 'AccessDenied' }));
    const bad = await run(['--to', MEDIA_STORE!], credentials);
    expect([bad.code, bad.stdout, bad.stderr.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(bad.stderr).toContain('access is denied');
    const none = await run(['--to', MEDIA_STORE!]);
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringMatching(/^S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not configured.*\n$/),
    ]);
    await standIn.close();
  });

  it.each([
    ['--keep-daily=x'],
    ['--encrypt-to=me'],
    ['--keep-weekly=-1'],
    [`--encrypt-to=age1${'q'.repeat(58)}`, '--passphrase-file=/tmp/never'],
  ])('refuses %s', async (...options) => {
    expect((await run(['--to', '/tmp/never', ...options])).code).toBe(2);
  });

  it.each(['s3://b', 's3://bucket?endpoint=nowhere', 's3://bucket?colour=red', 'file:'])(
    'refuses the address %s as wrongly written, as media:move does',
    async (address) => {
      for (const command of ['backup:run', 'media:move']) {
        const { code, stdout, stderr } = await runCommand([command, '--to', address], { env: app.variables });
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toMatch(/\n--to:? .+\n$/);
      }
    },
  );
});
