import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { releaseEffects } from '#app/effects/manage.server.ts';
import { cancelIssue, checkNewsletter, resumeIssue } from '#app/newsletter/issues.server.ts';
import { exportList, importList } from '#app/newsletter/lists.server.ts';
import {
  confirmSubscription,
  eraseSubscriber,
  reactivate,
  requestSubscription,
  savePreferences,
  unsubscribe,
} from '#app/newsletter/subscribers.server.ts';
import { createPost as savePost, editPost } from '#app/publishing/posts/save.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import {
  addReaders,
  byEmail,
  issueOf,
  publishByEmail as publish,
  runEffects,
  switchNewsletterOn,
} from '#tests/support/newsletter/issues.ts';
import { decoded, startMoodySmtp, type MoodySmtp } from '#tests/support/newsletter/moody-smtp.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const nobody = { editorId: null };

let smtp: MoodySmtp;
beforeEach(async () => void (smtp = await startMoodySmtp()));
afterEach(() => smtp.close());

const switchOn = (app: TestApp, more: Record<string, string> = {}) => switchNewsletterOn(app, smtp, more);
const request = (app: TestApp, email: string, network = '192.0.2.1') =>
  requestSubscription(app, { email, network, categoryIds: [], language: '' });
const state = async (app: TestApp, email: string) =>
  (await app.db.subscriber.findUnique({ where: { emailKey: email } }))?.state;

describeWithApp('newsletter', (getApp) => {
  it('writes nothing and takes no address while it is switched off', async () => {
    const app = getApp();
    await publish(app, 'Silent');
    await expect(request(app, 'reader@example.org')).rejects.toThrow('The newsletter is switched off.');
    expect(await app.db.newsletterIssue.count()).toBe(0);
    expect(await app.db.effect.count()).toBe(0);
    expect(await app.db.subscriber.count()).toBe(0);
  });

  it('subscribes by a link in one mail a day, whatever the address was before', async () => {
    const app = getApp();
    await switchOn(app);
    for (let time = 0; time < 3; time += 1) await request(app, 'Reader@Example.org');
    await runEffects(app);
    expect(smtp.received.map(({ to }) => to)).toEqual(['Reader@example.org']);
    const token = /subscribe\/confirm\/([\w-]+)/.exec(decoded(smtp.received[0]!.raw))![1]!;
    expect(await state(app, 'reader@example.org')).toBe('pending');
    expect(await confirmSubscription(app, `${token}x`)).toBeNull();
    await confirmSubscription(app, token);
    expect(await state(app, 'reader@example.org')).toBe('active');
    app.clock.advance(25 * HOUR);
    await request(app, 'reader@example.org');
    await runEffects(app);
    expect(smtp.received).toHaveLength(2);
    expect(decoded(smtp.received[1]!.raw)).toContain('/subscription/');
    expect(await state(app, 'reader@example.org')).toBe('active');
  });

  it('ends a confirmation link after 7 days and with an unsubscription', async () => {
    const app = getApp();
    await switchOn(app);
    await request(app, 'late@example.org');
    await runEffects(app);
    const token = /confirm\/([\w-]+)/.exec(decoded(smtp.received[0]!.raw))![1]!;
    app.clock.advance(7 * 24 * HOUR + 1);
    expect(await confirmSubscription(app, token)).toBeNull();
    expect(await state(app, 'late@example.org')).toBe('pending');
  });

  it('limits confirmation mails in all and forms of one network', async () => {
    const app = getApp();
    await switchOn(app, { newsletter_confirmations_per_hour: '5' });
    for (let number = 0; number < 20; number += 1)
      await request(app, `new-${number}@example.org`, `192.0.2.${number}`);
    await runEffects(app);
    expect(smtp.received).toHaveLength(5);
    expect(await app.db.subscriber.count()).toBe(5);
    await switchOn(app, { newsletter_confirmations_per_hour: '1000' });
    app.clock.advance(HOUR);
    for (let number = 0; number < 110; number += 1) await request(app, `flood-${number}@example.org`);
    expect(await app.db.subscriber.count({ where: { email: { startsWith: 'flood' } } })).toBe(100);
  });

  it('makes one issue of a post that three publish at once, and sends it to each reader once', async () => {
    const app = getApp();
    await switchOn(app, { newsletter_delay_minutes: '2' });
    await addReaders(app, 5);
    const publishedAt = new Date(app.clock.now().getTime() + MINUTE);
    const post = await savePost(app, {
      ...nobody,
      intent: 'schedule',
      fields: { title: 'Once', publishedAt, ...byEmail },
    });
    app.clock.advance(2 * MINUTE);
    await Promise.allSettled([
      publishDue(app, 'command'),
      publishDue(app, 'command'),
      editPost(app, { ...nobody, postId: post.id, version: 1, intent: 'publish', fields: {} }),
    ]);
    await app.effects.ended();
    expect(await app.db.newsletterIssue.count()).toBe(1);
    expect(smtp.received).toHaveLength(0);
    await runEffects(app, 2 * MINUTE);
    expect(smtp.received.map(({ to }) => to).toSorted()).toEqual(
      [1, 2, 3, 4, 5].map((number) => `reader-${number}@example.org`),
    );
    expect(await issueOf(app)).toMatchObject({
      state: 'sent',
      recipients: 5,
      sent: 5,
      waiting: 0,
      failed: 0,
    });
    const { version } = await app.db.post.findUniqueOrThrow({ where: { id: post.id } });
    const back = await editPost(app, { ...nobody, postId: post.id, version, intent: 'draft', fields: {} });
    await editPost(app, { ...nobody, postId: post.id, version: back.version, intent: 'publish', fields: {} });
    await runEffects(app, 3 * MINUTE);
    expect(smtp.received).toHaveLength(5);
  });

  it('goes on after a kill with the same Message-ID, on a server that closes connections', async () => {
    const app = getApp();
    await switchOn(app, { newsletter_delay_minutes: '1' });
    await addReaders(app, 7);
    await publish(app, 'Killed');
    smtp.closeAfter = 2;
    await runEffects(app, MINUTE);
    expect(smtp.received).toHaveLength(7);
    expect(smtp.connections).toBeGreaterThan(3);
    // The state that a kill leaves: one mail was accepted without its row, others were only marked.
    const sent = smtp.received.map(({ messageId }) => messageId);
    const issue = await issueOf(app);
    const [row] = await app.db.newsletterRecipient.findMany({ take: 1 });
    await app.db.newsletterRecipient.update({
      where: { issueId_subscriberId: { issueId: issue.id, subscriberId: row!.subscriberId } },
      data: { state: 'sending' },
    });
    await app.db.newsletterIssue.update({ where: { id: issue.id }, data: { state: 'sending' } });
    await app.db.effect.updateMany({
      where: { receiver: issue.id },
      data: { state: 'running', claimedBy: 'killed', dueAt: app.clock.now() },
    });
    await runEffects(app, MINUTE);
    expect(smtp.received).toHaveLength(8);
    expect(sent).toContain(smtp.received[7]!.messageId);
    expect(new Set(sent).size).toBe(7);
    expect((await issueOf(app)).state).toBe('sent');
  });

  it('sends nothing to those who unsubscribed, chose no mail or other categories', async () => {
    const app = getApp();
    await switchOn(app, { newsletter_delay_minutes: '2' });
    await addReaders(app, 4);
    const [one, two, three] = await app.db.subscriber.findMany({ orderBy: { emailKey: 'asc' } });
    await savePreferences(app, three!.id, { frequency: 'each', categoryIds: ['another'] });
    await publish(app, 'Wanted');
    expect((await issueOf(app)).recipients).toBe(3);
    await unsubscribe(app, one!.id);
    await savePreferences(app, two!.id, { frequency: 'none', categoryIds: [] });
    await runEffects(app, 2 * MINUTE);
    expect(smtp.received.map(({ to }) => to)).toEqual(['reader-4@example.org']);
    await eraseSubscriber(app, one!.id);
    expect(await app.db.subscriberErasure.count()).toBe(1);
  });

  it('stops an issue whose post is archived, or that somebody cancels, before it is sent', async () => {
    const app = getApp();
    await switchOn(app, { newsletter_delay_minutes: '2' });
    await addReaders(app, 2);
    const post = await publish(app, 'Taken back');
    await editPost(app, { ...nobody, postId: post.id, version: post.version, intent: 'archive', fields: {} });
    expect(await issueOf(app)).toMatchObject({ state: 'cancelled', waiting: 0 });
    app.clock.advance(1);
    await publish(app, 'Cancelled');
    await cancelIssue(app, (await issueOf(app)).id);
    await runEffects(app, 3 * MINUTE);
    expect(smtp.received).toHaveLength(0);
  });

  it('suspends addresses that cannot receive, and nobody for a refusal that is about us', async () => {
    const app = getApp();
    await switchOn(app, { newsletter_delay_minutes: '1' });
    await addReaders(app, 5);
    await publish(app, 'Refused');
    const answers: Record<string, string> = {
      'reader-1@example.org': '550 5.1.1 <reader-1@example.org>: Recipient address rejected: User unknown',
      'reader-2@example.org': '554 5.7.1 Client host blocked using zen.spamhaus.org',
      'reader-3@example.org': '552 5.2.2 Mailbox full',
      'reader-4@example.org': '450 4.2.0 Greylisted, try again later',
    };
    smtp.answer = (address) => answers[address] ?? null;
    await runEffects(app, MINUTE);
    expect(await state(app, 'reader-1@example.org')).toBe('suspended');
    for (const number of [2, 3, 4, 5])
      expect(await state(app, `reader-${number}@example.org`)).toBe('active');
    expect(await issueOf(app)).toMatchObject({ state: 'sending', sent: 1, waiting: 1, failed: 3 });
    smtp.answer = () => null;
    await runEffects(app, MINUTE);
    expect(await issueOf(app)).toMatchObject({ state: 'sent', sent: 2, failed: 3 });
  });

  it('pauses after 20 refusals in a row that are about us, or one of the sender', async () => {
    const app = getApp();
    await switchOn(app, { newsletter_delay_minutes: '1' });
    await addReaders(app, 30);
    await publish(app, 'Blocked');
    smtp.answer = () => '554 5.7.1 Blocked';
    await runEffects(app, MINUTE);
    expect(await issueOf(app)).toMatchObject({ state: 'paused', failed: 20, waiting: 10 });
    expect(await checkNewsletter(app)).toBe('paused');
    smtp.answer = () => null;
    smtp.answerSender = () => '550 5.1.0 Sender not allowed';
    await resumeIssue(app, (await issueOf(app)).id);
    await runEffects(app, MINUTE);
    expect(await issueOf(app)).toMatchObject({ state: 'paused', failed: 20, waiting: 10 });
    smtp.answerSender = () => null;
    await resumeIssue(app, (await issueOf(app)).id);
    await runEffects(app, MINUTE);
    expect(await issueOf(app)).toMatchObject({ state: 'sent', sent: 10, failed: 20 });
    expect(await checkNewsletter(app)).toBe('ok');
  });

  it('waits while the server is down, holds what is 6 hours late, and holds all in a restored instance', async () => {
    const app = getApp();
    await switchOn(app, { newsletter_delay_minutes: '1', smtp_port: '1' });
    await addReaders(app, 1);
    await publish(app, 'Down');
    await runEffects(app, MINUTE);
    expect(await issueOf(app)).toMatchObject({ state: 'sending', waiting: 1 });
    await switchOn(app, { newsletter_delay_minutes: '1' });
    await runEffects(app, 2 * MINUTE);
    expect(await issueOf(app)).toMatchObject({ state: 'sent', sent: 1 });
    await publish(app, 'Late');
    await runEffects(app, 7 * HOUR);
    expect(await issueOf(app)).toMatchObject({ state: 'held', waiting: 1 });
    await resumeIssue(app, (await issueOf(app)).id);
    await runEffects(app, MINUTE);
    expect(smtp.received).toHaveLength(2);
    await app.db.siteState.update({ where: { id: 1 }, data: { instanceId: 'another' } });
    await publish(app, 'Restored');
    await runEffects(app, MINUTE);
    expect(smtp.received).toHaveLength(2);
    await releaseEffects(app);
    await runEffects(app, MINUTE);
    expect(smtp.received).toHaveLength(3);
  });

  it('keeps to the limit per minute', async () => {
    const app = getApp();
    await switchOn(app, { newsletter_per_minute: '2' });
    await addReaders(app, 5);
    await publish(app, 'Slow');
    await runEffects(app);
    const counts = [smtp.received.length];
    for (let step = 0; step < 9; step += 1) {
      await runEffects(app, 15_000);
      counts.push(smtp.received.length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  });

  it('sends a mail with the headers that providers ask for, and no more than 102 KB of HTML', async () => {
    const app = getApp();
    await switchOn(app, { newsletter_footer: 'Main Street 1' });
    await addReaders(app, 1);
    const paragraphs = Array.from({ length: 3_000 }, (_, index) => `Paragraph ${index} of a long text.`);
    const body = [
      '## A heading',
      '![A tree](/uploads/tree.png "Oak")',
      '$$\\frac{a}{b}$$',
      '```js\nlet a = 1;\n```',
      '> [!NOTE]\n> Mind this.',
      ...paragraphs,
    ].join('\n\n');
    await publish(app, 'Long', { body, emailSubject: 'Subject of it' });
    await runEffects(app);
    const { raw } = smtp.received[0]!;
    expect(raw).toMatch(/^Subject: Subject of it\r$/m);
    expect(raw).toMatch(/^List-Unsubscribe: <https:\/\/blog\.example\.org\/unsubscribe\/[\w-]{43}>\r$/m);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(raw).toMatch(/^List-ID: <newsletter\.blog\.example\.org>\r$/m);
    const text = decoded(raw);
    const html = text.slice(text.indexOf('<!doctype html>'), text.indexOf('</html>'));
    expect(Buffer.byteLength(html)).toBeLessThan(102_000);
    expect(html).toContain('Read on</a>');
    expect(html).not.toMatch(/<script|<link|class="callout|<math/);
    expect(html).toContain('src="https://blog.example.org/uploads/tree.png"');
    expect(html).toContain('a/b');
    expect(html).toMatch(/\/subscription\/(?!0{43})[\w-]{43}/);
    expect(html).toContain('Main Street 1');
    expect(text).toContain('A heading\r\n=========');
  });

  it('imports lists of other programs and keeps those out who have ended or were erased', async () => {
    const app = getApp();
    const folder = await tempFolder();
    const file = path.join(folder, 'list.csv');
    const load = async (text: string, acceptConsent = false) => {
      await writeFile(file, text);
      return importList(app, file, { acceptConsent });
    };
    await addReaders(app, 2);
    const [one, two] = await app.db.subscriber.findMany({ orderBy: { emailKey: 'asc' } });
    await unsubscribe(app, one!.id);
    await eraseSubscriber(app, two!.id);
    const ghost = await load(
      'id,email,name,subscribed_to_emails,created_at\n1,a@example.org,"Ann, B",true,2024-01-05T12:00:00.000Z\n2,b@example.org,,false,2024-01-05T12:00:00.000Z\n3,reader-1@example.org,,true,2024-01-01T00:00:00Z\n4,reader-2@example.org,,true,2024-01-01T00:00:00Z\n5,not an address,,true,\n6,c@example.org,,true,\n',
    );
    expect(ghost).toMatchObject({ imported: 2, updated: 0, unchanged: 1 });
    expect(ghost.skipped.map(({ line }) => line)).toEqual([5, 6, 7]);
    expect(await state(app, 'a@example.org')).toBe('active');
    expect(await state(app, 'b@example.org')).toBe('unsubscribed');
    expect(await state(app, 'reader-1@example.org')).toBe('unsubscribed');
    const { consentAt } = (await app.db.subscriber.findUnique({ where: { emailKey: 'a@example.org' } }))!;
    expect(consentAt?.toISOString()).toBe('2024-01-05T12:00:00.000Z');
    expect(await load('Email Address,CLEAN_TIME\nA@example.org,2024-02-01 10:00:00\n')).toMatchObject({
      updated: 1,
    });
    expect(await state(app, 'a@example.org')).toBe('suspended');
    expect(await load('email\nc@example.org\n', true)).toMatchObject({ imported: 1 });
    expect(await load('email,name\nevil@example.org,=HYPERLINK(1)\n', true)).toMatchObject({ imported: 1 });
    const out = path.join(folder, 'out.csv');
    expect(await exportList(app, out)).toEqual({ count: 5 });
    expect(await readFile(out, 'utf8')).toContain("evil@example.org,'=HYPERLINK(1)");
    await reactivate(app, one!.id);
    expect(await importList(app, out, { acceptConsent: false })).toMatchObject({ imported: 0, skipped: [] });
  });

  it('keeps erased people erased and holds open issues after an import of a backup', async () => {
    const app = getApp();
    await switchOn(app, { newsletter_delay_minutes: '2' });
    await addReaders(app, 2);
    await publish(app, 'Half sent');
    const outputDir = path.join(await tempFolder(), 'backup');
    await exportBackup(app, { outputDir, includeSecrets: false });
    await eraseSubscriber(app, (await app.db.subscriber.findFirstOrThrow()).id);
    await importBackup(app, { inputDir: outputDir, force: true });
    expect(await app.db.subscriber.count()).toBe(1);
    expect(await issueOf(app)).toMatchObject({ state: 'held', waiting: 2 });
    await releaseEffects(app);
    await runEffects(app, 3 * MINUTE);
    expect(smtp.received).toHaveLength(0);
    await resumeIssue(app, (await issueOf(app)).id);
    await runEffects(app, MINUTE);
    expect(smtp.received).toHaveLength(1);
  });
});
