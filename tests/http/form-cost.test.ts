// The cost of a form grows at most in proportion to its size, whatever it contains.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screens } from '#app/admin/screens.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { processorSeconds } from '#tests/support/processor-time.ts';
import { createPerson, type Person } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let admin: Person;
/** A record of each kind, by the first segment of its screens. */
let ids: Record<string, string>;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  admin = await createPerson(app, server, 'administrator');
  const { id } = await createPost(app, { authorId: admin.id });
  ids = { posts: id, users: (await createPerson(app, server, 'author')).id };
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

/** Below this, in seconds of processor time, a difference tells of the machine and not of the form. */
const NOISE = 0.1;
/** The deadline of a rendering; a text that needs longer is refused and costs no more. */
const DEADLINE = 5;

const encoded = { 'content-type': 'application/x-www-form-urlencoded' };

interface Sample {
  /** Repeated until the form has its size. */
  piece: string;
  /** A form of many fields, or one field that holds everything. */
  shape: 'fields' | 'title' | 'body';
  kilobytes: number;
}

const samples = fc.record<Sample>({
  piece: fc
    .array(fc.constantFrom(...'a1 =&%;+\n#*_`~[]()!|<>-\\:.^$"\'数é'), { minLength: 1, maxLength: 12 })
    .map((characters) => characters.join('')),
  shape: fc.constantFrom('fields', 'title', 'body'),
  // The largest of a sample is four times this.
  kilobytes: fc.integer({ min: 1, max: 512 }),
});

function formOf({ piece, shape, kilobytes }: Sample, times: number): string {
  const unit = shape === 'fields' ? piece : encodeURIComponent(piece);
  const text = unit.repeat(Math.ceil((kilobytes * 1024 * times) / unit.length));
  return shape === 'fields' ? text : `title=x&version=1&intent=save&${shape}=${text}`;
}

async function costOf(client: Client, path: string, form: string): Promise<number> {
  const before = await processorSeconds(server);
  const { status } = await client.send('POST', path, encoded, form);
  expect(status === 503 || status < 500, `${path} answers ${status}`).toBe(true);
  return (await processorSeconds(server)) - before;
}

/** Twice what proportional growth would cost is allowed, four times of it is quadratic. */
async function costsInProportion(client: Client, path: string, sample: Sample): Promise<void> {
  const first = Math.max(NOISE, await costOf(client, path, formOf(sample, 1)));
  for (const times of [2, 4]) {
    const cost = await costOf(client, path, formOf(sample, times));
    expect(cost, `${path} with ${times} times the form`).toBeLessThan(
      Math.max(2 * times * first, sample.shape === 'body' ? DEADLINE + 2 : 0),
    );
  }
}

/** Each screen has samples of its own, the same in every run. */
const options = (seed: number) => ({ numRuns: process.env.NIGHTLY ? 2 : 1, seed });

describe('a form costs in proportion to its size', () => {
  it.each(screens.map(({ pattern }, index) => [pattern, index] as const))(
    'backend screen /%s',
    async (pattern, seed) => {
      const missing = '0190aaaa-0000-7000-8000-000000000000';
      const path = `/admin/${pattern}`.replace(/:\w+/g, () => ids[pattern.split('/')[0]!] ?? missing);
      await fc.assert(
        fc.asyncProperty(samples, async (sample) => {
          // A form for nobody ends with the first byte over its limit; one for a person is read whole.
          await costsInProportion(server.client(), path, sample);
          if (!/^(logout|login)/.test(pattern)) await costsInProportion(admin.client, path, sample);
        }),
        options(seed),
      );
    },
  );

  it.each(['/', '/search', '/rss.xml', '/posts/x', '/api/health', '/api/internal/posts/publish-scheduled'])(
    'public address %s',
    async (path) => {
      await fc.assert(
        fc.asyncProperty(samples, (sample) => costsInProportion(server.client(), path, sample)),
        options(path.length),
      );
    },
  );
});
