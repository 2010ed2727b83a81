import { chmod, mkdir, mkdtemp, open, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { AppError, messageOf } from '#app/platform/errors.ts';
import { asFileFailure } from '#app/platform/files/disk.server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  );

/** Root may write everywhere, so it steps down for the time of `work`. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid!() === 0;
  if (isRoot) process.seteuid!(65_534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid!(0);
  }
}

test('a refusal of the system names the file or folder and says what to do', async () => {
  const folder = await tempFolder();
  const at = (name: string) => path.join(folder, name);
  await writeFile(at('file'), 'x');
  await mkdir(at('own'));
  await chmod(at('own'), 0);
  await chmod(folder, 0o555);
  const errors = await asNobody(async () => [
    await failureOf(mkdir(at('new'))),
    await failureOf(readdir(at('own'))),
    await failureOf(open(at('own/file'), 'w')),
    await failureOf(rename(at('file'), at('other'))),
    await failureOf(mkdtemp(at('scratch-'))),
    await failureOf(readdir(at('file/below'))),
  ]);
  await chmod(folder, 0o755);
  await chmod(at('own'), 0o700);
  vi.stubEnv('TMPDIR', folder);
  const failures = errors.map((error) => messageOf(asFileFailure(error)));
  vi.unstubAllEnvs();
  expect(failures).toEqual([
    `The folder ${at('new')} cannot be made (EACCES). Make it, and give it to the user who runs this command, or name another one.`,
    `The folder ${at('own')} cannot be read (EACCES). Let the user who runs this command read it.`,
    `${at('own/file')} cannot be used (EACCES). Give it and its folder ${at('own')} to the user who runs this command.`,
    `${at('other')} cannot be used (EACCES). Give it and its folder ${folder} to the user who runs this command.`,
    `The folder for temporary files ${folder} cannot be used (EACCES). Name another one in TMPDIR.`,
    `${at('file/below')} is a file, or below one (ENOTDIR). Correct the name.`,
  ]);
});

test('a full disk is named, also where the system names no file', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  expect(messageOf(asFileFailure(full))).toBe(
    'There is no room left on a disk (ENOSPC). Make room there, and run it again.',
  );
});

test('other errors stay as they are', async () => {
  const missing = await open(path.join(await tempFolder(), 'none')).catch((error: unknown) => error);
  for (const error of [missing, new Error('No'), new AppError('conflict', 'No'), 'text', null, undefined])
    expect(asFileFailure(error)).toBe(error);
});
