// Contract, section 13: with cron and route off, posts that are due within one minute are public within two seconds of
// their time, each once, with one server and with three.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createWebhook } from '#app/effects/webhooks/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { firstDialect } from '#tests/support/databases.ts';
import { createPost } from '#tests/support/factories.ts';
import { startReceiver } from '#tests/support/processes/webhook-receiver.ts';
import { startServer } from '#tests/support/server.ts';

const POSTS = 100;
const WITHIN_MS = process.env.NIGHTLY ? 60_000 : 20_000;

const cases = firstDialect('sqlite').flatMap((dialect) => [1, 3].map((servers) => ({ dialect, servers })));

it.each(cases)('$servers servers on $dialect', { timeout: 240_000 }, async ({ dialect, servers: count }) => {
  const variables = { OUTBOUND_ALLOW: '127.0.0.1' };
  const app = await createTestApp({ dialect, now: new Date(), variables });
  const receiver = await startReceiver();
  const env = { ...app.variables, LOG_LEVEL: 'error' };
  await changeSettings(app, { built_in_trigger: 'yes' });
  await createWebhook(app, { name: 'All', url: receiver.url, events: ['post.published'] });
  const servers = await Promise.all(Array.from({ length: count }, () => startServer({ env })));
  try {
    const start = Date.now() + 5_000;
    const dueAt = Array.from({ length: POSTS }, (_, index) => start + (index * WITHIN_MS) / POSTS);
    for (const time of dueAt) await createPost(app, { status: 'scheduled', publishedAt: new Date(time) });
    await sleep(dueAt.at(-1)! + 4_000 - Date.now());
    const published = await app.db.post.findMany({ where: { status: 'published' } });
    expect(published).toHaveLength(POSTS);
    const effects = await app.db.effect.findMany({ where: { event: 'post.published' } });
    expect(new Set(effects.map(({ subject }) => subject)).size).toBe(POSTS);
    expect(effects).toHaveLength(POSTS);
    const times = new Map(published.map(({ id, publishedAt }) => [`post:${id}`, publishedAt!.getTime()]));
    const late = effects.map(({ subject, createdAt }) => createdAt.getTime() - times.get(subject)!);
    process.stdout.write(`${count} servers on ${dialect}: at most ${Math.max(...late)} ms late\n`);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...late)).toBeLessThan(2_000);
  } finally {
    for (const server of servers) await server.stop();
    await receiver.close();
    await app.close();
  }
});
