// Issue 61: an issue of the newsletter through a real Postfix, which delivers it into files: everybody gets one mail, an
// address that Postfix does not know is suspended with its words, and one that it defers gets the mail later. Needs
// Debian's package postfix, and root, as Postfix itself does; without them it does not run.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { firstDialect } from '#tests/support/databases.ts';
import { freePort } from '#tests/support/free-port.ts';
import { insertSubscribers, issueOf, publishByEmail, runEffects } from '#tests/support/newsletter/issues.ts';
import { decoded } from '#tests/support/newsletter/moody-smtp.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const READERS = 500;
/** Addresses without a mailbox, and one that is deferred until a file changes. */
const [UNKNOWN, DEFERRED] = [[3, 250, 499], 77];
const addressOf = (number: number) => `reader-${number}@example.org`;

const canRun = process.getuid?.() === 0 && spawnSync('postconf', ['mail_version']).status === 0;

/** An instance of Postfix in a folder. It knows the readers alone and sends nothing on. */
async function startPostfix(folder: string, port: number) {
  const [config, queue, data, mail] = ['config', 'queue', 'data', 'mail'].map((name) =>
    path.join(folder, name),
  );
  for (const each of [config!, queue!, data!, mail!]) await mkdir(each, { recursive: true });
  // Its processes have an account of their own.
  for (let each = folder; each !== '/tmp' && each !== '/'; each = path.dirname(each))
    await chmod(each, 0o755);
  spawnSync('chown', ['postfix', data!]);
  spawnSync('chown', ['nobody', mail!]);
  const id = (kind: string) => spawnSync('id', [kind, 'nobody'], { encoding: 'utf8' }).stdout.trim();
  const known = Array.from({ length: READERS }, (_, number) => number).filter(
    (one) => !UNKNOWN.includes(one),
  );
  await writeFile(
    path.join(config!, 'mailboxes'),
    known.map((number) => `${addressOf(number)} reader-${number}/\n`).join(''),
  );
  const deferred = path.join(config!, 'deferred');
  await writeFile(deferred, `${addressOf(DEFERRED)} 450 4.2.0 Greylisted\n`);
  const settings = {
    ...{ compatibility_level: '3.6', queue_directory: queue, data_directory: data },
    ...{ inet_interfaces: '127.0.0.1', inet_protocols: 'ipv4', myhostname: 'mail.example.org' },
    ...{ mydestination: '', virtual_mailbox_domains: 'example.org', virtual_mailbox_base: mail },
    virtual_mailbox_maps: `texthash:${config}/mailboxes`,
    ...{ virtual_uid_maps: `static:${id('-u')}`, virtual_gid_maps: `static:${id('-g')}` },
    ...{ default_transport: 'error:nothing leaves', relay_transport: 'error:nothing leaves' },
    smtpd_recipient_restrictions: `check_recipient_access texthash:${deferred}, reject_unauth_destination`,
    ...{ maillog_file: path.join(folder, 'log'), maillog_file_prefixes: folder, biff: 'no', alias_maps: '' },
    ...{ smtpd_client_connection_rate_limit: '0', smtpd_relay_restrictions: 'permit_mynetworks, reject' },
  };
  await writeFile(
    path.join(config!, 'main.cf'),
    Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join(''),
  );
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    ...['pickup unix n - n 60 1 pickup', 'cleanup unix n - n - 0 cleanup', 'qmgr unix n - n 300 1 qmgr'],
    ...[
      'rewrite unix - - n - - trivial-rewrite',
      'bounce unix - - n - 0 bounce',
      'defer unix - - n - 0 bounce',
    ],
    ...['trace unix - - n - 0 bounce', 'verify unix - - n - 1 verify', 'error unix - - n - - error'],
    ...['retry unix - - n - - error', 'discard unix - - n - - discard', 'virtual unix - n n - - virtual'],
    ...['anvil unix - - n - 1 anvil', 'proxymap unix - - n - - proxymap', 'showq unix n - n - - showq'],
    ...['tlsmgr unix - - n 1000? 1 tlsmgr', 'postlog unix-dgram n - n - 1 postlogd'],
  ];
  await writeFile(path.join(config!, 'master.cf'), `${services.join('\n')}\n`);
  const postfix = (command: string) =>
    spawnSync('postfix', ['-c', config!, command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const started = postfix('start');
  if (started.status !== 0) throw new Error(started.stderr + started.stdout);
  return {
    mail: mail!,
    takeDeferred: async () => {
      await writeFile(deferred, '');
      postfix('reload');
    },
    stop: () => postfix('stop'),
  };
}

/** The mails of a reader. */
async function mailsOf(mail: string, number: number): Promise<string[]> {
  const box = path.join(mail, `reader-${number}`, 'new');
  const names = await readdir(box).catch(() => []);
  return Promise.all(names.map((name) => readFile(path.join(box, name), 'utf8')));
}

it.runIf(canRun).each(firstDialect('sqlite'))(
  'sends through Postfix (%s)',
  { timeout: 300_000 },
  async (dialect) => {
    const app = await createTestApp({ dialect, now: new Date() });
    const port = await freePort();
    const postfix = await startPostfix(await tempFolder(), port);
    try {
      await insertSubscribers(app, READERS);
      await changeSettings(app, {
        ...{ smtp_host: '127.0.0.1', smtp_port: String(port), smtp_from: 'Gazette <gazette@example.org>' },
        ...{ newsletter_enabled: 'yes', newsletter_per_minute: '100000', newsletter_delay_minutes: '0' },
      });
      await publishByEmail(app, 'Through Postfix');
      await runEffects(app);
      expect(await issueOf(app)).toMatchObject({ sent: READERS - UNKNOWN.length - 1, failed: 3, waiting: 1 });
      const suspended = await app.db.subscriber.findMany({ where: { state: 'suspended' } });
      expect(suspended.map(({ email }) => email).sort()).toEqual(UNKNOWN.map(addressOf).sort());
      for (const { reason } of suspended) expect(reason).toMatch(/5\.1\.1 .*User unknown/);
      await postfix.takeDeferred();
      await sleep(2_000);
      await runEffects(app, 2 * 60_000);
      const issue = await issueOf(app);
      expect(issue).toMatchObject({ state: 'sent', sent: READERS - UNKNOWN.length, failed: 3, waiting: 0 });
      const end = performance.now() + 60_000;
      let boxes: string[][] = [];
      do {
        await sleep(500);
        boxes = await Promise.all(
          Array.from({ length: READERS }, (_, number) => mailsOf(postfix.mail, number)),
        );
      } while (boxes.flat().length < issue.sent && performance.now() < end);
      expect(boxes.map((mails) => mails.length)).toEqual(
        boxes.map((_, number) => (UNKNOWN.includes(number) ? 0 : 1)),
      );
      expect(decoded(boxes[0]![0]!)).toContain('Through Postfix');
      expect(boxes[0]![0]).toMatch(/^Return-Path: <gazette@example\.org>/m);
    } finally {
      postfix.stop();
      await app.close();
    }
  },
);
