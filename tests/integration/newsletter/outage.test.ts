// An issue whose mail server is away for long, one that is paused within its delay, and a post that is imported again.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkNewsletter, pauseIssue, resumeIssue } from '#app/newsletter/issues.server.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { importResult } from '#tests/support/import.ts';
import {
  addReaders,
  issueOf,
  publishByEmail,
  runEffects,
  switchNewsletterOn,
} from '#tests/support/newsletter/issues.ts';
import { startMoodySmtp, type MoodySmtp } from '#tests/support/newsletter/moody-smtp.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const MINUTE = 60_000;
const waits = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE);

let smtp: MoodySmtp;
beforeEach(async () => void (smtp = await startMoodySmtp()));
afterEach(() => smtp.close());

describeWithApp('an issue', (getApp) => {
  it('is failed after the last try of an outage, and is sent when somebody resumes it', async () => {
    const app = getApp();
    await switchNewsletterOn(app, smtp, { smtp_port: '1' });
    await addReaders(app, 2);
    await publishByEmail(app, 'Outage');
    for (const wait of waits) {
      expect(await issueOf(app)).toMatchObject({ state: 'sending', waiting: 2, failed: 0 });
      await runEffects(app, wait - 1_000);
      expect((await issueOf(app)).waiting).toBe(2);
      await runEffects(app, 1_000);
    }
    expect(await issueOf(app)).toMatchObject({ state: 'paused', waiting: 0, failed: 2 });
    expect(await checkNewsletter(app)).toBe('paused');
    await switchNewsletterOn(app, smtp);
    await resumeIssue(app, (await issueOf(app)).id);
    await runEffects(app, MINUTE);
    expect(await issueOf(app)).toMatchObject({ state: 'sent', sent: 2, failed: 0 });
    expect(smtp.received).toHaveLength(2);
  });

  it('tries one refused for now after 1, 5 and 30 minutes, 2 and 6 hours, then it is failed', async () => {
    const app = getApp();
    await switchNewsletterOn(app, smtp);
    await addReaders(app, 2);
    smtp.answer = (address) => (address.startsWith('reader-1') ? '450 4.2.0 Try again later' : null);
    await publishByEmail(app, 'Greylisted');
    for (const wait of waits) {
      expect(await issueOf(app)).toMatchObject({ state: 'sending', sent: 1, waiting: 1 });
      await runEffects(app, wait);
    }
    expect(await issueOf(app)).toMatchObject({ state: 'sent', sent: 1, failed: 1 });
    expect((await app.db.subscriber.findFirst({ where: { emailKey: 'reader-1@example.org' } }))?.state).toBe(
      'active',
    );
  });

  it('that is resumed within its delay is not sent before its end', async () => {
    const app = getApp();
    await switchNewsletterOn(app, smtp, { newsletter_delay_minutes: '2' });
    await addReaders(app, 1);
    await publishByEmail(app, 'Delayed');
    const { id } = await issueOf(app);
    await pauseIssue(app, id);
    await runEffects(app, MINUTE);
    await resumeIssue(app, id);
    await runEffects(app);
    expect(await issueOf(app)).toMatchObject({ state: 'waiting', waiting: 1 });
    await runEffects(app, MINUTE);
    expect(await issueOf(app)).toMatchObject({ state: 'sent', sent: 1 });
  });

  it('is still made of a scheduled post that was imported again', async () => {
    const app = getApp();
    await switchNewsletterOn(app, smtp);
    const input = await tempFolder();
    const write = (text: string) =>
      writeFile(path.join(input, 'later.md'), `---\ndate: 2099-01-01\n---\n${text}`);
    await write('First.');
    await importResult(app, { from: 'markdown', input });
    const { id: postId, version } = await app.db.post.findUniqueOrThrow({ where: { slug: 'later' } });
    const fields = { sendByEmail: 'yes', emailSubject: 'Read' } as const;
    await editPost(app, { editorId: null, postId, version, intent: 'save', fields });
    await write('Second.');
    expect(await importResult(app, { from: 'markdown', input })).toMatchObject({ updated: 1 });
    const post = await app.db.post.findUniqueOrThrow({ where: { id: postId } });
    expect(post).toMatchObject({ ...fields, body: 'Second.' });
  });
});
