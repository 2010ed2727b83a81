import { readFileSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readUnseen, readBounces } from '#app/newsletter/bounces/mailbox.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { makeCertificate } from '#tests/support/certificate.ts';
import { startImap } from '#tests/support/newsletter/imap-server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const HOST = 'mail.example.org';
const login = { user: 'bounces@example.org', pass: 'secret' };
const mails = new Map([
  [7, 'Subject: one\r\n\r\nÄ'],
  [9, 'Subject: two\r\n\r\n'],
]);

let identity: { cert: string; key: string };
beforeAll(async () => {
  const { certificate, key } = makeCertificate(await tempFolder(), HOST);
  identity = { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
});
afterEach(() => void vi.restoreAllMocks());

/** Leads connections to `HOST`, at any port, to a port here. `ca`: certificates that this host trusts. */
function leadTo(port: number, ca?: string) {
  const lead = (options: tls.ConnectionOptions) =>
    options.host !== HOST ? options : { ...options, ca, ...(!options.socket && { host: '127.0.0.1', port }) };
  for (const side of [net, tls]) {
    const connect = side.connect as (...args: unknown[]) => never;
    vi.spyOn(side, 'connect').mockImplementation(((options: tls.ConnectionOptions, ...rest: unknown[]) =>
      connect(lead(options), ...rest)) as never);
  }
}

async function read(server: { host: string; port: number }, max = 10) {
  const subjects: string[] = [];
  await readUnseen({ ...login, ...server }, max, async (raw) => {
    subjects.push(/Subject: (.*)/.exec(raw)![1]!);
  });
  return subjects;
}

describe('a mailbox elsewhere', () => {
  const kinds = [
    { port: 993, startTls: false },
    { port: 143, startTls: true },
  ];

  it.each(kinds)('is read over TLS at port $port', async ({ port, startTls }) => {
    const server = await startImap({ mails, identity, startTls });
    leadTo(server.port, identity.cert);
    expect(await read({ host: HOST, port })).toEqual(['one', 'two']);
    expect([...server.seen]).toEqual([7, 9]);
    expect(server.commands.includes('STARTTLS')).toBe(startTls);
  });

  it.each(kinds)(
    'gets no password at port $port with a certificate of its own',
    async ({ port, startTls }) => {
      const server = await startImap({ mails, identity, startTls });
      leadTo(server.port);
      await expect(read({ host: HOST, port })).rejects.toThrow('self-signed certificate');
      expect(server.commands.join()).not.toMatch(/LOGIN|AUTHENTICATE/);
      expect(server.seen.size).toBe(0);
    },
  );

  it('gets no password without STARTTLS', async () => {
    const server = await startImap({ mails });
    leadTo(server.port);
    await expect(read({ host: HOST, port: 143 })).rejects.toThrow('does not support STARTTLS');
    expect(server.commands.join()).not.toMatch(/LOGIN|AUTHENTICATE/);
  });
});

describe('a mailbox', () => {
  const host = '127.0.0.1';

  it('keeps a mail unread whose effect is not stored', async () => {
    const { port, seen } = await startImap({ mails });
    const handle = vi.fn().mockResolvedValueOnce(null).mockRejectedValueOnce(new Error('disk full'));
    await expect(readUnseen({ ...login, host, port }, 10, handle)).rejects.toThrow('disk full');
    expect([...seen]).toEqual([7]);
    expect(await read({ host, port })).toEqual(['two']);
  });

  it('is read in portions, and of each mail the first megabyte', async () => {
    const { port, seen, commands } = await startImap({ mails });
    expect(await read({ host, port }, 1)).toEqual(['one']);
    expect([...seen]).toEqual([7]);
    expect(commands.filter((command) => command.startsWith('UID FETCH')).join()).toContain(
      'BODY.PEEK[]<0.1000000>',
    );
  });

  it('is left when its server sends too much', async () => {
    const { port, seen } = await startImap({ mails: new Map([[7, 'x'.repeat(2_100_000)]]) });
    await expect(read({ host, port })).rejects.toThrow(/exceeds/);
    expect(seen.size).toBe(0);
  });
});

describeWithApp(
  'a bounce mailbox that cannot be read',
  (getApp) => {
    const reasonOf = async (app: TestApp, fields: Record<string, string>) => {
      await changeSettings(app, {
        newsletter_enabled: 'yes',
        bounce_imap_username: login.user,
        bounce_imap_password: login.pass,
        ...fields,
      });
      const warn = vi.spyOn(app.log, 'warn');
      await readBounces(app);
      return warn.mock.calls.map(([entry]) => entry);
    };

    it('is a line in the log with the server’s words', async () => {
      const { port } = await startImap({ mails, password: 'another' });
      const fields = { bounce_imap_host: '127.0.0.1', bounce_imap_port: String(port) };
      expect(await reasonOf(getApp(), fields)).toEqual([
        { reason: expect.stringContaining('Wrong password for this mailbox') as string },
      ]);
    });

    it('is a line in the log with what is wrong with its certificate', async () => {
      const { port } = await startImap({ mails, identity });
      leadTo(port);
      expect(await reasonOf(getApp(), { bounce_imap_host: HOST })).toEqual([
        { reason: 'self-signed certificate' },
      ]);
    });
  },
  { dialects: ['sqlite'] },
);
