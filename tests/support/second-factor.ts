import { Secret, TOTP } from 'otpauth';
import type { App } from '#app/app.ts';
import { newTotpSecret } from '#app/people/second-factor.server.ts';
import { startSecondStep } from '#app/people/sessions/log-in.server.ts';
import { encryptSecret } from '#app/settings/secrets.server.ts';
import type { Client } from './http-client.ts';

/** Turns the second factor of an account on. @returns the code of its app at this moment */
export async function turnSecondFactorOn(app: App, userId: string): Promise<() => string> {
  const secret = newTotpSecret();
  const totpSecret = encryptSecret(secret, app.env.authSecret);
  await app.db.user.update({ where: { id: userId }, data: { totpSecret, totpConfirmedAt: new Date() } });
  return () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}

/** Gives a browser a login whose password was right and whose code is still missing. */
export async function givePassedPassword(app: App, client: Client, userId: string): Promise<void> {
  const { passwordHash } = await app.db.user.findUniqueOrThrow({ where: { id: userId } });
  const cookie = await startSecondStep(app, { userId, needsCode: true, passwordHash: passwordHash! });
  const [name, value] = cookie.split(';')[0]!.split('=') as [string, string];
  client.cookies.set(name, value);
}
