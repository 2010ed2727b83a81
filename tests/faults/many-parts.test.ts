// Forms of very many parts beside readers: nobody waits for them, and the process still ends in time.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPosts } from '#tests/support/factories.ts';
import { crowding, processorSeconds } from '#tests/support/processor-time.ts';
import { createPerson } from '#tests/support/roles.ts';
import { sendRequests } from '#tests/support/send-requests.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { besideReaders, READER_WAIT_MS } from '#tests/support/steady-readers.ts';

const PARTS = 300_000;
const FORMS = 4;
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
  const [load, before] = [crowding(), await processorSeconds(server)];
  const forms = Array.from({ length: FORMS }, () => request);
  const { result: statuses, longest } = await besideReaders(server, ['/', '/archive', '/rss.xml'], () =>
    sendRequests(forms, { origin: server.url, atOnce: FORMS }),
  );
  expect(statuses.filter((status) => status !== 413 && status !== 0)).toEqual([]);
  expect(longest).toBeLessThan(READER_WAIT_MS * Math.max(load, crowding()));
  expect((await processorSeconds(server)) - before).toBeLessThan(FORMS * FORM_SECONDS);
  // The process is asked to end while it is sent more of them.
  const late = sendRequests(forms, { origin: server.url, atOnce: FORMS }).catch(() => []);
  const started = performance.now();
  expect(await server.stop('SIGTERM')).toBe(0);
  expect(performance.now() - started).toBeLessThan(10_000 * crowding());
  await late;
});
