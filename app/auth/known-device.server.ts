import { randomBytes } from 'node:crypto';
import { createCookie } from '@remix-run/node';
import { z } from 'zod';
import type { App } from '#app/app.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** Accounts that one browser remembers. */
const ACCOUNTS_MAX = 10;

type DeviceApp = Pick<App, 'env'>;

/** A browser from which a login to these accounts has succeeded. */
export interface KnownDevice {
  id: string;
  userIds: string[];
}

const deviceSchema = z.object({
  id: z.string().min(1).max(64),
  userIds: z.array(z.string()).max(ACCOUNTS_MAX),
});

/** The device of a `Cookie` header; null for one that nobody has logged in from, or a forged cookie. */
export async function readDevice(
  app: DeviceApp,
  cookies: string | null | undefined,
): Promise<KnownDevice | null> {
  const device = deviceSchema.safeParse(await deviceCookie(app).parse(cookies ?? null));
  return device.success ? device.data : null;
}

/**
 * The name under which throttles count the device of a `Cookie` header, when it has logged in to that account; else
 * null.
 */
export async function knownDeviceOf(
  app: DeviceApp,
  cookies: string | null,
  userId: string | undefined,
): Promise<string | null> {
  const device = await readDevice(app, cookies);
  return device && userId !== undefined && device.userIds.includes(userId) ? `device ${device.id}` : null;
}

/**
 * Records that an account has logged in here, so that failures of others from the same address never lock it out.
 * The cookie alone gives no access. @returns the `Set-Cookie` header.
 */
export async function rememberDevice(app: DeviceApp, request: Request, userId: string): Promise<string> {
  const known = await readDevice(app, request.headers.get('Cookie'));
  const others = (known?.userIds ?? []).filter((id) => id !== userId);
  const device: KnownDevice = {
    id: known?.id ?? randomBytes(16).toString('base64url'),
    userIds: [userId, ...others].slice(0, ACCOUNTS_MAX),
  };
  return deviceCookie(app).serialize(device);
}

function deviceCookie(app: DeviceApp) {
  return createCookie('dateline_device', {
    secrets: [app.env.authSecret!],
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: app.env.production,
    maxAge: YEAR_SECONDS,
  });
}
