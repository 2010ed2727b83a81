// How much of a form the server reads, and for whom.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#app/people/passwords/hash.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Answer, Client } from '#tests/support/http-client.ts';
import { processorSeconds } from '#tests/support/processor-time.ts';
import { createPerson, type Person } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let author: Person;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables, nodeOptions: ['--max-old-space-size=256'] });
  author = await createPerson(app, server, 'author');
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const encoded = { 'content-type': 'application/x-www-form-urlencoded' };
const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=x`).join('&');
const post = (client: Client, path: string, body: string) => client.send('POST', path, encoded, body);

describe('forms open to everybody', () => {
  it.each(['login', 'login/forgot', 'login/reset', 'login/invitation'])(
    '/%s takes 64 KB and 50 fields',
    async (screen) => {
      const path = `/admin/${screen}`;
      const status = async (body: string) => (await post(server.client(), path, body)).status;
      expect(await status(`a=${'x'.repeat(63 * 1024)}`)).not.toBe(413);
      expect(await status(`a=${'x'.repeat(64 * 1024)}`)).toBe(413);
      expect(await status(fields(50))).not.toBe(413);
      expect(await status(fields(51))).toBe(413);
      expect(await status('&'.repeat(60 * 1024))).toBe(413);
    },
  );

  it('10 MB of fields from somebody unknown cost less than half a second of processor time', async () => {
    const body = 'a=1&'.repeat(2_500_000);
    for (const [path, expected] of [
      ['/admin/login', 413],
      ['/admin/posts/new', 401],
      ['/admin/settings/site', 401],
    ] as const) {
      const before = await processorSeconds(server);
      const { status, text } = await post(server.client(), path, body);
      expect(status).toBe(expected);
      expect(text.length).toBeLessThan(50_000);
      expect((await processorSeconds(server)) - before).toBeLessThan(0.5);
    }
  });

  it('a body of unknown length is refused when the limit is passed, not at its end', async () => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(server.url);
      const headers = { ...encoded, 'transfer-encoding': 'chunked' };
      const sent = request({ port, method: 'POST', path: '/admin/login', headers }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      // Never ended: only a server that counts while it reads answers.
      sent.write(`a=${'x'.repeat(100 * 1024)}`);
    });
    expect(answer).toBe(413);
  });

  it('what is left of a refused body does not block the connection', async () => {
    const body = `a=${'x'.repeat(5_000_000)}`;
    expect((await post(server.client(), '/admin/login', body)).status).toBe(413);
    expect((await server.client().get('/api/health')).status).toBe(200);
  });
});

describe('forms of people who have logged in', () => {
  it('take 200 fields', async () => {
    const status = async (body: string) => (await post(author.client, '/admin/account', body)).status;
    expect(await status(`intent=none&${fields(199)}`)).toBe(400);
    expect(await status(`intent=none&${fields(200)}`)).toBe(413);
  });

  it('take a post of 2 MB in percent-encoding, and no form much larger', async () => {
    const { id } = await createPost(app, { authorId: author.id });
    const save = (body: string) =>
      post(author.client, `/admin/posts/${id}`, `version=1&intent=save&body=${body}`);
    const largest = encodeURIComponent('数'.repeat(Math.floor((2 * 1024 * 1024) / 3)));
    const { text } = await save(`${largest}${encodeURIComponent('数')}`);
    expect(text).toContain('Body is too long: at most 2 MB.');
    expect((await save('x'.repeat(7_000_000))).status).toBe(413);
  });

  it('take the largest settings in the longest encoding', async () => {
    const admin = await createPerson(app, server, 'administrator');
    const longest = (count: number) => encodeURIComponent('𝒳'.repeat(count));
    const form = `site_title=${longest(200)}&robots_extra=${longest(5_000)}&footer_text=${longest(1_000)}`;
    const { status } = await post(admin.client, '/admin/settings/site', form);
    expect(status).toBe(302);
  });

  it('take 200 chosen posts with their versions', async () => {
    const ids = Array.from({ length: 200 }, () => crypto.randomUUID());
    const chosen = ids.map((id) => `ids=${id}&version-${id}=1`).join('&');
    expect((await post(author.client, '/admin/posts/bulk', `action=draft&${chosen}`)).status).toBe(200);
  });
});

describe('a form whose session has ended', () => {
  /** A browser in which somebody had logged in, with what the server answers to its form. */
  async function sendLate(
    body: string,
    headers: Record<string, string> = encoded,
  ): Promise<[Client, Answer]> {
    const { client, id } = await createPerson(app, server, 'author');
    await app.db.session.deleteMany({ where: { userId: id } });
    return [client, await client.send('POST', '/admin/posts/new', headers, body)];
  }

  it('is kept as it was sent and comes back after the login', async () => {
    const text = 'Quotes “”, <b>tags</b>,\r\na second line & 100 %';
    const body = new URLSearchParams({ title: 'Too late', body: text, intent: 'save' }).toString();
    const [client, { status, text: page }] = await sendLate(body);
    expect(status).toBe(401);
    const form = postForms(page).find(({ action }) => action?.endsWith('/login'))!;
    expect(form.fields.held).toBeDefined();
    const { id } = await createPerson(app, server, 'author');
    const email = 'late@example.org';
    const password = 'a-long-password';
    const passwordHash = await hashPassword(app, 'test', password);
    await app.db.user.update({ where: { id }, data: { email, passwordHash } });
    const welcome = await client.post('/admin/login', { ...form.fields, email, password });
    const [resumed] = postForms(welcome.text);
    expect(resumed?.action).toBe('/admin/posts/new');
    expect(resumed?.fields).toMatchObject({ title: ['Too late'], intent: ['save'] });
    expect(String(resumed?.fields.body).replace(/\r\n|\n/g, '\r\n')).toBe(text);
  });

  it('is not kept above 2 MB, and the page says so', async () => {
    const [, { status, text }] = await sendLate(`body=${'x'.repeat(3_000_000)}`);
    expect(status).toBe(401);
    expect(text).toContain('too large to keep');
    expect(text.length).toBeLessThan(50_000);
  });

  it('costs no parsing: its fields may be as many as they like up to the limit', async () => {
    const before = await processorSeconds(server);
    const [, { status }] = await sendLate(`a=${'%41'.repeat(600_000)}`);
    expect(status).toBe(401);
    expect((await processorSeconds(server)) - before).toBeLessThan(1);
  });

  it('is kept for nobody who has never logged in here', async () => {
    for (const cookie of ['', 'dateline_session=eyJmb3JnZWQiOjF9.abc', 'dateline_device=eyJpZCI6MX0.abc']) {
      const { status, text } = await server
        .client()
        .send('POST', '/admin/posts/new', { ...encoded, cookie }, 'title=Planted');
      expect(status).toBe(401);
      expect(postForms(text)[0]!.fields.held).toBeUndefined();
    }
  });
});
