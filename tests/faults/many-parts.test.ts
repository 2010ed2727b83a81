// Forms of very many parts beside readers: nobody waits for them, and the process still ends in time.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPosts } from '#tests/support/factories.ts';
import { crowding, processorSeconds } from '#tests/support/processor-time.ts';
import { createPerson } from '#tests/support/roles.ts';
import { sendRequests } from '#tests/support/send-requests.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const nightly = process.env.NIGHTLY === '1';
const PARTS = 300_000;
const FORMS = 4;
const READERS = 50;
/** A reader's pause between two pages. */
const PAUSE_MS = 500;
/** Only the long form has the machine for itself, and holds the server to what is promised. */
const WAIT_MS = nightly ? 250 : 5_000;
/** Processor time of the server for one such form, in seconds. Reading all of its parts took 21. */
const FORM_SECONDS = 2;

let app: TestApp;
let server: TestServer;
let session: string;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createPosts(app, 5, { status: 'published', publishedAt: app.clock.now() });
  server = await startServer({ env: app.variables });
  const { client } = await createPerson(app, server, 'contributor');
  session = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  // The first pages of a process are slow because V8 has not compiled them yet.
  for (const path of ['/', '/archive', '/rss.xml', '/admin/media']) await client.get(path);
});
afterAll(() => app?.close());

test('readers notice nothing of forms of 300,000 parts, and the process ends within ten seconds', async () => {
  const part = '--x\r\ncontent-disposition: form-data; name=a\r\n\r\n\r\n';
  const request = {
    path: '/admin/media',
    method: 'POST',
    headers: {
      'content-type': 'multipart/form-data; boundary=x',
      accept: 'application/json',
      cookie: session,
    },
    body: `${part.repeat(PARTS)}--x--\r\n`,
  };
  let isOver = false;
  const read = async (first: number): Promise<number> => {
    let longest = 0;
    await sleep((first * PAUSE_MS) / READERS);
    for (let round = first; !isOver; round += 1) {
      const started = performance.now();
      const { status } = await server.client().get(['/', '/archive', '/rss.xml'][round % 3]!);
      expect(status).toBe(200);
      longest = Math.max(longest, performance.now() - started);
      await sleep(PAUSE_MS);
    }
    return longest;
  };
  const [load, before] = [crowding(), await processorSeconds(server)];
  const readers = Array.from({ length: READERS }, (_, number) => read(number));
  const forms = Array.from({ length: FORMS }, () => request);
  const statuses = await sendRequests(forms, { origin: server.url, atOnce: FORMS }).finally(
    () => (isOver = true),
  );
  const longest = Math.max(...(await Promise.all(readers)));
  expect(statuses.filter((status) => status !== 413 && status !== 0)).toEqual([]);
  expect(longest).toBeLessThan(WAIT_MS * Math.max(load, crowding()));
  expect((await processorSeconds(server)) - before).toBeLessThan(FORMS * FORM_SECONDS);
  // The process is asked to end while it is sent more of them.
  const late = sendRequests(forms, { origin: server.url, atOnce: FORMS }).catch(() => []);
  const started = performance.now();
  expect(await server.stop('SIGTERM')).toBe(0);
  expect(performance.now() - started).toBeLessThan(10_000 * crowding());
  await late;
});
