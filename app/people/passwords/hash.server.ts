import bcrypt from 'bcrypt';
import type { Hashing } from './queue.server.ts';

// Measured: cost 12 takes 0.2 s on this kind of machine.
const COST = 12;

// The hash of a random password: comparing with it makes an unknown account take as long as a known one.
const DECOY = '$2b$12$C6UzMDM.H6dfI/f/IKcEeO8y9D3Yz1cGv1iT0s3mV9jXn8b8fT5yG';

/** Hashes a new password in the login queue. @param from as `LoginQueue.run` takes it */
export function hashPassword(app: Hashing, from: string, password: string): Promise<string> {
  return app.loginQueue.run(from, () => bcrypt.hash(password, COST));
}

/**
 * Compares a password with a hash; without one it takes the same time. Call it only in an attempt of a throttle, which
 * runs in the login queue.
 */
export async function passwordMatches(password: string, hash: string | null | undefined): Promise<boolean> {
  const matches = await bcrypt.compare(password, hash ?? DECOY);
  return matches && Boolean(hash);
}
