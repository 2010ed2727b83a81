import { expect, it } from 'vitest';
import { applyReport, readBounces } from '#app/newsletter/bounces/mailbox.server.ts';
import { readReport } from '#app/newsletter/bounces/report.ts';
import { addSubscriber } from '#app/newsletter/subscribers.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { startImap } from '#tests/support/newsletter/imap-server.ts';

const ISSUE = '019e0000-0000-7000-8000-000000000001';

/** A report as Postfix writes it, about a mail with this Message-ID. */
const report = (status: string, words: string, id: string, action = 'failed') =>
  [
    'From: MAILER-DAEMON@mx.example.net (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="=b"',
    '',
    '--=b',
    'Content-Type: text/plain',
    '',
    'This is the mail system at host mx.example.net.',
    '',
    '--=b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    '',
    'Final-Recipient: rfc822; reader@example.org',
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${words}`,
    '',
    '--=b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: <${id}@blog.example.org>`,
    '',
    '--=b--',
  ].join('\r\n');

const plain = (headers: string[], ...lines: string[]) => [...headers, '', ...lines].join('\n');

async function sentMail(app: TestApp) {
  const subscriberId = await addSubscriber(app, 'reader@example.org', '');
  await app.db.newsletterRecipient.create({
    data: { issueId: ISSUE, subscriberId, state: 'sent', dueAt: app.clock.now() },
  });
  return { subscriberId, id: `${ISSUE}.${subscriberId}` };
}

const stateOf = async (app: TestApp) => (await app.db.subscriber.findFirst())?.state;

describeWithApp('reports of failed delivery', (getApp) => {
  it.each([
    ['5.1.1', '550 5.1.1 <reader@example.org>: User unknown', 'suspended'],
    ['5.2.1', '550 5.2.1 The email account that you tried to reach is disabled', 'suspended'],
    ['5.0.0', '550 <reader@example.org>: User unknown', 'suspended'],
    ['5.1.10', '550 5.1.10 RESOLVER.ADR.RecipientNotFound', 'suspended'],
    ['5.7.1', '554 5.7.1 Client host blocked using zen.spamhaus.org', 'failed'],
    ['5.1.8', '553 5.1.8 Domain of sender address does not exist', 'failed'],
    ['5.1.1', '550 5.7.1 IP address blacklisted by recipient', 'failed'],
    ['5.2.2', '552 5.2.2 Mailbox full', 'failed'],
    ['5.3.4', '552 5.3.4 Message size exceeds fixed limit', 'failed'],
    ['4.2.2', '452 4.2.2 Over quota', 'nothing'],
    ['4.2.0', '450 4.2.0 Greylisted, try again later', 'nothing'],
  ])('%s, "%s": %s', async (status, words, outcome) => {
    const app = getApp();
    const { id } = await sentMail(app);
    expect(await applyReport(app, report(status, words, id))).toBe(outcome);
    expect(await stateOf(app)).toBe(outcome === 'suspended' ? 'suspended' : 'active');
    const row = await app.db.newsletterRecipient.findFirst();
    expect(row?.state).toBe({ suspended: 'refused', failed: 'failed', nothing: 'sent' }[outcome]);
  });

  it('means nothing when it is about a delay, somebody else’s mail, or an absence', async () => {
    const app = getApp();
    const { id } = await sentMail(app);
    const unknown = '550 5.1.1 User unknown';
    expect(await applyReport(app, report('5.1.1', unknown, id, 'delayed'))).toBe('nothing');
    expect(await applyReport(app, report('5.1.1', unknown, `${ISSUE}.${ISSUE}`))).toBe('nothing');
    const away = plain(
      [
        'From: reader@example.org',
        'Subject: Out of office',
        'Auto-Submitted: auto-replied',
        `In-Reply-To: <${id}@x>`,
      ],
      'I am away. My user is unknown here.',
    );
    expect(await applyReport(app, away)).toBe('nothing');
    expect(await stateOf(app)).toBe('active');
  });

  it('is understood without a status, without From, and by the address it was sent to', async () => {
    const app = getApp();
    const { subscriberId } = await sentMail(app);
    const text = plain(
      [
        'Return-Path: <>',
        'Subject: failure notice',
        `To: bounces+${subscriberId.replaceAll('-', '')}@example.org`,
      ],
      'Hi. This is the qmail-send program at mx.example.net.',
      '',
      '<reader@example.org>:',
      'Sorry, no mailbox here by that name. No such user.',
    );
    expect(await applyReport(app, text)).toBe('suspended');
    expect(await stateOf(app)).toBe('suspended');
  });

  it('unsubscribes after a complaint', async () => {
    const app = getApp();
    const { id } = await sentMail(app);
    const complaint = report('5.0.0', 'x', id).replace(
      /Content-Type: message\/delivery-status[\s\S]*?--=b/,
      'Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n\r\n--=b',
    );
    expect(readReport(complaint)).toEqual({ kind: 'complaint' });
    expect(await applyReport(app, complaint)).toBe('unsubscribed');
    expect(await stateOf(app)).toBe('unsubscribed');
  });

  it('is read from an IMAP mailbox once, and stays there', async () => {
    const app = getApp();
    const { id } = await sentMail(app);
    const mails = new Map([[7, report('5.1.1', '550 5.1.1 User unknown', id)]]);
    const { port, commands, seen } = await startImap({ mails });
    const settings = {
      newsletter_enabled: 'yes',
      bounce_imap_host: '127.0.0.1',
      bounce_imap_port: String(port),
      bounce_imap_username: 'bounces@example.org',
      bounce_imap_password: 'a "secret"',
    };
    await changeSettings(app, settings);
    await readBounces(app);
    await readBounces(app);
    expect(commands.filter((command) => command.startsWith('LOGIN'))).toEqual([
      'LOGIN "bounces@example.org" "a \\"secret\\""',
    ]);
    expect([...seen]).toEqual([7]);
    expect(await stateOf(app)).toBe('suspended');
  });
});
