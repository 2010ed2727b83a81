// The stored SMTP password goes only where it was entered for, and a test message shows nothing that a server says.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { makeCertificate } from '#tests/support/certificate.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { smtpFields, startSmtp, type Smtp } from '#tests/support/smtp.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

let app: TestApp;
let server: TestServer;
let smtp: Smtp;
let admin: Client;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: { ...app.variables, LOG_LEVEL: 'warn' } });
  smtp = await startSmtp();
  admin = server.client();
  await logInAsAdministrator(app, admin);
  expect((await save(smtpFields(smtp))).status).toBe(302);
});
afterAll(async () => {
  await smtp?.close();
  await server?.stop();
  await app?.close();
});

const save = (fields: Record<string, string>) => admin.post('/admin/settings/email', fields);
const sendTest = () => admin.post('/admin/settings/email', { intent: 'test' });
const stored = async (key: string) => (await app.db.setting.findUnique({ where: { key } }))?.value;

describe('a blank password', () => {
  const kept = () => ({ ...smtpFields(smtp), smtp_password: '' });

  test.each<[string, Record<string, string>]>([
    ['SMTP host', { smtp_host: '127.0.0.2' }],
    ['SMTP port', { smtp_port: '2525' }],
    ['User name', { smtp_username: 'somebody-else' }],
  ])('is refused after a change of the %s, and nothing is saved', async (label, change) => {
    const before = await stored('smtp_password');
    const { status, text } = await save({ ...kept(), ...change });
    expect(status).toBe(400);
    expect(text).toContain('id="field-smtp_password-error"');
    expect(text).toContain(`because this changed: ${label}`);
    expect(await stored('smtp_host')).toBe('127.0.0.1');
    expect(await stored('smtp_password')).toBe(before);
  });

  test('is kept where the server and the user stay, and a new one goes along with a new server', async () => {
    expect((await save({ ...kept(), smtp_from: 'Other <other@example.org>' })).status).toBe(302);
    expect((await sendTest()).status).toBe(200);
    expect((await save({ ...smtpFields(smtp), smtp_host: 'localhost' })).status).toBe(302);
    expect((await save(smtpFields(smtp))).status).toBe(302);
  });

  test('without a user name is forgotten, and with it who could get at it', async () => {
    expect((await save({ ...kept(), smtp_username: '' })).status).toBe(302);
    expect(await stored('smtp_password')).toBeUndefined();
    expect((await save(smtpFields(smtp))).status).toBe(302);
  });
});

describe('a test message', () => {
  test('that was accepted shows nothing of the server', async () => {
    const { status, text } = await sendTest();
    expect(status).toBe(200);
    expect(text).toContain('accepted the message');
    expect(text).not.toContain('TEST-4711');
  });

  test('that was refused says so', async () => {
    smtp.refuse('5.1.1 <ada@example.org> No such mailbox on this island');
    const { status, text } = await sendTest();
    smtp.refuse(null);
    expect(status).toBe(503);
    expect(text).toContain('refused');
    expect(text).not.toContain('island');
    expect(server.stdout()).toContain('No such mailbox on this island');
    expect(server.stdout()).not.toContain('@example.org');
  });

  test('has a sender whose name contains signs that separate addresses', async () => {
    for (const name of ['News: Harbour, Sea', '"News: Harbour, Sea"']) {
      await save({ ...smtpFields(smtp), smtp_from: `${name} <news@example.org>` });
      expect((await sendTest()).status).toBe(200);
      const { from, text } = smtp.messages.at(-1)!;
      expect(from).toBe('news@example.org');
      expect(text).toContain('From: "News: Harbour, Sea" <news@example.org>');
    }
    await save(smtpFields(smtp));
  });

  test('with a wrong password says that the server does not accept the login', async () => {
    await save({ ...smtpFields(smtp), smtp_password: 'wrong' });
    const { status, text } = await sendTest();
    await save(smtpFields(smtp));
    expect(status).toBe(503);
    expect(text).toContain('The mail server rejected the login');
    expect(text).not.toContain('Wrong user or password');
  });

  test('to something that is no mail server shows no banner', async () => {
    const other = await listen((write) => write('SSH-2.0-secret-banner\r\n'));
    const { status, text } = await testAt(other.port);
    other.server.close();
    expect(status).toBe(503);
    expect(text).toContain('refused');
    expect(text).not.toContain('secret-banner');
  });

  test('to a closed port says refused, and to a server that says nothing: no answer', async () => {
    const silent = await listen(() => {});
    expect((await testAt(silent.port)).text).toContain('No answer');
    silent.server.close();
    await once(silent.server, 'close');
    expect((await testAt(silent.port)).text).toContain('refused');
  });

  test('to a server whose certificate is not trusted says refused, and the log says why', async () => {
    const { certificate, key } = makeCertificate(await tempFolder(), 'mail.example.org');
    const pem = { cert: await readFile(certificate), key: await readFile(key) };
    const untrusted = await listening(createTlsServer(pem).on('tlsClientError', () => {}));
    expect((await testAt(untrusted.port, { smtp_secure: 'true' })).text).toContain('refused');
    expect(server.stdout()).toContain('self-signed certificate');
    untrusted.server.close();
  });
});

async function testAt(port: number, more = {}) {
  await save({ ...smtpFields(smtp), smtp_port: String(port), ...more });
  const answer = await sendTest();
  await save(smtpFields(smtp));
  return answer;
}

async function listen(
  greet: (write: (text: string) => void) => void,
): Promise<{ port: number; server: Server }> {
  const listener = createServer((socket) => {
    socket.on('error', () => {});
    greet((text) => socket.write(text));
  });
  return listening(listener);
}

async function listening(listener: Server): Promise<{ port: number; server: Server }> {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return { port: (listener.address() as { port: number }).port, server: listener };
}
