// Issue 60: after `backup:import` nothing leaves until it is released, and neither `backup:prove` nor the site at an
// instant connects to anywhere, although all receivers are set up. strace counts the connections.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportBackup } from '#app/backup/write/export-backup.server.ts';
import { createWebhook } from '#app/effects/webhooks/save.server.ts';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import { addReaders, byEmail, runEffects, switchNewsletterOn } from '#tests/support/newsletter/issues.ts';
import { startMoodySmtp, type MoodySmtp } from '#tests/support/newsletter/moody-smtp.ts';
import { startReceiver, type WebhookReceiver } from '#tests/support/processes/webhook-receiver.ts';
import { startServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const HOUR = 3_600_000;
const hasStrace = spawnSync('strace', ['-V']).status === 0;

let app: TestApp;
let receiver: WebhookReceiver;
let smtp: MoodySmtp;
let folder: string;

beforeAll(async () => {
  [receiver, smtp, folder] = [await startReceiver(), await startMoodySmtp(), await tempFolder()];
  const variables = { OUTBOUND_ALLOW: '127.0.0.1', INDEXNOW_ENDPOINT: receiver.url };
  app = await createTestApp({ now: new Date(), variables });
  const { url } = receiver;
  await switchNewsletterOn(app, smtp);
  await addReaders(app, 3);
  await changeSettings(app, {
    ...{ cache_keys: 'yes', purge_form: 'xkey', purge_url: url, websub_hub: url, indexnow: 'yes' },
    ...{ built_in_trigger: 'yes', alert_webhook: url, alert_email: 'ops@example.org' },
  });
  await createWebhook(app, { name: 'All', url, events: ['post.published', 'settings.changed'] });
  // The second purge of a change comes later.
  const waits = () => app.db.effect.count({ where: { finishedAt: null } });
  while ((await waits()) > 0) {
    await sleep(500);
    app.clock.set(new Date());
    await runEffects(app);
  }
});
afterAll(async () => {
  await Promise.all([receiver.close(), smtp.close()]);
  await app.close();
});

let traces = 0;
/** Runs something under strace. @returns its connections to any network, once it has ended */
async function traced<T>(work: (under: string[]) => Promise<T>): Promise<{ calls: string[]; result: T }> {
  const file = path.join(folder, `trace-${(traces += 1)}`);
  // The tracer is not the parent, so signals reach the process itself.
  const result = await work(['strace', '-D', '-f', '-qq', '-e', 'trace=connect,sendto', '-o', file]);
  const calls = (await readFile(file, 'utf8')).split('\n').filter((call) => call.includes('AF_INET'));
  return { calls, result };
}

async function command(...args: string[]) {
  const { calls, result } = await traced((under) => runCommand(args, { env: app.variables, under }));
  expect(result.code, result.stderr).toBe(0);
  return { calls: calls.map((call) => `${args[0]}: ${call}`), json: result.json() };
}

const told = () => receiver.received.length + smtp.received.length;

describe.runIf(hasStrace)('connections', () => {
  it('the site at an instant makes none', async () => {
    const dueAt = new Date(Date.now() + 24 * HOUR);
    const fields = { title: 'Tomorrow', ...byEmail, publishedAt: dueAt };
    await createPost(app, { editorId: null, intent: 'schedule', fields });
    const before = told();
    const { calls } = await traced(async (under) => {
      const server = await startServer({ env: app.variables, under });
      const client = server.client();
      await logInAsAdministrator(app, client);
      const at = toLocalTime(new Date(dueAt.getTime() + HOUR), 'UTC');
      const opened = await client.post('/admin/time', { at, intent: 'open' }, { accept: 'application/json' });
      const { location } = opened.json<{ location: string }>();
      const page = await client.get(location);
      expect([page.status, page.text.includes('Tomorrow')]).toEqual([200, true]);
      await sleep(3_000);
      expect(await server.stop()).toBe(0);
    });
    expect([calls, told()]).toEqual([[], before]);
  });

  it('neither do the proof of a backup, nor anything after its import, until effects are released', async () => {
    const input = path.join(folder, 'backup');
    await exportBackup(app, { outputDir: input, includeSecrets: true });
    const proof = await command('backup:prove', '--input', input);
    expect(proof.json).toMatchObject({ proven: true });
    const imported = await command('backup:import', '--input', input, '--force');
    const before = told();
    await createPost(app, { editorId: null, intent: 'publish', fields: { title: 'Held', ...byEmail } });
    await changeSettings(app, { site_title: 'Held, too' });
    await app.effects.ended();
    const runs = [await command('effects:run'), await command('posts:publish-scheduled')];
    expect([proof, imported, ...runs].flatMap(({ calls }) => calls)).toEqual([]);
    expect(runs[0]!.json).toMatchObject({ done: 0, failed: 0 });
    expect(told()).toBe(before);

    await command('effects:release');
    await sleep(2_000);
    const { calls } = await command('effects:run');
    expect(calls.length).toBeGreaterThan(0);
    expect(told()).toBeGreaterThan(before);
  });

  it('with nothing switched on, no change makes one, and none of these tables gets a row', async () => {
    const off = await createTestApp({ now: new Date() });
    try {
      const { calls } = await traced(async (under) => {
        const server = await startServer({ env: off.variables, under });
        const client = server.client();
        await logInAsAdministrator(off, client);
        const { headers } = await client.post('/admin/posts/new', { title: 'Quiet', intent: 'publish' });
        const page = `/admin/posts/${headers.location!.split('/').at(-1)}`;
        for (const [version, intent] of ['save', 'archive'].entries()) {
          const fields = { title: 'Quiet', body: intent, version: String(version + 1), intent };
          expect((await client.post(page, fields)).status).toBe(302);
        }
        expect((await client.post('/admin/settings/site', { site_title: 'Other' })).status).toBe(302);
        expect((await client.post('/subscribe', { email: 'reader@example.org' })).status).toBe(404);
        await sleep(2_000);
        expect(await server.stop()).toBe(0);
      });
      expect(calls).toEqual([]);
      const { db } = off;
      const tables = [
        ...[db.effect, db.webhook, db.webhookDelivery, db.alert, db.subscriber, db.subscriberCount],
        ...[db.subscriberErasure, db.newsletterIssue, db.newsletterRecipient, db.newsletterLimit],
      ];
      const counts = tables.map((table) => (table as { count(): Promise<number> }).count());
      expect(await Promise.all(counts)).toEqual(tables.map(() => 0));
    } finally {
      await off.close();
    }
  });
});
