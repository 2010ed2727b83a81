// Contract, section 13: a thousand messages to receivers that answer late, 500 and 429, hang and close half-way, from
// processes that are killed at fixed points. At night 20 rounds with fixed seeds.
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createWebhook } from '#app/effects/webhooks/save.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { startScript, type RunningScript } from '#tests/support/child-process.ts';
import { firstDialect } from '#tests/support/databases.ts';
import {
  startReceiver,
  type ReceivedMessage,
  type WebhookReceiver,
} from '#tests/support/processes/webhook-receiver.ts';
import { seededRandom } from '#tests/bench/random-posts.ts';

/** `ROUNDS=5` tries so many. */
const ROUNDS = Number(process.env.ROUNDS ?? (process.env.NIGHTLY ? 20 : 1));
const [RECEIVERS, POSTS, EVENTS, KILLS] = process.env.NIGHTLY ? [10, 25, 4, 6] : [4, 10, 3, 3];
const MESSAGES = RECEIVERS * POSTS * EVENTS;
const MINUTE = 60_000;

/** One try, as a receiver saw it. */
interface Try {
  id: string;
  post: string;
  type: string;
  sequence: number;
  isAccepted: boolean;
}

it.each(firstDialect('sqlite'))(
  `of ${MESSAGES} messages none is lost, none has two ids, and those of a post keep their order (%s)`,
  { timeout: ROUNDS * 4 * MINUTE },
  async (dialect) => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const app = await createTestApp({
        dialect,
        now: new Date(),
        variables: { OUTBOUND_ALLOW: '127.0.0.1' },
      });
      const receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => startReceiver()));
      try {
        await playRound(app, receivers, round);
      } finally {
        for (const receiver of receivers) await receiver.close();
        await app.close();
      }
    }
  },
);

async function playRound(app: TestApp, receivers: WebhookReceiver[], seed: number): Promise<void> {
  const random = seededRandom(seed);
  const events = ['post.published', 'post.updated'] as const;
  for (const [index, { url }] of receivers.entries())
    await createWebhook(app, { name: `Receiver ${index}`, url, events: [...events] });
  // Only the processes that are killed send.
  await app.effects.close();
  const ids: string[] = [];
  for (let post = 0; post < POSTS; post += 1) {
    const { id } = await createPost(app, {
      editorId: null,
      intent: 'publish',
      fields: { title: `Post ${post}`, body: 'Text.' },
    });
    ids.push(id);
  }
  for (let change = 1; change < EVENTS; change += 1)
    for (const postId of ids)
      await editPost(app, {
        ...{ editorId: null, postId, version: change, intent: 'save' },
        fields: { title: `Post changed ${change} times` },
      });
  expect(await app.db.effect.count({ where: { kind: 'webhook' } })).toBe(MESSAGES);

  const tries = receivers.map((): Try[] => []);
  const killAt = Array.from({ length: KILLS }, (_, index) =>
    Math.floor((MESSAGES * 0.8 * (index + 1)) / (KILLS + 1)),
  );
  let senders: RunningScript[] = [];
  let count = 0;
  let kills = 0;
  let hangs = 0;
  for (const [index, receiver] of receivers.entries())
    receiver.answer = (message, response) => {
      const attempt = tryOf(message);
      tries[index]!.push(attempt);
      count += 1;
      if (count === killAt[kills]) {
        kills += 1;
        senders[kills % senders.length]!.child.kill('SIGKILL');
      }
      const dice = random();
      if (dice < 0.03) return fail(response, 500);
      if (dice < 0.05) return fail(response, 429, { 'retry-after': '1' });
      if (dice < 0.07)
        return void response
          .writeHead(200, { 'content-length': '100' })
          .write('half', () => response.destroy());
      if (dice < 0.075 && hangs < 3) return void (hangs += 1);
      const accept = () => {
        attempt.isAccepted = true;
        response.writeHead(204).end();
      };
      if (dice < 0.12) setTimeout(accept, 300);
      else accept();
    };
  for (let run = 0; run < 40; run += 1) {
    await letTimePass(app);
    senders = [1, 2].map(() => startScript('bin/run.mjs', ['effects:run'], { env: app.variables }));
    await Promise.all(senders.map(({ ended }) => ended));
    if ((await app.db.effect.count({ where: { state: { not: 'done' } } })) === 0) break;
  }
  expect(await app.db.effect.groupBy({ by: ['state'], _count: true })).toEqual([
    { state: 'done', _count: MESSAGES },
  ]);
  expect(kills).toBe(KILLS);
  for (const ofOne of tries) {
    const byEvent = new Map<string, Set<string>>();
    for (const { id, post, type, sequence } of ofOne) {
      const key = `${post} ${type} ${sequence}`;
      byEvent.set(key, (byEvent.get(key) ?? new Set()).add(id));
    }
    expect(byEvent.size).toBe(POSTS * EVENTS);
    for (const [key, found] of byEvent) expect(found.size, key).toBe(1);
    for (const post of ids) {
      const sequences = ofOne.filter((each) => each.post === post).map(({ sequence }) => sequence);
      expect(sequences, `seed ${seed}`).toEqual(sequences.toSorted((a, b) => a - b));
    }
  }
  const all = tries.flat();
  process.stdout.write(`round ${seed}: ${all.length} tries of ${MESSAGES} messages, ${kills} kills\n`);
}

function tryOf({ headers, json }: ReceivedMessage): Try {
  const { id, sequence } = json.data as { id: string; sequence: number };
  return { id: String(headers['webhook-id']), post: id, type: json.type, sequence, isAccepted: false };
}

const fail = (response: ServerResponse, status: number, headers = {}) =>
  void response.writeHead(status, headers).end();

/** As if the waits of retries and the minute of a killed process's claim were over. */
async function letTimePass(app: TestApp): Promise<void> {
  await app.db.effect.updateMany({ where: { finishedAt: null }, data: { dueAt: new Date() } });
}
