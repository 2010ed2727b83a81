// What a person sees before and after a publication that is mailed: whom it goes to, how the mail looks, what it caused.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSubscriber } from '#app/newsletter/subscribers.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import type { Client } from '#tests/support/http-client.ts';
import { newsletterFields, startMoodySmtp, type MoodySmtp } from '#tests/support/newsletter/moody-smtp.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let smtp: MoodySmtp;
let admin: Client;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: { ...app.variables, LOG_LEVEL: 'warn' } });
  smtp = await startMoodySmtp();
  admin = server.client();
  await logInAsAdministrator(app, admin);
  const { smtp_host, smtp_port, smtp_from, ...newsletter } = newsletterFields(smtp);
  await admin.post('/admin/settings/email', {
    ...{ smtp_host, smtp_port, smtp_from, smtp_secure: 'false', smtp_username: '' },
  });
  await admin.post('/admin/settings/newsletter', newsletter);
  for (const name of ['ann', 'bob', 'cat']) await addSubscriber(app, `${name}@example.org`, '');
});
afterAll(async () => {
  await smtp?.close();
  await server?.stop();
  await app?.close();
});

const words = ({ text }: { text: string }) => text.replace(/<!-- -->/g, '').replace(/\s+/g, ' ');
const idOf = ({ headers }: { headers: Record<string, string | string[] | undefined> }) =>
  /[0-9a-f-]{36}/.exec(String(headers.location))![0];

async function write(fields: Record<string, string>): Promise<string> {
  const base = { body: 'Text.', intent: 'draft', sendByEmail: 'yes' };
  return idOf(await admin.post('/admin/posts/new', { ...base, ...fields }));
}

test('the button says to how many a post goes, and the mail can be seen in four ways', async () => {
  const category = idOf(await admin.post('/admin/categories', { name: 'News', slug: '', description: '' }));
  const ann = await app.db.subscriber.findFirstOrThrow({ where: { emailKey: 'ann@example.org' } });
  await app.db.subscriber.update({ where: { id: ann.id }, data: { categories: JSON.stringify([category]) } });
  const id = await write({ title: 'By mail' });
  expect(words(await admin.get(`/admin/posts/${id}/publish`))).toContain('Publish and send to 2 subscribers');
  const { text } = await admin.get(`/admin/posts/${id}/mail`);
  expect(text.match(/<iframe sandbox/g)).toHaveLength(3);
  expect(text).toContain('&lt;h1 style=');
  expect(text).toMatch(/[\d.]+ KB of 102 KB/);
  const posted = await admin.post(`/admin/posts/${id}/mail`, { title: 'Not saved', body: 'Other *text*.' });
  expect(posted.status).toBe(200);
  expect(posted.headers['content-security-policy']).toContain("style-src 'unsafe-inline'");
  expect(posted.text).toContain('Other text.');
  const checked = await admin.post('/admin/publish-check', { title: 'By mail', categoryId: category });
  expect(JSON.parse(checked.text)).toMatchObject({ data: { mail: { recipients: 3 } } });
});

test('a release and an instant say what will go out; a sent post offers no second mail', async () => {
  const id = await write({ title: 'In a release' });
  const release = idOf(await admin.post('/admin/releases/new', { name: 'Friday', intent: 'save' }));
  await admin.post(`/admin/releases/${release}`, { intent: 'save', add: id });
  const page = words(await admin.get(`/admin/releases/${release}`));
  expect(page).toContain('What will go out');
  expect(page).toContain('Email to 2 subscribers');
  const publishAt = '2099-01-01T09:00';
  await admin.post(`/admin/releases/${release}`, { intent: 'schedule', publishAt });
  expect(words(await admin.get('/admin/time?at=2099-01-02T09:00'))).toContain('Email to 2 subscribers');
  expect(words(await admin.get('/admin/time?at=2098-01-02T09:00'))).not.toContain('Email to');
  await admin.post(`/admin/releases/${release}`, { intent: 'publish' });
  await expect.poll(() => smtp.received.length, { timeout: 20_000 }).toBe(2);
  const after = words(await admin.get(`/admin/releases/${release}`));
  expect(after).toContain('id="ledger"');
  expect(after).toContain('Search index');
  expect(words(await admin.get(`/admin/posts/${id}/publish`))).not.toContain('Send by email');
});

test('an issue says who unsubscribed, the list how it grew, the ledger tries again in place', async () => {
  const issue = await app.db.newsletterIssue.findFirstOrThrow();
  const { token } = await app.db.subscriber.findFirstOrThrow({ where: { emailKey: 'bob@example.org' } });
  await server.client().post(`/unsubscribe/${token}`, { 'List-Unsubscribe': 'One-Click' });
  expect(words(await admin.get(`/admin/newsletter/${issue.id}`))).toContain('Unsubscribed</dt><dd>1</dd>');
  expect((await admin.get('/admin/subscribers')).text).toMatch(/aria-label="Subscribers in the last[^"]* 2"/);
  await admin.post('/admin/settings/newsletter', { newsletter_delay_minutes: '10' });
  const id = idOf(
    await admin.post('/admin/posts/new', {
      title: 'Waits',
      body: 'T',
      intent: 'publish',
      sendByEmail: 'yes',
    }),
  );
  const page = words(await admin.get(`/admin/posts/${id}`));
  const effect = /name="id" value="([0-9a-f-]{36})"/.exec(page.slice(page.indexOf('id="ledger"')))![1]!;
  const answer = await admin.post('/admin/effects', { id: effect, intent: 'cancel', subject: `post:${id}` });
  expect(answer.headers.location).toBe(`/admin/posts/${id}#ledger`);
  const cancelled = await app.db.newsletterIssue.findFirstOrThrow({ where: { postId: id } });
  expect(cancelled.state).toBe('cancelled');
});
