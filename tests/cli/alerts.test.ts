// `posts:status --alert` where no server runs: one message for what is late, one when it is over.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPost } from '#tests/support/factories.ts';
import { startReceiver, type WebhookReceiver } from '#tests/support/processes/webhook-receiver.ts';
import { smtpFields, startSmtp, type Smtp } from '#tests/support/smtp.ts';

let receiver: WebhookReceiver;
let smtp: Smtp;
beforeEach(async () => {
  receiver = await startReceiver();
  smtp = await startSmtp();
});
afterEach(async () => {
  await receiver.close();
  await smtp.close();
});

describeWithApp(
  'posts:status --alert',
  (getApp) => {
    it('tells once by mail and webhook what is late, and once that it is over', async () => {
      const app = getApp();
      const { intent: _intent, ...mail } = smtpFields(smtp);
      await changeSettings(app, { ...mail, alert_email: 'ops@example.org', alert_webhook: receiver.url });
      // A trigger ran a moment ago: only the post is late.
      await publishDue(app, 'command');
      const since = new Date(Date.now() - 10 * 60_000);
      await createPost(app, { status: 'scheduled', publishedAt: since });
      const status = (...args: string[]) => runCommand(['posts:status', ...args], { env: app.variables });
      expect((await status()).code).toBe(0);
      expect(receiver.received).toEqual([]);
      for (let time = 0; time < 2; time += 1) {
        const { code, json } = await status('--alert');
        // It fails only after 15 minutes; an alert is sent after 5.
        expect([code, json().overdue]).toEqual([0, 1]);
        expect(receiver.received.map(({ json: { type } }) => type)).toEqual(['alert.raised']);
      }
      expect(receiver.received[0]!.json.data).toEqual({
        cause: 'publishing_late',
        message: expect.stringContaining('more than 5 minutes late') as string,
        since: since.toISOString(),
      });
      await publishDue(app, 'command');
      await status('--alert');
      expect(receiver.received.map(({ json }) => `${json.type} ${String(json.data.cause)}`)).toEqual([
        'alert.raised publishing_late',
        'alert.over publishing_late',
      ]);
      expect(smtp.messages.map(({ to }) => to)).toEqual([['ops@example.org'], ['ops@example.org']]);
    });
  },
  { now: new Date(), variables: { OUTBOUND_ALLOW: '127.0.0.0/8' } },
);
