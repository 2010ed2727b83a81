import { Authenticator } from 'remix-auth';
import { FormStrategy } from 'remix-auth-form';
import { z } from 'zod';
import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import { line, text } from '#app/platform/text.ts';
import { writeAudit } from './audit.server.ts';
import { readDevice, type KnownDevice } from './known-device.server.ts';
import { loginQueue } from './login-queue.server.ts';
import { createLoginThrottle } from './login-throttle.server.ts';
import { passwordMatches } from './passwords.server.ts';

const credentialsSchema = z.object({
  email: line(254, 'E-mail').transform((value) => value.toLowerCase()),
  password: text(10_000, 'Password'),
});

type LoginApp = Pick<App, 'db' | 'clock' | 'env'>;

/** An account whose password was right; without its second step nobody is logged in yet. */
export interface CheckedPassword {
  userId: string;
  needsCode: boolean;
}

const WRONG = 'Email or password is incorrect.';

/**
 * Checks the login form of a request whose body nobody has read yet.
 * @throws AppError `invalid_input` with the contract's one text, whatever was wrong; `too_many_requests`
 *   with the seconds to wait.
 */
export async function logIn(app: LoginApp, request: Request, address: string): Promise<CheckedPassword> {
  const authenticator = new Authenticator<CheckedPassword>();
  const device = await readDevice(app, request.headers.get('Cookie'));
  const check = ({ form }: { form: FormData }) => verify(app, Object.fromEntries(form), { address, device });
  authenticator.use(new FormStrategy(check), 'form');
  return authenticator.authenticate('form', request);
}

interface LoginClient {
  address: string;
  device: KnownDevice | null;
}

async function verify(app: LoginApp, form: unknown, client: LoginClient): Promise<CheckedPassword> {
  const credentials = credentialsSchema.safeParse(form);
  if (!credentials.success) throw new AppError('invalid_input', WRONG);
  const { email, password } = credentials.data;
  const user = await app.db.user.findUnique({ where: { email } });
  const { address, device } = client;
  const known = device !== null && user !== null && device.userIds.includes(user.id);
  // A known device has counters of its own: what others fail from its address is not held against it.
  const from = known ? `device ${device.id}` : address;
  const throttle = createLoginThrottle(app, { account: email, address: from });
  const check = known ? throttle.checkKnown : throttle.check;
  // Before the lane, so that whoever must wait anyway is told at once.
  await check();
  return loginQueue.run(from, async () => {
    const wait = await check();
    const matches = await passwordMatches(password, user?.passwordHash);
    if (user && matches && !user.disabledAt) {
      await throttle.forgive();
      return { userId: user.id, needsCode: user.totpConfirmedAt !== null };
    }
    await throttle.countFailure();
    const by = { userId: user?.id ?? null, actor: email, address };
    await writeAudit(app.db, app.clock, { action: 'login.failed', by });
    throw wait ?? new AppError('invalid_input', WRONG);
  });
}
