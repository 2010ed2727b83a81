import bcrypt from 'bcrypt';
import { expect } from 'vitest';
import type { App } from '#app/app.ts';
import { createUser } from './factories.ts';
import type { Client, Fields } from './http-client.ts';

export const administrator = {
  email: 'ada@example.org',
  username: 'ada',
  displayName: 'Ada Lovelace',
  password: 'a-long-password',
};

// A hash of the least cost: the product's takes a quarter of a second to make, and again to compare.
let quickHash: string | undefined;

/** Creates an administrator whose password is fast to compare. */
export function createQuickAdministrator(
  app: App,
  other: { email?: string; username?: string } = {},
): Promise<{ id: string }> {
  const { password, ...account } = administrator;
  quickHash ??= bcrypt.hashSync(password, 4);
  return createUser(app, { ...account, ...other, passwordHash: quickHash, role: 'administrator' });
}

/** Creates the administrator if there is none, and logs the client in as a browser without JavaScript would. */
export async function logInAsAdministrator(app: App, client: Client, adminPath = 'admin'): Promise<void> {
  const { email, password } = administrator;
  if ((await app.db.user.count({ where: { email } })) === 0) await createQuickAdministrator(app);
  const { status } = await client.post(`/${adminPath}/login`, { email, password });
  expect(status).toBe(302);
}

/** A `datetime-local` value in UTC, the site's zone unless a test changes it. */
export const localTime = (date: Date) => date.toISOString().slice(0, 16);

/**
 * Creates a post by its form.
 * @returns the id in the address that the form redirected to
 */
export async function createPostByForm(client: Client, fields: Fields, adminPath = 'admin'): Promise<string> {
  const { status, headers, text } = await client.post(`/${adminPath}/posts/new`, fields);
  expect(status, text.slice(0, 2000)).toBe(302);
  return headers.location!.split('/').at(-1)!.split('?')[0]!;
}
