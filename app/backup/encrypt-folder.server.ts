import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { pipeline } from 'node:stream/promises';
import { AppError, messageOf } from '#app/platform/errors.ts';

/**
 * Writes a folder as one file: a tar archive, encrypted to a recipient. `age -d -i key.txt FILE | tar -x` opens it.
 * @throws AppError `invalid_input` for a recipient that is none
 */
export async function encryptFolder(folder: string, recipient: string, target: string): Promise<void> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch (error) {
    throw new AppError('invalid_input', `--encrypt-to is no age recipient: ${messageOf(error)}`);
  }
  const tar = spawn('tar', ['-c', '-C', folder, '.'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  tar.stderr.on('data', (chunk) => (complaint = `${complaint}${String(chunk)}`.slice(0, 500)));
  const ended = once(tar, 'close') as Promise<[number | null]>;
  const failed = once(tar, 'error').then(([error]) => {
    throw new AppError('unavailable', `tar could not be started: ${messageOf(error)}`);
  });
  const plain = Readable.toWeb(tar.stdout) as ReadableStream<Uint8Array>;
  const sealed = await encrypter.encrypt(plain as never);
  const written = pipeline(
    Readable.fromWeb(sealed as never),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  );
  await Promise.race([written, failed]);
  const [code] = await ended;
  if (code !== 0) throw new AppError('unavailable', `tar failed: ${complaint.trim()}`);
}
