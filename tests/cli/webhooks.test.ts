import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { eventTypes } from '#app/effects/events.ts';
import { createWebhook } from '#app/effects/webhooks/save.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import {
  startReceiver,
  verifyMessage,
  type WebhookReceiver,
} from '#tests/support/processes/webhook-receiver.ts';

const variables = { OUTBOUND_ALLOW: '127.0.0.0/8' };

describeWithApp(
  'webhooks in the backend',
  (getApp) => {
    let receiver: WebhookReceiver;
    let server: TestServer;
    let client: Client;
    beforeEach(async () => {
      receiver = await startReceiver();
      server = await startServer({ env: getApp().variables });
      client = server.client();
      await logInAsAdministrator(getApp(), client);
    });
    afterEach(async () => {
      await server.stop();
      await receiver.close();
    });

    it('are added, tested, rotated, paused, resumed, replayed and deleted by forms', async () => {
      const app = getApp();
      const refused = await client.post('/admin/webhooks/new', {
        ...{ name: 'Own network', url: 'http://10.0.0.1/', events: 'post.published', intent: 'save' },
      });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('in a network that is not public');
      const created = await client.post('/admin/webhooks/new', {
        ...{ name: 'Receiver', url: receiver.url, events: [...eventTypes], intent: 'save' },
      });
      expect(created.status).toBe(200);
      const secret = /whsec_[A-Za-z0-9+/=]+/.exec(created.text)![0];
      const { id } = await app.db.webhook.findFirstOrThrow();
      const page = `/admin/webhooks/${id}`;
      expect((await client.get(page)).text).not.toContain('whsec_');
      expect((await client.post(page, { intent: 'test' })).text).toContain('accepted the test message (204)');
      await createPostByForm(client, { title: 'Tide', intent: 'publish' });
      await until(() => receiver.received.length === 2);
      verifyMessage(receiver.received[1]!, secret);
      expect(receiver.received[1]!.json.type).toBe('post.published');
      const log = await client.get(`${page}/deliveries`);
      const messageId = String(receiver.received[1]!.headers['webhook-id']);
      expect(log.text).toContain(messageId);
      expect((await client.post(`${page}/deliveries`, { id: messageId, intent: 'replay' })).status).toBe(302);
      await until(() => receiver.received.length === 3);
      expect(receiver.received[2]!.headers['webhook-id']).toBe(messageId);
      const rotated = await client.post(page, { intent: 'rotate' });
      expect(/whsec_[A-Za-z0-9+/=]+/.exec(rotated.text)![0]).not.toBe(secret);
      expect((await client.post(page, { intent: 'pause' })).status).toBe(302);
      await createPostByForm(client, { title: 'Waits', intent: 'publish' });
      expect((await client.get('/admin')).text).toContain('Paused webhooks: Receiver');
      expect((await client.get('/admin/effects?state=waiting')).text).toContain('post.published');
      expect((await client.post(page, { intent: 'resume' })).status).toBe(302);
      await until(() => receiver.received.length === 4);
      expect((await client.post(page, { intent: 'delete' })).status).toBe(302);
      expect(await app.db.webhook.count()).toBe(0);
    });

    it('lose nothing when the server is killed while a receiver hangs', async () => {
      const app = getApp();
      await addWebhook(app, receiver);
      receiver.answer = () => {};
      await createPostByForm(client, { title: 'Survives', intent: 'publish' });
      await until(() => receiver.received.length === 1);
      await server.stop('SIGKILL');
      receiver.answer = (_message, response) => void response.writeHead(200).end();
      // As if a minute had passed: the claim of the killed server ends.
      await app.db.effect.updateMany({ data: { dueAt: new Date() } });
      const run = await runCommand(['effects:run'], { env: app.variables });
      expect(run.json()).toEqual({ done: 1, failed: 0, dead: 0, waiting: 0, held: 0 });
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(ids).toEqual([ids[0], ids[0]]);
    });

    it('are held after the import of a backup, until they are released', async () => {
      const app = getApp();
      await addWebhook(app, receiver);
      const folder = path.join(await mkdtemp(path.join(tmpdir(), 'dateline-')), 'backup');
      await exportBackup(app, { outputDir: folder });
      const env = app.variables;
      const imported = await runCommand(['backup:import', '--input', folder, '--force'], { env });
      expect(imported.json()).toMatchObject({ preservedSecretKeys: ['webhook Receiver'] });
      await logInAsAdministrator(app, client);
      await createPostByForm(client, { title: 'Held', intent: 'publish' });
      const ready = await client.get('/api/ready');
      expect(ready.json()).toMatchObject({ data: { status: 'degraded', checks: { effects: 'held' } } });
      await until(async () => (await app.db.effect.count({ where: { state: 'held' } })) === 1);
      const status = await runCommand(['effects:status'], { env });
      expect(status.code).toBe(0);
      expect(status.json()).toMatchObject({ held: 1, byKind: { webhook: { waiting: 0, dead: 0, held: 1 } } });
      expect(receiver.received).toEqual([]);
      expect((await client.get('/admin/effects')).text).toContain('Release held effects');
      expect((await client.post('/admin/effects', { intent: 'release' })).status).toBe(302);
      await until(() => receiver.received.length === 1);
      expect((await client.get('/api/ready')).json()).toMatchObject({ data: { checks: { effects: 'ok' } } });
      expect((await runCommand(['effects:release'], { env })).json()).toEqual({ released: 0 });
    });
  },
  { variables },
);

const addWebhook = (app: TestApp, { url }: WebhookReceiver) =>
  createWebhook(app, { name: 'Receiver', url, events: ['post.published'] });

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('It did not happen within a minute.');
    await sleep(50);
  }
}
