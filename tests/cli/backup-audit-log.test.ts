// backup:run as a child process: encrypted backups, and the audit log beside a backup.
import { existsSync } from 'node:fs';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyBackup } from '#app/backup/restore/verify-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { newId } from '#app/platform/clock.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { createUser } from '#tests/support/factories.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

interface Run {
  backup: string;
  removed: string[];
}

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  const editorId = (await createUser(app, { role: 'administrator' })).id;
  await createPost(app, { intent: 'publish', fields: { title: 'Boat & net', body: 'Text.' }, editorId });
});
afterAll(() => app?.close());

const run = (args: string[]) => runCommand(['backup:run', ...args], { env: app.variables });

const logIn = (packed: Uint8Array) =>
  gunzipSync(packed)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);

const PASSPHRASE = 'correct horse battery';

it.each([
  [
    'to a recipient',
    async () => {
      const identity = await generateIdentity();
      const option = ['--encrypt-to', await identityToRecipient(identity)];
      return { option, addKey: (to: Decrypter) => to.addIdentity(identity) };
    },
  ],
  [
    'with a passphrase',
    async () => {
      const file = path.join(await tempFolder(), 'passphrase');
      await writeFile(file, `${PASSPHRASE}\n`);
      const option = ['--passphrase-file', file];
      return { option, addKey: (to: Decrypter) => to.addPassphrase(PASSPHRASE) };
    },
  ],
])('encrypts %s: only the key opens the backup and its audit log', async (_how, makeKey) => {
  const { option, addKey } = await makeKey();
  const { code, json } = await run(['--to', await tempFolder(), ...option]);
  expect(code).toBe(0);
  const { backup: file } = json<Run>();
  const auditLog = file.replace(/\.tar\.age$/, '.audit-log.jsonl.gz.age');
  const sealed = await readFile(file);
  expect(sealed.includes('manifest.json')).toBe(false);
  const decrypter = new Decrypter();
  addKey(decrypter);
  const tar = Buffer.from(await decrypter.decrypt(sealed));
  expect(tar.includes('./manifest.json')).toBe(true);
  expect(tar.includes('Boat & net')).toBe(true);
  const entries = logIn(await decrypter.decrypt(await readFile(auditLog)));
  expect(entries).toHaveLength(await app.db.auditLog.count());
});

describe('an export with --audit-log', () => {
  let output: string;
  const exportTo = (folder: string) =>
    runCommand(['backup:export', '--output', folder, '--audit-log'], { env: app.variables });
  beforeAll(async () => {
    output = path.join(await tempFolder(), 'move');
  });

  it('writes the log beside the folder, and replaces none', async () => {
    const exported = await exportTo(output);
    expect(exported.json<{ auditLog: string }>().auditLog).toBe(`${output}.audit-log.jsonl.gz`);
    const again = await exportTo(`${output}/`);
    const refusal = `${output}.audit-log.jsonl.gz exists. Remove it, or name another folder.\n`;
    expect([again.code, again.stderr]).toEqual([1, refusal]);
  });

  it('comes back with the import, on a machine that has entries of its own', async () => {
    const saved = await app.db.auditLog.findMany({ orderBy: { id: 'asc' } });
    const other = await createTestApp({ now: new Date() });
    try {
      const own = { ...saved[0]!, id: newId(other.clock), action: 'login.failed' };
      await other.db.auditLog.createMany({ data: [saved[0]!, own] });
      const restore = () =>
        runCommand(['backup:import', '--input', output, '--force'], { env: other.variables });
      expect((await restore()).json()).toMatchObject({ restoredAuditEntries: saved.length - 1 });
      expect(await other.db.auditLog.findMany({ orderBy: { id: 'asc' } })).toEqual([...saved, own]);
      expect((await restore()).json()).toMatchObject({ restoredAuditEntries: 0 });
    } finally {
      await other.close();
    }
  });
});

it('is checked with its backup: a damaged log is refused before anything is written', async () => {
  const inputDir = path.join(await tempFolder(), 'backup');
  const { auditLog } = await exportBackup(app, { outputDir: inputDir, auditLog: true });
  const whole = await readFile(auditLog!);
  const line = gunzipSync(whole).toString().split('\n')[0]!;
  for (const [content, reason] of [
    [whole.subarray(0, -20), 'it is damaged (unexpected end of file)'],
    [Buffer.from('no gzip'), 'it is damaged (incorrect header check)'],
    [gzipSync(`${line}\n${line}\n`), 'line 2: its id occurs twice, or not in order'],
    [gzipSync(`${line.replace('"actor"', '"who"')}\n`), 'line 1: column "actor" is missing'],
    [gzipSync(line), 'its last line has no end'],
  ] as const) {
    await writeFile(auditLog!, content);
    await expect(verifyBackup(app, { inputDir })).rejects.toThrow(reason);
  }
  await writeFile(auditLog!, gzipSync(''));
  await expect(verifyBackup(app, { inputDir })).resolves.toMatchObject({ valid: true });
});

it('refuses a passphrase that can be guessed, before it writes anything', async () => {
  const to = path.join(await tempFolder(), 'backups');
  const file = path.join(await tempFolder(), 'passphrase');
  for (const [text, reason] of [
    ['short\n', 'at least 16 characters'],
    ['a first line of it\nand another\n', 'one line'],
    [null, 'cannot be read'],
  ] as const) {
    if (text !== null) await writeFile(file, text);
    else await rm(file);
    const { code, stdout, stderr } = await run(['--to', to, '--passphrase-file', file]);
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([1, '', [expect.stringContaining(reason)]]);
  }
  expect(existsSync(to)).toBe(false);
});

describe('the audit log beside a backup', () => {
  let to: string;
  let first: Run;
  beforeAll(async () => {
    to = await tempFolder();
    // More than one read takes, and what no line may break on.
    const { id: _, ...entry } = (await app.db.auditLog.findFirst())!;
    const details = 'one\ntwo\u2028"three"';
    const more = Array.from({ length: 1_100 }, () => ({ ...entry, id: newId(app.clock), details }));
    await app.db.auditLog.createMany({ data: more });
    first = (await run(['--to', to, '--keep-daily', '1'])).json<Run>();
  });

  it('is whole, private and no part of it', async () => {
    const auditLog = `${first.backup}.audit-log.jsonl.gz`;
    expect((await stat(auditLog)).mode & 0o077).toBe(0);
    const rows = await app.db.auditLog.findMany({ orderBy: { id: 'asc' } });
    expect(logIn(await readFile(auditLog))).toEqual(
      rows.map(({ at, userId, ...others }) => ({ ...others, at: at.toISOString(), user_id: userId })),
    );
    const inside = await readdir(first.backup, { recursive: true });
    expect(inside.filter((name) => name.includes('audit'))).toEqual([]);
    expect(await verifyBackup(app, { inputDir: first.backup })).toMatchObject({ valid: true });
  });

  it('is removed with the backup, encrypted or not; an option leaves it out', async () => {
    const old = path.join(to, 'dateline-2026-01-01T00-00-00-000Z');
    await writeFile(`${old}.tar.age`, 'sealed');
    await writeFile(`${old}.audit-log.jsonl.gz.age`, 'sealed');
    await writeFile(
      `${old}.tar.age.status.json`,
      '{"createdAt":"2026-01-01T00:00:00.000Z","verified":true,"proven":null}',
    );
    const second = (await run(['--to', to, '--keep-daily', '1', '--no-audit-log'])).json<Run>();
    expect(second.removed.sort()).toEqual([`${old}.tar.age`, first.backup]);
    const { base } = path.parse(second.backup);
    expect((await readdir(to)).sort()).toEqual([base, `${base}.status.json`]);
  });
});
