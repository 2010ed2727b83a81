import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '#app/platform/errors.ts';

const FORMAT = 'v1';

/** Encrypts a secret under a key derived from `AUTH_SECRET` (AES-256-GCM): `v1:<iv>:<tag>:<data>`, base64url. */
export function encryptSecret(plain: string, authSecret: string | undefined): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyFrom(authSecret), iv);
  const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return [FORMAT, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join(':');
}

/** Decrypts a secret. @throws AppError `not_configured` when it was encrypted with another `AUTH_SECRET`. */
export function decryptSecret(stored: string, authSecret: string | undefined): string {
  const [format, iv, tag, data] = stored.split(':');
  try {
    if (format !== FORMAT) throw new Error('unknown format');
    const decipher = createDecipheriv('aes-256-gcm', keyFrom(authSecret), Buffer.from(iv!, 'base64url'));
    decipher.setAuthTag(Buffer.from(tag!, 'base64url'));
    return Buffer.concat([decipher.update(Buffer.from(data!, 'base64url')), decipher.final()]).toString(
      'utf8',
    );
  } catch (cause) {
    throw new AppError(
      'not_configured',
      'A stored secret cannot be read: AUTH_SECRET is not the one it was saved under. Put the old AUTH_SECRET back, or enter the secret again in the settings.',
      { cause },
    );
  }
}

function keyFrom(authSecret: string | undefined): Buffer {
  if (!authSecret) throw new AppError('not_configured', 'AUTH_SECRET is not configured');
  return Buffer.from(hkdfSync('sha256', authSecret, '', 'dateline settings', 32));
}
