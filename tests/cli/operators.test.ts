import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeMigrationTag } from '#app/platform/database/migrations.server.ts';
import { application, projectRoot } from '#app/platform/project.server.ts';
import { createTestApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { sampleInstance, writeInstance } from '#tests/support/instances.ts';
import { standInVariables, startS3StandIn, type S3StandIn } from '#tests/support/s3/stand-in.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const execute = promisify(execFile);
const run = (app: TestApp, ...args: string[]) => runCommand(args, { env: app.variables });

async function resultOf(app: TestApp, ...args: string[]) {
  const { code, stderr, json } = await run(app, ...args);
  expect(code, stderr).toBe(0);
  return json();
}

describeWithOneApp('posts', (getApp) => {
  let draft: { id: string };
  beforeAll(async () => {
    draft = await createPost(getApp(), { slug: 'first', title: 'First' });
    await createPost(getApp(), { slug: 'second', status: 'published' });
  });

  it('are listed by state, with their number', async () => {
    expect(await resultOf(getApp(), 'posts:list', '--status', 'draft')).toEqual({
      posts: [{ id: draft.id, slug: 'first', title: 'First', status: 'draft', publishedAt: null }],
      total: 1,
    });
    const all = await resultOf(getApp(), 'posts:list', '--limit', '1');
    expect(all).toMatchObject({ total: 2, posts: [{}] });
    expect((await run(getApp(), 'posts:list', '--status', 'late')).code).toBe(2);
  });

  it('are published and archived by slug or id, once', async () => {
    const shown = await resultOf(getApp(), 'posts:show', draft.id);
    expect(shown).toEqual({ id: draft.id, slug: 'first', status: 'draft', publishedAt: null });
    const published = await resultOf(getApp(), 'posts:publish', 'first');
    expect(published).toMatchObject({ id: draft.id, slug: 'first', status: 'published' });
    expect(published.publishedAt).toMatch(/^\d{4}-.*\.\d{3}Z$/);
    expect(await resultOf(getApp(), 'posts:publish', 'first')).toEqual(published);
    expect(await resultOf(getApp(), 'posts:archive', draft.id)).toMatchObject({ status: 'archived' });
    const entries = await getApp().db.auditLog.findMany({
      where: { subject: 'First' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['post.published', 'Command'],
      ['post.archived', 'Command'],
    ]);
  });

  it('that there are not are named', async () => {
    const { code, stdout, stderr } = await run(getApp(), 'posts:show', 'third');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^There is no post with the slug or id “third”.*\n$/);
  });

  it('are created as drafts by content:new', async () => {
    const input = path.join(await tempFolder(), 'text.md');
    await writeFile(input, 'Some *text*.');
    const made = await resultOf(getApp(), 'content:new', 'A new text', '--input', input);
    expect(made).toMatchObject({ slug: 'a-new-text', status: 'draft', publishedAt: null });
    const row = await getApp().db.post.findUniqueOrThrow({ where: { id: String(made.id) } });
    expect(row).toMatchObject({ title: 'A new text', body: 'Some *text*.' });
    expect((await run(getApp(), 'content:new', ' ')).stderr).toBe('Title is required.\n');
  });
});

describeWithOneApp('accounts and settings', (getApp) => {
  beforeAll(async () => {
    await createUser(getApp(), {
      ...{ email: 'first@example.org', username: 'first', role: 'administrator' },
      // Who has no password cannot log in, and does not count.
      passwordHash: 'a hash',
    });
    await createUser(getApp(), { email: 'second@example.org', username: 'second', role: 'editor' });
  });

  it('an account is disabled, but not the last administrator', async () => {
    const disabled = await resultOf(getApp(), 'users:disable', 'Second@example.org');
    expect(disabled).toEqual({ email: 'second@example.org', disabled: true });
    expect(await resultOf(getApp(), 'users:list')).toMatchObject({
      users: [
        { email: 'first@example.org', username: 'first', role: 'administrator', disabled: false },
        { email: 'second@example.org', username: 'second', role: 'editor', disabled: true },
      ],
    });
    const last = await run(getApp(), 'users:disable', 'first@example.org');
    expect(last).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/last administrator/) });
  });

  it('a setting is changed and shown', async () => {
    const set = await resultOf(getApp(), 'settings:set', 'site_title', 'Another name');
    expect(set).toEqual({ key: 'site_title', value: 'Another name' });
    expect(await resultOf(getApp(), 'settings:get', 'site_title')).toEqual(set);
    const wrong = await run(getApp(), 'settings:set', 'posts_per_page', 'many');
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/whole number/) });
    const unknown = await run(getApp(), 'settings:get', 'site_titel');
    expect(unknown.stderr).toMatch(/^There is no setting “site_titel”. The nearest: site_title, /);
  });

  it('a secret is stored and never shown', async () => {
    const { variables: env } = getApp();
    const set = await runCommand(['settings:set', 'smtp_password', '-'], { env, input: 'quite secret\n' });
    expect(set.json(), set.stderr).toEqual({ key: 'smtp_password', redacted: true });
    expect(await resultOf(getApp(), 'settings:get', 'smtp_password')).toEqual(set.json());
    const row = await getApp().db.setting.findUniqueOrThrow({ where: { key: 'smtp_password' } });
    expect(row.value).not.toContain('quite secret');
  });
});

describeWithOneApp('a report on a terminal', (getApp) => {
  const onTerminal = async (command: string) => {
    const env = { ...process.env, ...getApp().variables, COLUMNS: '100' };
    const line = `${process.execPath} bin/run.mjs ${command}`;
    const options = { cwd: projectRoot, env };
    const failed = (error: { stdout: string }) => error;
    return (await execute('script', ['-qec', line, '/dev/null'], options).catch(failed)).stdout;
  };

  it('is a table, and JSON with --json', async () => {
    const table = await onTerminal('posts:status');
    expect(table.split('\r\n')).toContain('scheduled        0');
    expect(JSON.parse(await onTerminal('posts:status --json'))).toMatchObject({ scheduled: 0 });
    expect(await onTerminal('releases:status')).toMatch(/^due +0\r$/m);
    expect(await onTerminal('effects:status')).toMatch(/^waiting +0\r$/m);
    expect(await onTerminal('doctor')).toMatch(/^database +ok +/m);
  });
});

describe('backups in archives and buckets', () => {
  let source: TestApp;
  let s3: S3StandIn;
  let folder: string;
  let identityFile: string;
  const bucket = () => standInVariables(s3, 'backups').MEDIA_STORE!;
  const keys = () => {
    const { S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = standInVariables(s3);
    return { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  };
  beforeAll(async () => {
    source = await createTestApp();
    s3 = await startS3StandIn();
    await writeInstance(source, sampleInstance(4, 3));
    folder = await tempFolder();
    const identity = await generateIdentity();
    identityFile = path.join(folder, 'key.txt');
    await writeFile(identityFile, `# created: today\n${identity}\n`);
    const recipient = await identityToRecipient(identity);
    const backups = path.join(folder, 'backups');
    await resultOf(source, 'backup:run', '--to', backups, '--encrypt-to', recipient);
    await resultOf(source, 'backup:run', '--to', backups);
    const env = { ...source.variables, ...keys() };
    for (const options of [[], ['--encrypt-to', recipient]]) {
      const stored = await runCommand(['backup:run', '--to', bucket(), ...options], { env });
      expect(stored.code, stored.stderr).toBe(0);
    }
  });
  afterAll(async () => {
    await source?.close();
    await s3?.close();
  });

  const backupsIn = async (from: string) => {
    const { code, stderr, json } = await runCommand(['backup:list', '--from', from], {
      env: { ...source.variables, ...keys() },
    });
    expect(code, stderr).toBe(0);
    return json<{ backups: { name: string; encrypted: boolean; bytes: number }[] }>().backups;
  };

  it('are listed, newest first', async () => {
    const described = {
      version: application.version,
      migrationTag: codeMigrationTag(),
      proven: false,
      createdAt: expect.stringMatching(/Z$/) as string,
      bytes: expect.any(Number) as number,
    };
    for (const [from, order] of [
      [path.join(folder, 'backups'), [false, true]],
      [bucket(), [true, false]],
    ] as const) {
      const listed = await backupsIn(from);
      expect(listed).toEqual(
        order.map((encrypted) => ({
          ...described,
          encrypted,
          name: expect.stringMatching(/^dateline-/) as string,
        })),
      );
      for (const { bytes } of listed) expect(bytes).toBeGreaterThan(1_000);
    }
  });

  it('are verified and imported', async () => {
    const [plain, sealed] = await backupsIn(path.join(folder, 'backups'));
    const tar = path.join(folder, 'plain.tar');
    await execute('tar', ['-cf', tar, '-C', path.join(folder, 'backups'), plain!.name]);
    const inBucket = await backupsIn(bucket());
    const [address, query] = bucket().split('?');
    const inputs = [
      [tar],
      [path.join(folder, 'backups', sealed!.name), '--identity', identityFile],
      ...inBucket.map(({ name }) => [`${address}/${name}?${query}`, '--identity', identityFile]),
    ];
    const slugsIn = async (app: TestApp) =>
      (await app.db.post.findMany({ select: { slug: true }, orderBy: { slug: 'asc' } })).map(
        ({ slug }) => slug,
      );
    const expected = await slugsIn(source);
    expect(expected).not.toEqual([]);
    for (const [input, ...options] of inputs) {
      const app = await createTestApp({ variables: keys() });
      const verified = await resultOf(app, 'backup:verify', '--input', input!, ...options);
      expect(verified).toMatchObject({ inputDir: input!.split('?')[0], valid: true });
      const imported = await resultOf(app, 'backup:import', '--input', input!, ...options);
      expect(imported).toMatchObject({ inputDir: input!.split('?')[0] });
      expect(imported.restoredMediaFileCount).toBe(verified.mediaFileCount);
      expect(await slugsIn(app)).toEqual(expected);
      await app.close();
    }
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('dateline-restore-'))).toEqual([]);
  });

  it('are refused with one line without the key, with another one, and where they are damaged', async () => {
    const [, sealed] = await backupsIn(path.join(folder, 'backups'));
    const file = path.join(folder, 'backups', sealed!.name);
    const other = path.join(folder, 'other.txt');
    await writeFile(other, `${await generateIdentity()}\n`);
    const cut = path.join(folder, 'cut.tar.age');
    await writeFile(cut, (await readFile(file)).subarray(0, -1_000));
    const noTar = path.join(folder, 'none.tar');
    await writeFile(noTar, 'This is no archive.'.repeat(100));
    const [address, query] = bucket().split('?');
    for (const [reason, ...args] of [
      [/is encrypted\. Name what opens it: --identity/, file],
      [/is not opened by this identity/, file, '--identity', other],
      [/is damaged, or not a backup/, cut, '--identity', identityFile],
      [/is not a readable archive/, noTar],
      [/holds several backups\. Name one of them/, `${address}?${query}`],
      [/There is no backup nothing/, `${address}/nothing?${query}`],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(['backup:verify', '--input', ...(args as string[])], {
        env: { ...source.variables, ...keys() },
      });
      expect({ code, stdout, lines: stderr.split('\n').length }, stderr).toEqual({
        code: 1,
        stdout: '',
        lines: 2,
      });
      expect(stderr).toMatch(reason);
    }
  });

  it('in the uploads folder are refused, since an import would remove them', async () => {
    const uploads = source.variables.UPLOADS_DIR!;
    await mkdir(uploads, { recursive: true });
    const inside = path.join(uploads, 'backup.tar');
    await writeFile(inside, '');
    const { code, stderr } = await run(source, 'backup:import', '--input', inside, '--force');
    await rm(inside);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/uploads folder/) });
  });
});
