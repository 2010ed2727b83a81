import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Configured } from '#app/platform/services.ts';
import { signedCookie } from './cookie.server.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** The most accounts in the cookie of one browser. */
const ACCOUNTS_MAX = 10;

/** A browser that has logged in to these accounts. */
export interface KnownDevice {
  id: string;
  userIds: string[];
}

const deviceSchema = z.object({
  id: z.string().min(1).max(64),
  userIds: z.array(z.string()).max(ACCOUNTS_MAX),
});

/** The device of a `Cookie` header; null for a browser that has never logged in, or a forged cookie. */
export async function readDevice(
  app: Configured,
  cookies: string | null | undefined,
): Promise<KnownDevice | null> {
  const device = deviceSchema.safeParse(await deviceCookie(app).parse(cookies ?? null));
  return device.success ? device.data : null;
}

/**
 * The name under which throttles count the device of a `Cookie` header; null if it has never logged in to the account.
 */
export async function knownDeviceOf(
  app: Configured,
  cookies: string | null,
  userId: string | undefined,
): Promise<string | null> {
  const device = await readDevice(app, cookies);
  return device && userId !== undefined && device.userIds.includes(userId) ? `device ${device.id}` : null;
}

/**
 * Records that an account has logged in from this browser. Failures of others at the same address then never lock the
 * account out here.
 * The cookie alone gives no access. @returns the `Set-Cookie` header.
 */
export async function rememberDevice(app: Configured, request: Request, userId: string): Promise<string> {
  const previous = await readDevice(app, request.headers.get('Cookie'));
  const otherIds = (previous?.userIds ?? []).filter((id) => id !== userId);
  const device: KnownDevice = {
    id: previous?.id ?? randomBytes(16).toString('base64url'),
    userIds: [userId, ...otherIds].slice(0, ACCOUNTS_MAX),
  };
  return deviceCookie(app).serialize(device);
}

function deviceCookie(app: Configured) {
  return signedCookie(app, 'dateline_device', YEAR_SECONDS);
}
