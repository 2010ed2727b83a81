import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { businessTables } from '#app/backup/format/tables.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '#tests/support/app.ts';
import { startScript } from '#tests/support/child-process.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPost, createPosts } from '#tests/support/factories.ts';
import { contentOf, sampleInstance, writeInstance } from '#tests/support/instances.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const open: TestApp[] = [];

async function newApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await createTestApp(options);
  open.push(app);
  return app;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

const run = (app: TestApp, ...args: string[]) => runCommand(args, { env: app.variables });

describe('a backup of a site on SQLite for one on PostgreSQL', () => {
  const instance = sampleInstance(12, 10);
  const mediaFileCount = Object.keys(instance.files).length;
  const counted = { tableCount: businessTables.length, mediaFileCount };
  let source: TestApp;
  let target: TestApp;
  let folder: string;
  beforeAll(async () => {
    [source, target] = [await createTestApp(), await createTestApp({ dialect: 'postgresql' })];
    await writeInstance(source, instance);
    folder = path.join(await tempFolder(), 'backup');
  });
  afterAll(() => Promise.all([source?.close(), target?.close()]));

  it('is written by backup:export', async () => {
    const exported = await run(source, 'backup:export', '--output', folder);
    expect(exported.code, exported.stderr).toBe(0);
    expect(exported.json()).toEqual({
      outputDir: folder,
      manifestPath: path.join(folder, 'manifest.json'),
      secretPolicy: 'redacted',
      warnings: [],
      ...counted,
    });
  });

  it('is verified by backup:verify', async () => {
    const verified = await run(target, 'backup:verify', '--input', folder);
    expect(verified.code, verified.stderr).toBe(0);
    const migrationTag = expect.stringMatching(/^\d{14}_/) as string;
    expect(verified.json()).toMatchObject({ inputDir: folder, valid: true, migrationTag, ...counted });
  });

  it('is restored by backup:import, files and all', async () => {
    const imported = await run(target, 'backup:import', '--input', folder, '--reindex-search');
    expect(imported.code, imported.stderr).toBe(0);
    const settings = instance.rows.settings!.filter(
      ({ key, value }) => key === 'smtp_password' && value !== '',
    );
    const secrets = [
      ...settings.map(({ key }) => String(key)),
      ...instance.rows.webhooks!.map(({ name }) => `webhook ${String(name)}`),
    ];
    const { skippedRedactedSecretKeys, ...restored } = imported.json<{
      skippedRedactedSecretKeys: string[];
    }>();
    expect(skippedRedactedSecretKeys.sort()).toEqual(secrets.sort());
    expect(restored).toEqual({
      inputDir: folder,
      importedTableCount: businessTables.length,
      restoredMediaFileCount: mediaFileCount,
      preservedSecretKeys: [],
      reindexedSearch: true,
    });
    expect((await contentOf(target)).files).toEqual(instance.files);
  });
});

describe('backup:export, backup:verify and backup:import', () => {
  it('refuse in one line, with exit code 1 and nothing on stdout', async () => {
    const app = await newApp();
    await createPost(app);
    const folder = path.join(await tempFolder(), 'backup');
    await run(app, 'backup:export', '--output', folder);
    const before = await contentOf(app);
    const half = path.join(await tempFolder(), 'half');
    await cp(path.join(folder, 'tables'), path.join(half, 'tables'), { recursive: true });
    const refusals: [string[], RegExp][] = [
      [['backup:import', '--input', folder], /^This instance is not empty.*--force/],
      [['backup:export', '--output', folder], /^The folder .* is not empty/],
      [
        ['backup:verify', '--input', path.join(folder, 'tables')],
        /^\/.*\/tables is no backup: it has no manifest\.json\. Name the folder that/,
      ],
      [
        ['backup:verify', '--input', half],
        /^manifest\.json: it is missing\. If \/.*\/half is a copy of a backup, copy the rest too\.$/,
      ],
    ];
    for (const [args, line] of refusals) {
      const { code, stdout, stderr } = await run(app, ...args);
      const lines = stderr.trimEnd().split('\n').length;
      expect({ code, stdout, lines }).toEqual({ code: 1, stdout: '', lines: 1 });
      expect(stderr.trimEnd()).toMatch(line);
    }
    await writeFile(path.join(folder, 'tables/posts.jsonl'), '');
    const { code, stderr } = await run(app, 'backup:import', '--input', folder, '--force');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tables\/posts\.jsonl: it has 0 bytes.*\n$/);
    expect(await contentOf(app)).toEqual(before);
  });

  it.each([
    [['backup:export']],
    [['backup:verify']],
    [['backup:import', '--force']],
    [['backup:import', '--input']],
    [['backup:export', '--output', 'x', '--everything']],
  ])('want their arguments: %s', async (args) => {
    const { code, stdout, stderr } = await run(await newApp(), ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--');
  });

  it('say on stderr what could not be saved', async () => {
    const app = await newApp();
    await mkdir(app.env.uploadsDir, { recursive: true });
    await writeFile(path.join(app.env.uploadsDir, 'nul.txt'), '');
    const folder = path.join(await tempFolder(), 'backup');
    const exported = await run(app, 'backup:export', '--output', folder);
    expect(exported.code).toBe(0);
    const { warnings } = exported.json<{ warnings: string[] }>();
    expect(warnings).toHaveLength(1);
    expect(exported.stderr).toBe(`${warnings[0]!}\n`);
  });

  it('restore without a search engine, which follows later', async () => {
    const app = await newApp();
    await createPost(app, { status: 'published' });
    const folder = path.join(await tempFolder(), 'backup');
    await run(app, 'backup:export', '--output', folder);
    const env = { ...app.variables, SEARCH_HOST: 'http://127.0.0.1:1', LOG_LEVEL: 'warn' };
    const args = ['backup:import', '--input', folder, '--force', '--reindex-search'];
    const imported = await runCommand(args, { env });
    expect(imported.code, imported.stderr).toBe(0);
    expect(imported.json()).toMatchObject({ reindexedSearch: false });
    expect(imported.stderr).toContain('a later trigger updates it');
    expect(await app.db.searchOutbox.count()).toBe(1);
  });

  it('write secrets in plain text only when asked', async () => {
    const app = await newApp();
    const instance = sampleInstance(12, 10);
    instance.rows.settings = [
      { key: 'smtp_password', value: 'the plain secret', updated_at: '2026-11-20T08:00:00.000Z' },
    ];
    await writeInstance(app, instance);
    const settingsIn = (folder: string) => readFile(path.join(folder, 'tables/settings.jsonl'), 'utf8');
    const parent = await tempFolder();
    const [redacted, included] = [path.join(parent, 'redacted'), path.join(parent, 'included')];
    await run(app, 'backup:export', '--output', redacted);
    expect(await settingsIn(redacted)).toBe(
      '{"key":"smtp_password","redacted":true,"updated_at":"2026-11-20T08:00:00.000Z"}\n',
    );
    const exported = await run(app, 'backup:export', '--output', included, '--include-secrets');
    expect(exported.json()).toMatchObject({ secretPolicy: 'included' });
    expect(await settingsIn(included)).toContain('"value":"the plain secret"');
  });

  it('leave nothing behind when an export is stopped', async () => {
    const app = await newApp();
    await createPosts(app, 300, { body: 'text '.repeat(2_000) });
    const parent = await tempFolder();
    const script = startScript('bin/run.mjs', ['backup:export', '--output', path.join(parent, 'backup')], {
      env: app.variables,
    });
    while (script.child.exitCode === null && (await readdir(parent)).length === 0) await sleep(1);
    script.child.kill('SIGTERM');
    const code = await script.ended;
    // A machine may be quick enough to finish first; then there is a whole backup.
    if (code === 0) expect(await readdir(parent)).toEqual(['backup']);
    else expect([code, script.stderr(), await readdir(parent)]).toEqual([1, 'Stopped.\n', []]);
  });

  it('clear up after a killed import when the next command starts', async () => {
    const app = await newApp();
    const staging = path.join(app.env.uploadsDir, '.import-killed');
    await mkdir(staging, { recursive: true });
    await writeFile(path.join(app.env.uploadsDir, 'placed.webp'), 'new');
    await writeFile(path.join(app.env.uploadsDir, 'old.webp'), 'old');
    await writeFile(
      path.join(staging, 'plan.json'),
      JSON.stringify({ placed: ['placed.webp'], waiting: [], removed: ['old.webp'] }),
    );
    expect((await run(app, 'db:seed')).code).toBe(0);
    expect(await readdir(app.env.uploadsDir)).toEqual(['old.webp']);
  });
});
