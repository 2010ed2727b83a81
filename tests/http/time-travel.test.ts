// Contract, section 12: the public site at an instant, byte for byte what readers get once that instant has come, and
// what they got when it was there.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#app/people/roles.ts';
import { readLocalTime, toLocalTime } from '#app/platform/time/time-zone.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { crawl } from '#tests/support/crawl.ts';
import { dialects } from '#tests/support/databases.ts';
import type { Client } from '#tests/support/http-client.ts';
import {
  beginRandomSite,
  doSomething,
  emptySite,
  crawlStartsOf,
  makePlans,
} from '#tests/support/random-plans.ts';
import type { Next } from '#tests/support/random-release.ts';
import { createPeople, type Person } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

/** `RUNS=200 SEED=<n>` tries so many others by hand, `NIGHTLY=1` some new ones; in the suite it stays quick. */
const RUNS = Number(process.env.RUNS ?? (process.env.NIGHTLY ? 25 : 1));
const SEED = Number(process.env.SEED ?? (RUNS > 1 ? Date.now() % 2 ** 31 : 1));
/** `CASE=<path>` tries the one that a failure names again. */
const { CASE } = process.env;
const ORIGIN = 'https://blog.example.org';
const MINUTE = 60_000;
/** Minutes from the plans to the instant. */
const AHEAD = 60;
/** Minutes that a history lasts. */
const PAST = 90;

let app: TestApp;
let server: TestServer;
let people: Record<Role, Person>;

async function withSite(dialect: (typeof dialects)[number], work: () => Promise<void>): Promise<void> {
  app = await createTestApp({ now: wholeMinute(Date.now()), dialect });
  server = await startServer({ env: app.variables });
  people = await createPeople(app, server);
  try {
    await work();
  } finally {
    await server.stop();
    await app.close();
  }
}

/** Runs it for random choices on one site, which is emptied before each. */
async function forRandomChoices(play: (next: Next) => Promise<void>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 9 })), async (choices) => {
      await emptySite(app);
      await play(() => choices.next().value as number);
    }),
    { numRuns: RUNS, seed: SEED, path: CASE, endOnFailure: true },
  );
}

for (const dialect of dialects) {
  it(
    `the pages of an instant are those that readers get once it has come (${dialect}, SEED=${SEED})`,
    { timeout: 60_000 + 60_000 * RUNS },
    () =>
      withSite(dialect, () =>
        forRandomChoices(async (next) => {
          const editorIds = [people.editor.id, people.author.id];
          app.clock.set(wholeMinute(Date.now()));
          const site = await beginRandomSite(app, editorIds, next);
          app.clock.set(await randomStart(next));
          const now = app.clock.now().getTime();
          await makePlans(app, site, next, {
            soon: () => new Date(now + (1 + next() * 6) * MINUTE),
            never: () => new Date(now + (AHEAD + 61 + next()) * MINUTE),
          });
          const instant = await nameable(new Date(now + AHEAD * MINUTE));
          const entrances = await crawlStartsOf(app);
          const shown = await readSite(await openAt(instant), entrances);
          app.clock.set(instant);
          await publishDue(app, 'command');
          expectSame(shown, await readSite('', entrances));
        }),
      ),
  );

  it(
    `the pages of an instant are those that readers got when it was there (${dialect}, SEED=${SEED})`,
    { timeout: 60_000 + 60_000 * RUNS },
    () =>
      withSite(dialect, () =>
        forRandomChoices(async (next) => {
          const began = Date.now() - PAST * MINUTE;
          app.clock.set(wholeMinute(began));
          const site = await beginRandomSite(app, [people.editor.id, people.author.id], next);
          const steps = async (until: number) => {
            while (app.clock.now().getTime() < began + until * MINUTE) {
              for (let minutes = 1 + next(); minutes > 0; minutes -= 1) {
                app.clock.advance(MINUTE);
                await publishDue(app, 'command');
              }
              const now = app.clock.now().getTime();
              await doSomething(app, site, next, () => new Date(now + (1 + 2 * next()) * MINUTE));
            }
          };
          await steps(20 + 3 * next());
          app.clock.advance(MINUTE);
          await publishDue(app, 'command');
          const instant = app.clock.now();
          const entrances = await crawlStartsOf(app);
          const real = await readSite('', entrances);
          await steps(PAST - 30);
          expectSame(await readSite(await openAt(instant), entrances), real);
        }),
      ),
  );
}

function wholeMinute(time: number): Date {
  return new Date(Math.floor(time / MINUTE) * MINUTE);
}

const zone = async () =>
  (await app.db.setting.findUnique({ where: { key: 'site_timezone' } }))?.value ?? 'UTC';

/** Mostly within an hour before clocks change, so that the plans lie on both sides of it. */
async function randomStart(next: Next): Promise<Date> {
  const now = Temporal.Instant.fromEpochMilliseconds(app.clock.now().getTime());
  let change = now.toZonedDateTimeISO(await zone()).getTimeZoneTransition('next');
  if (change && next() < 5) change = change.getTimeZoneTransition('next');
  if (!change || next() < 3) return app.clock.now();
  return new Date(change.epochMilliseconds - (5 + 5 * next()) * MINUTE);
}

/** An instant that its local time names: the second of two equal hours is passed over. */
async function nameable(instant: Date): Promise<Date> {
  const timeZone = await zone();
  const read = readLocalTime(toLocalTime(instant, timeZone), timeZone);
  return read.ok && read.instant.getTime() === instant.getTime()
    ? instant
    : new Date(instant.getTime() + 60 * MINUTE);
}

/** Opens the site at an instant as an editor does. @returns what its addresses begin with */
async function openAt(instant: Date): Promise<string> {
  const fields = { at: toLocalTime(instant, await zone()), intent: 'open' };
  const answer = await people.editor.client.post('/admin/time', fields, { accept: 'application/json' });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<{ location: string }>().location.replace(/\/$/, '');
}

/** Everything that can be found, by address: status, where it leads, text; and what search finds. */
async function readSite(base: string, entrances: string[]): Promise<Record<string, string>> {
  const visitor = server.client();
  // A marker that readers see in one place: what was written before it is seen, too.
  if (!base) await seesAllChanges(visitor);
  const bare = (text: string) =>
    base ? text.replace(/<aside id="site-preview".*?<\/aside>/s, '').replaceAll(base, '') : text;
  const client: Pick<Client, 'get'> = {
    async get(path) {
      // The icon belongs to the build.
      const answer = await visitor.get(path === '/favicon.svg' ? path : base + path);
      const { status, headers, text } = answer;
      if (base && path !== '/favicon.svg')
        expect([headers['cache-control'], headers['x-robots-tag']], path).toEqual([
          'no-store',
          'noindex, nofollow',
        ]);
      if (base && status === 200 && text.startsWith('<!'))
        expect(text.match(/<aside id="site-preview"/g), path).toHaveLength(1);
      const { location } = headers;
      return { ...answer, text: bare(text), headers: { ...headers, location: location && bare(location) } };
    },
  };
  const pages = await crawl(client as Client, ORIGIN, entrances);
  const found: Record<string, string> = {};
  for (const [path, { status, headers, text }] of pages)
    // Search pages may have another order.
    if (!path.startsWith('/search'))
      found[path] = headers.location
        ? `${status} ${headers.location}`
        : [status, headers['content-type'], text].join('\n');
  for (const query of ['harbour', 'updated', 'words']) {
    const { text } = await client.get(`/search?q=${query}`);
    const links = [...text.matchAll(/<h2[^>]*><a[^>]* href="(\/[^"#]+)"/g)].map(([, link]) => link!);
    found[`search for ${query}`] = links.sort().join('\n');
  }
  return found;
}

/** The same addresses with the same bytes; tells where the first difference is. */
function expectSame(shown: Record<string, string>, real: Record<string, string>): void {
  for (const path of Object.keys({ ...real, ...shown }).sort()) {
    const [was = 'not found by a link', is = 'not found by a link'] = [shown[path], real[path]];
    let from = 0;
    while (from < was.length && was[from] === is[from]) from += 1;
    const part = (text: string) => text.slice(Math.max(0, from - 80), from + 200);
    if (was !== is) expect(part(was), `${path} at ${from}`).toBe(part(is));
  }
}

/** PostgreSQL tells other processes of a change within a second. */
async function seesAllChanges(visitor: Client): Promise<void> {
  const marker = `# ${crypto.randomUUID()}`;
  await changeSettings(app, { robots_extra: marker });
  await expect.poll(async () => (await visitor.get('/robots.txt')).text).toContain(marker);
}

describe('a shared link to the site at an instant', () => {
  const json = { accept: 'application/json' };
  let visitor: Client;
  let at: string;
  let base: string;
  beforeAll(async () => {
    app = await createTestApp({ now: new Date() });
    server = await startServer({ env: app.variables });
    people = await createPeople(app, server);
    visitor = server.client();
    const publishedAt = new Date(Date.now() + 30 * MINUTE);
    const fields = { title: 'Tomorrow', body: 'Text', publishedAt };
    await createPost(app, { intent: 'schedule', fields, editorId: null });
    at = toLocalTime(new Date(Date.now() + 60 * MINUTE), 'UTC');
    const page = await people.editor.client.post('/admin/time', { at, intent: 'share' });
    expect(page.status).toBe(302);
    const shown = await people.editor.client.get(page.headers.location!);
    base = /https:\/\/blog\.example\.org(\/preview\/site\/[\w-]+)\//.exec(shown.text)![1]!;
  });
  afterAll(async () => {
    await server.stop();
    await app.close();
  });

  it('needs no account, and its links stay inside', async () => {
    const home = await visitor.get(`${base}/`);
    expect(home.text).toContain(`href="${base}/posts/tomorrow"`);
    expect(home.text).toContain('<aside id="site-preview"');
    expect((await visitor.get(`${base}/posts/tomorrow`)).status).toBe(200);
    expect((await visitor.get('/posts/tomorrow')).status).toBe(404);
    expect((await visitor.get(`${base}/admin`)).status).toBe(404);
  });

  it.each([
    ['GET', '/posts/%ff', 400],
    ['PUT', '/', 405],
    ['OPTIONS', '/', 405],
    ['GET', '/?_data=x', 404],
    ['GET', '/posts/tomorrow.data', 404],
  ])('is in no index either where a request is refused: %s %s', async (method, path, status) => {
    const answer = await visitor.send(method, base + path);
    expect(answer).toMatchObject({ status, headers: { 'x-robots-tag': 'noindex, nofollow' } });
  });

  it('is made on the page that tells what appears until then, by those who may see it, for a real time', async () => {
    const { client } = people.editor;
    expect((await client.get(`/admin/time?at=${at}`)).text).toMatch(
      /<code>\/posts\/tomorrow<\/code>.*appears/s,
    );
    expect((await client.post('/admin/time', { intent: 'open', at: 'soon' }, json)).json()).toMatchObject({
      errors: { at: expect.any(String) },
    });
    expect((await people.contributor.client.post('/admin/time', { at, intent: 'open' }, json)).status).toBe(
      403,
    );
  });

  it('ends when it is revoked, which an author may not do', async () => {
    const { client } = people.editor;
    const author = people.author.client;
    const revoke = { intent: 'revoke', token: base.split('/').at(-1)! };
    expect((await author.post('/admin/time', revoke, json)).status).toBe(403);
    expect((await author.get('/admin/time')).text).not.toContain('value="revoke"');
    expect((await client.get('/admin/time')).text).toContain('value="revoke"');
    expect((await visitor.get(`${base}/`)).status).toBe(200);
    expect((await client.post('/admin/time', revoke, json)).status).toBe(200);
    expect((await visitor.get(`${base}/`)).status).toBe(404);
  });
});
