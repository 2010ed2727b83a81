import type { App } from '#app/app.ts';
import { roles, type Role } from '#app/people/roles.ts';
import { startSession } from '#app/people/sessions/sessions.server.ts';
import { createUser } from './factories.ts';
import type { Client } from './http-client.ts';
import type { TestServer } from './server.ts';

export type Visitor = Role | 'nobody';
export const visitors: readonly Visitor[] = [...roles, 'nobody'];

/** Somebody of a role, logged in; sessions are written directly, so that no password is hashed. */
export interface Person {
  id: string;
  client: Client;
}

/** One account of each role with a session in the server, and a visitor without. */
export async function createPeople(app: App, server: TestServer): Promise<Record<Role, Person>> {
  const people = await Promise.all(roles.map(async (role) => [role, await createPerson(app, server, role)]));
  return Object.fromEntries(people) as Record<Role, Person>;
}

export async function createPerson(app: App, server: TestServer, role: Role): Promise<Person> {
  const { id } = await createUser(app, { role });
  return { id, client: await logIn(app, server, id) };
}

/** A new browser of this account. */
export async function logIn(app: App, server: TestServer, userId: string): Promise<Client> {
  const cookie = await startSession(app, userId, { userAgent: 'Test', address: '127.0.0.1' });
  const client = server.client();
  const [name, value] = cookie.split(';')[0]!.split('=') as [string, string];
  client.cookies.set(name, value);
  return client;
}
