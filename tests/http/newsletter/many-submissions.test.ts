// The form is no weapon: whoever sends it ten thousand times makes one mail an address, and an hour's mails in all.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { switchNewsletterOn } from '#tests/support/newsletter/issues.ts';
import { startMoodySmtp, type MoodySmtp } from '#tests/support/newsletter/moody-smtp.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const PEOPLE = process.env.NIGHTLY ? 1_000 : 100;
const TIMES_EACH = 10;
/** Ten thousand forms take minutes of a server that does nothing else. */
const TIMEOUT_MS = 1_200_000;
const AT_ONCE = 40;

let app: TestApp;
let server: TestServer;
let smtp: MoodySmtp;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  smtp = await startMoodySmtp();
  await switchNewsletterOn(app, smtp);
  server = await startServer({ env: { ...app.variables, TRUST_PROXY: '1' } });
});
afterAll(async () => {
  await smtp?.close();
  await server?.stop();
  await app?.close();
});

/** Sends forms, some at once. @returns each different answer: its status, and its text without what differs in all */
async function submit(forms: { email: string; network: string }[]): Promise<Set<string>> {
  const answers = new Set<string>();
  const left = forms.values();
  const sendAll = async () => {
    const client = server.client();
    for (const { email, network } of left) {
      const answer = await client.post('/subscribe', { email }, { 'x-forwarded-for': network });
      answers.add(`${answer.status} ${answer.text.replace(/nonce="[^"]*"/g, '')}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendAll));
  return answers;
}

/** Mails that each address got, once all that wait are sent. */
async function mailsSent(expected: number): Promise<Map<string, number>> {
  await expect.poll(() => smtp.received.length, { timeout: 240_000 }).toBe(expected);
  await expect.poll(() => app.db.effect.count({ where: { state: 'waiting' } })).toBe(0);
  const counts = new Map<string, number>();
  for (const { to } of smtp.received) counts.set(to, (counts.get(to) ?? 0) + 1);
  return counts;
}

const formOf = (number: number, from: number) => ({
  email: `reader-${number}@example.org`,
  network: `100.${64 + Math.floor(from / 65_536)}.${Math.floor(from / 256) % 256}.${from % 256}`,
});

test(
  'submissions from everywhere make as many mails as an hour may have, and one an address',
  { timeout: TIMEOUT_MS },
  async () => {
    const forms = Array.from({ length: PEOPLE * TIMES_EACH }, (_, number) => formOf(number % PEOPLE, number));
    expect((await submit(forms)).size).toBe(1);
    expect(await mailsSent(60)).toHaveProperty('size', 60);
    await changeSettings(app, { newsletter_confirmations_per_hour: String(PEOPLE * TIMES_EACH) });
    expect((await submit(forms.slice(0, 2 * PEOPLE))).size).toBe(1);
    expect(await mailsSent(PEOPLE)).toHaveProperty('size', PEOPLE);
  },
);

test('one network makes a hundred mails an hour', async () => {
  const forms = Array.from({ length: 300 }, (_, number) => ({
    ...formOf(PEOPLE + number, 0),
    network: '192.0.2.1',
  }));
  expect((await submit(forms)).size).toBe(1);
  expect(await mailsSent(PEOPLE + 100)).toHaveProperty('size', PEOPLE + 100);
});
