import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { pipeline } from 'node:stream/promises';
import type { Encrypter } from 'age-encryption';
import { AppError, messageOf, invalidInput } from '#app/platform/errors.ts';

/** What opens an encrypted backup: the private key of an age recipient, or a passphrase. */
export type BackupKey = { recipient: string } | { passphrase: string };

// Age's own 18 takes 256 MB for a moment, which a container may not have; 16 takes 64 MB.
const SCRYPT_WORK_FACTOR = 16;
const PASSPHRASE_MIN = 16;

/**
 * Reads a passphrase from a file with a single line.
 * @throws AppError `invalid_input` when the file has no passphrase, or one that can be guessed
 */
export async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw invalidInput(`--passphrase-file cannot be read: ${messageOf(error)}`);
  });
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase.length >= PASSPHRASE_MIN && !/[\r\n]/.test(passphrase)) return passphrase;
  throw invalidInput(
    `--passphrase-file must hold one line of at least ${PASSPHRASE_MIN} characters: openssl rand -base64 24`,
  );
}

/**
 * Writes a folder as one encrypted file: a tar archive. `age -d FILE | tar -x` opens it.
 * @throws AppError `invalid_input` for an invalid recipient
 */
export async function encryptFolder(folder: string, key: BackupKey, target: string): Promise<void> {
  const encrypter = await encrypterFor(key);
  const tar = spawn('tar', ['-c', '-C', folder, '.'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  tar.stderr.on('data', (chunk) => (complaint = `${complaint}${String(chunk)}`.slice(0, 500)));
  const ended = once(tar, 'close') as Promise<[number | null]>;
  const failed = once(tar, 'error').then(([error]) => {
    throw new AppError('unavailable', `tar could not be started: ${messageOf(error)}`);
  });
  await Promise.race([writeEncrypted(tar.stdout, encrypter, target), failed]);
  const [code] = await ended;
  if (code !== 0) throw new AppError('unavailable', `tar failed: ${complaint.trim()}`);
}

/** Encrypts a file. `age -d FILE` opens it. */
export async function encryptFile(file: string, key: BackupKey, target: string): Promise<void> {
  await writeEncrypted(createReadStream(file), await encrypterFor(key), target);
}

async function writeEncrypted(plain: Readable, encrypter: Encrypter, target: string): Promise<void> {
  const sealed = await encrypter.encrypt(Readable.toWeb(plain) as ReadableStream<Uint8Array> as never);
  await pipeline(
    Readable.fromWeb(sealed as never),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  );
}

async function encrypterFor(key: BackupKey): Promise<Encrypter> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  if ('passphrase' in key) {
    encrypter.setScryptWorkFactor(SCRYPT_WORK_FACTOR);
    encrypter.setPassphrase(key.passphrase);
    return encrypter;
  }
  try {
    encrypter.addRecipient(key.recipient);
  } catch (error) {
    throw invalidInput(`--encrypt-to is no age recipient: ${messageOf(error)}`);
  }
  return encrypter;
}
