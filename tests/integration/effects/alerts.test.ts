import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeApp, createApp } from '#app/compose.server.ts';
import { acknowledgeEffect } from '#app/effects/manage.server.ts';
import { runEffects as runOnce } from '#app/effects/run.server.ts';
import { checkAlerts, checkLateness } from '#app/operations/alerts.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { startReceiver, type WebhookReceiver } from '#tests/support/processes/webhook-receiver.ts';
import { smtpFields, startSmtp, type Smtp } from '#tests/support/smtp.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

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

async function switchOn(app: TestApp) {
  const { intent: _intent, ...mail } = smtpFields(smtp);
  await changeSettings(app, { ...mail, alert_email: 'ops@example.org', alert_webhook: receiver.url });
}

const createLatePost = (app: TestApp, minutes: number) =>
  createPost(app, {
    status: 'scheduled',
    publishedAt: new Date(app.clock.now().getTime() - minutes * MINUTE),
  });

async function runEffects(app: TestApp) {
  await app.effects.ended();
  await runOnce(app);
}

async function check(app: TestApp) {
  await checkAlerts(app);
  await runEffects(app);
}

const told = () => receiver.received.map(({ json }) => `${json.type} ${String(json.data.cause)}`);
const subjects = () => smtp.messages.map(({ text }) => /^Subject: (.*(?:\r?\n .*)*)/m.exec(text)?.[1]);

describeWithApp(
  'alerts',
  (getApp) => {
    it('without a receiver nothing is written', async () => {
      const app = getApp();
      await createLatePost(app, 20);
      await check(app);
      expect([await app.db.alert.count(), await app.db.effect.count()]).toEqual([0, 0]);
    });

    it('several servers tell once by mail and webhook what is late, and once that it is over', async () => {
      const app = getApp();
      await switchOn(app);
      const post = await createLatePost(app, 4);
      await check(app);
      expect(receiver.received).toEqual([]);
      app.clock.advance(16 * MINUTE);
      const other = await createApp(parseEnv(app.variables, 'server'), {
        logTo: 'stderr',
        clock: app.clock,
        workers: 'inline',
      });
      try {
        await Promise.all([app, other, app, other].map((each) => checkAlerts(each)));
        await other.effects.ended();
      } finally {
        await closeApp(other);
      }
      await check(app);
      expect(told()).toEqual(['alert.raised publishing_late']);
      expect(receiver.received[0]!.headers['webhook-signature']).toBeUndefined();
      expect(receiver.received[0]!.json).toEqual({
        type: 'alert.raised',
        timestamp: app.clock.now().toISOString(),
        data: {
          cause: 'publishing_late',
          message: expect.stringContaining('more than 5 minutes late') as string,
          since: post.publishedAt!.toISOString(),
        },
      });
      expect(smtp.messages.map(({ to }) => to)).toEqual([['ops@example.org']]);
      await publishDue(app, 'command');
      await Promise.all([checkAlerts(app), checkAlerts(app)]);
      await check(app);
      expect(told()).toEqual(['alert.raised publishing_late', 'alert.over publishing_late']);
      expect(subjects()).toEqual([
        expect.stringContaining('alert:') as string,
        expect.stringContaining('over:') as string,
      ]);
    });

    it('a trigger tells of lateness before it publishes what is late', async () => {
      const app = getApp();
      await switchOn(app);
      await createLatePost(app, 20);
      await checkLateness(app);
      await publishDue(app, 'route');
      await check(app);
      expect(told()).toEqual(['alert.raised publishing_late', 'alert.over publishing_late']);
    });

    it('tells of a silent trigger, a blocked release, a missing backup and a dead effect', async () => {
      const app = getApp();
      await switchOn(app);
      await publishDue(app, 'command');
      const publishAt = new Date(app.clock.now().getTime() + 90 * MINUTE);
      const release = await createRelease(app, {
        name: 'Spring',
        publishAt,
        step: 'schedule',
        by: byCommand,
      });
      await app.db.release.update({ where: { id: release.id }, data: { problem: 'It is broken.' } });
      await app.db.backupRun.create({
        data: {
          ...{
            id: release.id,
            finishedAt: app.clock.now(),
            backup: 'x',
            bytes: 1n,
            seconds: 1,
            proven: false,
          },
          nextExpectedAt: new Date(app.clock.now().getTime() + 30 * MINUTE),
        },
      });
      await check(app);
      expect(told()).toEqual([]);
      app.clock.advance(HOUR + MINUTE);
      const dead = { kind: 'webhook', event: 'x', subject: 'x', receiver: 'x', lane: 'x', sequence: 1 };
      const [dueAt, createdAt, finishedAt] = Array.from({ length: 3 }, () => app.clock.now());
      await app.db.effect.create({
        data: { id: release.id, ...dead, state: 'dead', dueAt: dueAt!, createdAt: createdAt!, finishedAt },
      });
      await check(app);
      const causes = ['backup_overdue', 'effect_dead', `release_blocked:${release.id}`, 'trigger_silent'];
      expect(told().sort()).toEqual(causes.map((cause) => `alert.raised ${cause}`));
      await acknowledgeEffect(app, release.id);
      app.clock.advance(36 * DAY);
      await check(app);
      expect(told().slice(4).sort()).toEqual(['alert.over effect_dead', 'alert.raised backup_not_proven']);
    });

    it('refuses a webhook in a network of its own at once', async () => {
      const app = getApp();
      await expect(changeSettings(app, { alert_webhook: 'http://10.0.0.1/' })).rejects.toMatchObject({
        fields: { alert_webhook: [expect.stringContaining('not public')] },
      });
    });
  },
  { variables: { OUTBOUND_ALLOW: '127.0.0.1' } },
);
