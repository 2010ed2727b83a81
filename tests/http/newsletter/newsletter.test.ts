// The newsletter from outside: subscribe, confirm, get a post, unsubscribe; links that programs open change nothing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import type { Client } from '#tests/support/http-client.ts';
import {
  decoded,
  newsletterFields,
  startMoodySmtp,
  type MoodySmtp,
} from '#tests/support/newsletter/moody-smtp.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let smtp: MoodySmtp;
let admin: Client;
let reader: Client;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: { ...app.variables, LOG_LEVEL: 'warn' } });
  smtp = await startMoodySmtp();
  admin = server.client();
  reader = server.client();
  await logInAsAdministrator(app, admin);
});
afterAll(async () => {
  await smtp?.close();
  await server?.stop();
  await app?.close();
});

async function mailTo(address: string, count: number): Promise<string> {
  await expect
    .poll(() => smtp.received.filter(({ to }) => to === address).length, { timeout: 20_000 })
    .toBe(count);
  return decoded(smtp.received.findLast(({ to }) => to === address)!.raw);
}

const rows = async () =>
  JSON.stringify([
    await app.db.subscriber.findMany({ orderBy: { id: 'asc' } }),
    await app.db.newsletterIssue.findMany(),
    await app.db.newsletterRecipient.findMany({ orderBy: { subscriberId: 'asc' } }),
    await app.db.subscriberErasure.findMany(),
  ]);

test('nothing of it is there while it is switched off', async () => {
  expect((await reader.get('/subscribe')).status).toBe(404);
  expect((await reader.post('/subscribe', { email: 'reader@example.org' })).status).toBe(404);
  expect((await reader.get('/')).text).not.toContain('action="/subscribe"');
});

test('a page that has one of its addresses from before answers while it is switched off', async () => {
  const page = { title: 'Ours', body: 'An older page.', type: 'page', intent: 'publish' };
  const { headers } = await admin.post('/admin/posts/new', page);
  const id = headers.location!.split('/').at(-1)!;
  await app.db.post.update({ where: { id }, data: { slug: '/subscribe' } });
  const answer = await reader.get('/subscribe');
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('An older page.');
  expect((await reader.get('/subscribe/')).status).toBe(301);
  expect((await reader.post('/subscribe', { email: 'reader@example.org' })).status).toBe(405);
  expect((await reader.get('/unsubscribe/unknown')).status).toBe(404);
});

test('a reader subscribes, confirms by a button, gets the post and unsubscribes with one click', async () => {
  const { smtp_host, smtp_port, smtp_from, ...newsletter } = newsletterFields(smtp);
  const email = { smtp_host, smtp_port, smtp_from, smtp_secure: 'false', smtp_username: '' };
  expect((await admin.post('/admin/settings/email', email)).status).toBe(302);
  expect((await admin.post('/admin/settings/newsletter', newsletter)).status).toBe(302);
  expect((await reader.get('/')).text).toContain('action="/subscribe"');
  expect((await reader.get('/subscribe')).text).toContain('name="website"');

  const answer = await reader.post('/subscribe', { email: 'reader@example.org' });
  expect(answer.status).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect((await reader.post('/subscribe', { email: 'no address' })).status).toBe(400);
  const trapped = await reader.post('/subscribe', {
    email: 'robot@example.org',
    website: 'https://spam.example',
  });
  const repeated = await reader.post('/subscribe', { email: 'reader@example.org' });
  const withoutNonce = (text: string) => text.replace(/nonce="[^"]*"/g, '');
  expect(withoutNonce(trapped.text)).toBe(withoutNonce(answer.text));
  expect(withoutNonce(repeated.text)).toBe(withoutNonce(answer.text));

  const confirmation = await mailTo('reader@example.org', 1);
  const confirmPath = /\/subscribe\/confirm\/[\w-]+/.exec(confirmation)![0];
  expect((await reader.get(confirmPath)).text).toContain('Confirm subscription');
  expect((await reader.post(confirmPath, {})).status).toBe(303);

  const fields = { title: 'By mail', body: 'The text.', sendByEmail: 'yes', emailSubject: 'Read this' };
  expect((await admin.post('/admin/posts/new', { ...fields, intent: 'publish' })).status).toBe(302);
  const mail = await mailTo('reader@example.org', 2);
  const links = [...mail.matchAll(/https:\/\/blog\.example\.org(\/(?:unsubscribe|subscription)\/[\w-]+)/g)];
  const paths = [...new Set([confirmPath, ...links.map(([, path]) => path!)])];
  expect(paths).toHaveLength(3);

  await expect.poll(async () => (await app.db.newsletterIssue.findFirst())?.state).toBe('sent');
  const before = await rows();
  for (const path of [...paths, ...paths]) {
    expect((await reader.get(path)).status).toBe(200);
    expect((await reader.send('HEAD', path)).status).toBe(200);
  }
  expect(await rows()).toBe(before);

  const [subscription, unsubscribe] = ['subscription', 'unsubscribe'].map((name) =>
    paths.find((path) => path.includes(name))!,
  );
  const stored = await reader.post(subscription!, { intent: 'export' });
  expect(JSON.parse(stored.text)).toMatchObject({ email: 'reader@example.org', state: 'active' });
  expect((await reader.post(subscription!, { intent: 'save', frequency: 'each' })).status).toBe(200);
  const click = await reader.post(unsubscribe!, { 'List-Unsubscribe': 'One-Click' });
  expect(click.status).toBe(200);
  expect((await app.db.subscriber.findFirst())?.state).toBe('unsubscribed');
  const erased = await reader.post(subscription!, { intent: 'erase' });
  expect([erased.status, erased.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(erased.text).toContain('Your data has been erased.');
  expect((await reader.get(subscription!)).status).toBe(404);
  expect(await app.db.subscriber.count()).toBe(0);
});

test('administrators see issues and subscribers, and add, suspend, reactivate and erase them', async () => {
  expect((await admin.get('/admin/newsletter')).text).toContain('Read this');
  const issue = await app.db.newsletterIssue.findFirstOrThrow();
  expect((await admin.get(`/admin/newsletter/${issue.id}`)).status).toBe(200);
  expect((await admin.post('/admin/subscribers', { intent: 'add', email: 'nobody' })).status).toBe(400);
  expect((await admin.post('/admin/subscribers', { intent: 'add', email: 'ann@example.org' })).status).toBe(
    302,
  );
  const { id } = await app.db.subscriber.findFirstOrThrow();
  for (const [intent, state] of [
    ['suspend', 'suspended'],
    ['reactivate', 'active'],
  ] as const) {
    expect((await admin.post('/admin/subscribers', { intent, id })).status).toBe(302);
    expect((await app.db.subscriber.findFirst())?.state).toBe(state);
  }
  expect((await admin.get('/admin/subscribers?q=ann&state=active')).text).toContain('ann@example.org');
  expect((await admin.post('/admin/subscribers', { intent: 'erase', id })).status).toBe(302);
  expect(await app.db.subscriber.count()).toBe(0);
});

test('an editor sends a test mail of what is in the form', async () => {
  const where = { title: 'By mail' };
  const post = await app.db.post.findFirstOrThrow({ where });
  const fields = { title: 'Not saved', body: 'Other text.', version: String(post.version) };
  const sent = await admin.post(`/admin/posts/${post.id}`, {
    ...{ ...fields, intent: 'send-test', emailTo: 'editor@example.org' },
  });
  expect(sent.status).toBe(200);
  expect(await mailTo('editor@example.org', 1)).toContain('Other text.');
  expect(await app.db.post.count({ where })).toBe(1);
});
