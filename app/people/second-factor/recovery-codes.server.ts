import { randomInt } from 'node:crypto';
import { sha256Of } from '#app/platform/files/sha256.server.ts';

const COUNT = 10;
const LENGTH = 12;
// Without letters and digits that people confuse. 12 characters of 30 are 58 bits: too many for throttled guesses.
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';

/** New codes as shown, such as `k7pd-2mxa-9qhw`, and as stored (a JSON array of hashes). */
export function newRecoveryCodes(): { codes: string[]; stored: string } {
  const codes = Array.from({ length: COUNT }, newCode);
  return { codes, stored: JSON.stringify(codes.map(hashOf)) };
}

/** The stored codes without the used one; null when the code is not among them. */
export function withoutRecoveryCode(stored: string | null, code: string): string | null {
  const hashes = JSON.parse(stored ?? '[]') as string[];
  const used = hashOf(code);
  return hashes.includes(used) ? JSON.stringify(hashes.filter((hash) => hash !== used)) : null;
}

/** How many of an account's recovery codes are unused. @param stored the account's column, JSON */
export function countRecoveryCodes(stored: string | null): number {
  return (JSON.parse(stored ?? '[]') as string[]).length;
}

function newCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return letters.match(/.{4}/g)!.join('-');
}

// Ignores case, spaces and hyphens.
function hashOf(code: string): string {
  const bare = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return sha256Of(bare);
}
