// Contract, section 14: no answer tells by its text, status or time whether an address is known.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSubscriber } from '#app/newsletter/subscribers.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { startMoodySmtp, type MoodySmtp } from '#tests/support/newsletter/moody-smtp.ts';
import { switchNewsletterOn } from '#tests/support/newsletter/issues.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const ROUNDS = 9;

/** On a machine that does other work too, each answer may be late. */
const DIFFERENCE_MS = process.env.NIGHTLY ? 60 : 150;

let app: TestApp;
let server: TestServer;
let smtp: MoodySmtp;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  smtp = await startMoodySmtp();
  await switchNewsletterOn(app, smtp);
  await changeSettings(app, { newsletter_confirmations_per_hour: '20' });
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await smtp?.close();
  await server?.stop();
  await app?.close();
});

/** An answer without what differs in each, and how long it took. */
async function ask(path: string, fields: Record<string, string>) {
  const start = performance.now();
  const { status, text, headers } = await server.client().post(path, fields);
  const milliseconds = performance.now() - start;
  const same = text.replace(/nonce="[^"]*"/g, '');
  return { milliseconds, seen: JSON.stringify([status, same, headers['cache-control'], headers.location]) };
}

test('subscribing answers alike for new, known and just asked addresses, for robots, and beyond the limit', async () => {
  for (let round = 0; round < ROUNDS; round += 1) await addSubscriber(app, `known-${round}@example.org`, '');
  const kinds = {
    new: (round: number) => ({ email: `new-${round}@example.org` }),
    known: (round: number) => ({ email: `known-${round}@example.org` }),
    asked: (round: number) => ({ email: `new-${round}@example.org` }),
    robot: (round: number) => ({ email: `robot-${round}@example.org`, website: 'https://spam.example' }),
    trap: (round: number) => ({ email: `known-${round}@example.org`, website: 'https://spam.example' }),
  };
  await ask('/subscribe', { email: 'warm-up@example.org' });
  const times: Record<string, number> = {};
  const seen = new Set<string>();
  // In turns, and the shortest of each kind: other work of the machine only adds to it.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [kind, fields] of Object.entries(kinds)) {
      const answer = await ask('/subscribe', fields(round));
      times[kind] = Math.min(times[kind] ?? Infinity, answer.milliseconds);
      seen.add(answer.seen);
    }
  expect(seen.size).toBe(1);
  // Nine new and nine known ones, and the first. The hour's twentieth is the last of them.
  for (let number = 0; number < 3; number += 1)
    seen.add((await ask('/subscribe', { email: `beyond-${number}@example.org` })).seen);
  expect(seen.size).toBe(1);
  await expect.poll(() => smtp.received.length, { timeout: 20_000 }).toBe(20);
  process.stdout.write(`milliseconds: ${JSON.stringify(times)}\n`);
  const all = Object.values(times);
  expect(Math.max(...all) - Math.min(...all)).toBeLessThan(DIFFERENCE_MS);
});

test('links of people who were erased answer like links that never were', async () => {
  const { token, id } = await app.db.subscriber.findFirstOrThrow({
    where: { emailKey: 'known-0@example.org' },
  });
  await app.db.subscriber.delete({ where: { id } });
  const never = 'A'.repeat(token.length);
  for (const path of ['/subscription/', '/unsubscribe/', '/subscribe/confirm/'])
    for (const method of ['get', 'post'] as const) {
      const answers = [];
      for (const each of [token, never]) {
        const { status, text } = await server.client()[method](path + each, {});
        answers.push([status, text.replaceAll(each, '').replace(/nonce="[^"]*"/g, '')]);
      }
      expect(answers[0], `${method} ${path}`).toEqual(answers[1]);
    }
});
