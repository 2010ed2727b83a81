// Contract, section 14: an issue for thousands of people through a server that closes connections, defers, refuses and
// hangs, while its senders are killed at fixed points. At night for 10,000 people with 20 kills.
import { expect, it } from 'vitest';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { startScript, type RunningScript } from '#tests/support/child-process.ts';
import { firstDialect } from '#tests/support/databases.ts';
import { byEmail, insertSubscribers, issueOf, switchNewsletterOn } from '#tests/support/newsletter/issues.ts';
import { startMoodySmtp, type MoodySmtp } from '#tests/support/newsletter/moody-smtp.ts';

const [READERS, KILLS] = process.env.NIGHTLY ? [10_000, 20] : [800, 4];
const MINUTE = 60_000;

const numberOf = (address: string) => Number(/\d+/.exec(address)![0]);
/** Addresses that the server refuses for good, and those that it defers once. */
const isUnknown = (number: number) => number % 100 === 3;
const isDeferred = (number: number) => number % 50 === 7;
/** Mails whose end the server never answers. */
const hangsAt = [Math.floor(READERS / 3)];

it.each(firstDialect('sqlite'))(
  `everybody of ${READERS} gets an issue once, but for a copy per kill (%s)`,
  { timeout: 20 * MINUTE },
  async (dialect) => {
    const app = await createTestApp({ dialect, now: new Date() });
    const smtp = await startMoodySmtp();
    try {
      await playIssue(app, smtp);
    } finally {
      await smtp.close();
      await app.close();
    }
  },
);

async function playIssue(app: TestApp, smtp: MoodySmtp): Promise<void> {
  await insertSubscribers(app, READERS);
  // Its own process must send nothing: only those that are killed do.
  await switchNewsletterOn(app, smtp, { newsletter_delay_minutes: '10' });
  await createPost(app, { editorId: null, intent: 'publish', fields: { title: 'Killed', ...byEmail } });
  const deferred = new Set<string>();
  smtp.answer = (address) => {
    if (isUnknown(numberOf(address))) return '550 5.1.1 User unknown';
    if (!isDeferred(numberOf(address)) || deferred.has(address)) return null;
    deferred.add(address);
    return '450 4.2.0 Greylisted, try again later';
  };
  const killAt = Array.from({ length: KILLS }, (_, index) =>
    Math.floor((READERS * 0.95 * (index + 1)) / (KILLS + 1)),
  );
  let sender: RunningScript;
  let kills = 0;
  let hangs = 0;
  smtp.afterData = (accepted) => {
    // Connections end after 1 to 2,500 mails.
    smtp.closeAfter = [1, 3, 40, 250, 2_500][smtp.connections % 5]!;
    if (accepted === hangsAt[hangs]) {
      hangs += 1;
      return 'hang';
    }
    if (accepted !== killAt[kills]) return 'accept';
    kills += 1;
    sender.child.kill('SIGKILL');
    // Half of the processes die before the server's yes, half after it and before they have written it.
    return kills % 2 === 0 ? 'drop' : 'accept';
  };
  for (let run = 0; run < 3 * KILLS + 12; run += 1) {
    await letTimePass(app);
    sender = startScript('bin/run.mjs', ['effects:run'], { env: app.variables });
    await sender.ended;
    if ((await issueOf(app)).state === 'sent') break;
  }
  const { recipients, state, sent, failed, waiting } = await issueOf(app);
  const refused = Array.from({ length: READERS }, (_, number) => number).filter(isUnknown).length;
  expect({ state, recipients, sent, failed, waiting, kills, hangs }).toEqual({
    ...{ state: 'sent', recipients: READERS, sent: READERS - refused, failed: refused, waiting: 0 },
    ...{ kills: KILLS, hangs: hangsAt.length },
  });
  const idsOf = new Map<string, string[]>();
  for (const { to, messageId } of smtp.received) idsOf.set(to, [...(idsOf.get(to) ?? []), messageId]);
  expect(idsOf.size).toBe(READERS - refused);
  for (const [to, ids] of idsOf) expect(new Set(ids).size, to).toBe(1);
  const copies = smtp.received.length - idsOf.size;
  process.stdout.write(
    `${READERS} readers, ${kills} kills, ${smtp.connections} connections: ${copies} copies\n`,
  );
  expect(copies).toBeLessThanOrEqual(Math.ceil(KILLS / 2));
  expect(await app.db.subscriber.count({ where: { state: 'suspended' } })).toBe(refused);
}

/** As if the waits of retries and the minute of a killed process's claim were over. */
async function letTimePass(app: TestApp): Promise<void> {
  const dueAt = new Date();
  await app.db.newsletterRecipient.updateMany({ where: { state: 'waiting' }, data: { dueAt } });
  await app.db.newsletterIssue.updateMany({ data: { dueAt } });
  await app.db.effect.updateMany({ where: { kind: 'mail', finishedAt: null }, data: { dueAt } });
}
