// Every request of every screen, as every role and as nobody. The table below is complete: it is
// not derived from the product's own, so that a slip there shows here.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screens } from '#app/admin/screens.server.ts';
import { newId } from '#app/platform/clock.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCategory, createMedia, createPost, createTag } from '#tests/support/factories.ts';
import type { Answer, Client } from '#tests/support/http-client.ts';
import { createPeople, logIn, visitors, type Person, type Visitor } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

type Who = 'everybody' | 'writers' | 'editors' | 'administrators' | 'publishers';
const rolesOf: Record<Exclude<Who, 'everybody'>, readonly Visitor[]> = {
  writers: ['administrator', 'editor', 'author', 'contributor'],
  editors: ['administrator', 'editor'],
  administrators: ['administrator'],
  publishers: ['administrator', 'editor', 'author'],
};

/** Pattern, who may enter, the status of GET, a form that changes nothing and its status for who may enter. */
const table: [pattern: string, who: Who, get: number, form: Record<string, string>, post: number][] = [
  ['login', 'everybody', 200, { email: 'nobody@example.org', password: 'wrong' }, 400],
  ['login/code', 'everybody', 302, { code: '123456' }, 302],
  ['login/forgot', 'everybody', 200, { email: 'no address' }, 400],
  ['login/reset', 'everybody', 200, { token: 'x', password: 'short' }, 400],
  ['login/invitation', 'everybody', 200, { token: 'x', password: 'short' }, 400],
  ['logout', 'everybody', 302, {}, 302],
  ['', 'writers', 200, { intent: 'explode' }, 400],
  ['posts', 'writers', 200, {}, 405],
  ['posts/bulk', 'writers', 200, {}, 400],
  ['calendar', 'writers', 200, { intent: 'explode' }, 400],
  ['system', 'administrators', 200, {}, 405],
  ['posts/new', 'writers', 200, { intent: 'explode' }, 400],
  ['posts/:id', 'writers', 200, { intent: 'explode' }, 400],
  ['posts/:id/state', 'writers', 200, {}, 405],
  ['posts/:id/duplicate', 'writers', 302, {}, 302],
  ['preview', 'writers', 404, { body: '**bold**' }, 200],
  ['posts/:id/revisions', 'writers', 200, { intent: 'explode' }, 400],
  ['snippets', 'writers', 200, { intent: 'explode' }, 400],
  ['posts/:id/previews', 'writers', 200, { intent: 'explode' }, 400],
  ['media', 'writers', 200, {}, 400],
  ['media/:id', 'writers', 200, { intent: 'explode' }, 400],
  ['categories', 'editors', 200, { intent: 'explode' }, 400],
  ['categories/:id', 'editors', 200, { intent: 'explode' }, 400],
  ['tags', 'editors', 200, { intent: 'explode' }, 400],
  ['tags/:id', 'editors', 200, { intent: 'explode' }, 400],
  ['posts/:id/publish', 'publishers', 200, { intent: 'explode' }, 400],
  ['posts/:id/mail', 'publishers', 200, {}, 200],
  ['publish-check', 'writers', 404, { title: 'Checked' }, 200],
  ['card-preview', 'writers', 404, {}, 405],
  ['trash', 'writers', 200, { intent: 'explode' }, 400],
  ['undo', 'writers', 302, {}, 302],
  ['site/*', 'writers', 200, {}, 405],
  ['edit', 'writers', 404, {}, 405],
  ['find', 'writers', 200, {}, 405],
  ['releases', 'publishers', 200, {}, 405],
  ['releases/new', 'publishers', 200, { intent: 'explode' }, 400],
  ['releases/:id', 'publishers', 200, { intent: 'explode' }, 400],
  ['time', 'publishers', 200, { intent: 'explode' }, 400],
  ['users', 'administrators', 200, {}, 405],
  ['users/new', 'administrators', 200, { intent: 'explode' }, 400],
  ['users/:id', 'administrators', 200, { intent: 'explode' }, 400],
  ['account', 'writers', 200, { intent: 'explode' }, 400],
  ['account/second-factor', 'writers', 200, { intent: 'explode' }, 400],
  ['audit', 'administrators', 200, {}, 405],
  ['appearance', 'administrators', 200, { intent: 'unknown' }, 400],
  ['appearance/preview/*', 'administrators', 200, {}, 405],
  ['appearance/presets/:preset/*', 'administrators', 200, {}, 405],
  ['effects', 'administrators', 200, { intent: 'explode' }, 400],
  ['webhooks', 'administrators', 200, {}, 405],
  ['webhooks/new', 'administrators', 200, { intent: 'explode' }, 400],
  ['webhooks/:id', 'administrators', 200, { intent: 'explode' }, 400],
  ['webhooks/:id/deliveries', 'administrators', 200, { intent: 'explode' }, 400],
  ['newsletter', 'editors', 200, {}, 405],
  ['newsletter/:id', 'editors', 200, { intent: 'explode' }, 400],
  ['subscribers', 'administrators', 200, { intent: 'explode' }, 400],
  ['settings/:group?', 'administrators', 200, { intent: 'explode' }, 400],
];

const OTHERS_DRAFT = 'What only its author knows';

let app: TestApp;
let server: TestServer;
let people: Record<Exclude<Visitor, 'nobody'>, Person>;
let ids: { category: string; tag: string; release: string; webhook: string; issue: string };
const own = new Map<Visitor, { post: string; media: string }>();

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  people = await createPeople(app, server);
  const [now, release] = [app.clock.now(), newId(app.clock)];
  await app.db.release.create({ data: { id: release, name: 'Friday', createdAt: now, updatedAt: now } });
  const [webhook, issue] = [newId(app.clock), newId(app.clock)];
  const times = { createdAt: now, updatedAt: now };
  await app.db.webhook.create({
    data: { id: webhook, name: 'News', url: 'https://example.org/', events: '[]', secret: '', ...times },
  });
  await app.db.newsletterIssue.create({
    data: {
      id: issue,
      postId: newId(app.clock),
      subject: 'Harbour',
      state: 'sent',
      dueAt: now,
      createdAt: now,
    },
  });
  const [category, tag] = [(await createCategory(app)).id, (await createTag(app)).id];
  ids = { category, tag, release, webhook, issue };
  for (const visitor of visitors) {
    const owner = visitor === 'nobody' ? people.administrator.id : people[visitor].id;
    const media = await createMedia(app, { uploadedById: owner });
    own.set(visitor, { post: (await createPost(app, { authorId: owner })).id, media: media.id });
    const others = visitor === 'editor' ? people.administrator.id : people.editor.id;
    await createPost(app, { title: OTHERS_DRAFT, authorId: others, coverMediaId: media.id });
  }
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const clientOf = (visitor: Visitor): Client =>
  visitor === 'nobody' ? server.client() : people[visitor].client;

function pathOf(pattern: string, visitor: Visitor): string {
  const { post, media } = own.get(visitor)!;
  const id = {
    posts: post,
    media,
    categories: ids.category,
    tags: ids.tag,
    users: people.author.id,
    releases: ids.release,
    webhooks: ids.webhook,
    newsletter: ids.issue,
  };
  const [first] = pattern.split('/');
  const path = pattern
    .replace(':id', id[first as keyof typeof id])
    .replace('/:group?', '/email')
    .replace(':preset', 'gazette')
    .replace('/*', '');
  return path === '' ? '/admin' : `/admin/${path}`;
}

/** What the table says about one visitor. */
function expected(who: Who, visitor: Visitor, allowed: number): number | 'login' {
  if (who === 'everybody' || rolesOf[who].includes(visitor)) return allowed;
  return visitor === 'nobody' ? 'login' : 403;
}

/** Who has logged in goes from the login page on to the backend. */
const goesOn = (pattern: string, visitor: Visitor) => visitor !== 'nobody' && pattern === 'login';

function told({ status, headers, text }: Answer): number | 'login' {
  if (status === 302 && /^\/admin\/login\?redirectTo=/.test(headers.location ?? '')) return 'login';
  return status === 401 && text.includes('name="password"') ? 'login' : status;
}

it('the table has every screen', () => {
  expect(table.map(([pattern]) => pattern).sort()).toEqual(screens.map(({ pattern }) => pattern).sort());
});

describe.each(visitors)('%s', (visitor) => {
  it.each(table)('opens /%s', async (pattern, who, get) => {
    const answer = await clientOf(visitor).get(pathOf(pattern, visitor));
    expect(told(answer)).toBe(goesOn(pattern, visitor) ? 302 : expected(who, visitor, get));
    if (answer.status !== 302)
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    const seesAll = visitor === 'administrator' || visitor === 'editor';
    if (!seesAll) expect(answer.text).not.toContain(OTHERS_DRAFT);
  });

  it.each(table)('posts to /%s', async (pattern, who, _get, form, post) => {
    const goes = visitor !== 'nobody' && pattern === 'logout';
    const client = goes ? await logIn(app, server, people[visitor].id) : clientOf(visitor);
    const answer = await client.post(pathOf(pattern, visitor), form);
    expect(told(answer)).toBe(goesOn(pattern, visitor) ? 302 : expected(who, visitor, post));
    if (answer.status >= 400) expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each(table.filter(([, who]) => who !== 'everybody'))(
    'gets no more of /%s by its data alone',
    async (pattern, who) => {
      if (expected(who, visitor, 200) === 200) return;
      const { status, text } = await clientOf(visitor).get(`${pathOf(pattern, visitor)}.data`);
      expect(text).not.toContain(OTHERS_DRAFT);
      expect(text).not.toContain('"frame"');
      expect(status).toBe(404);
    },
  );
});

it('a page that somebody’s role does not include says so, not that something failed', async () => {
  const { status, text } = await clientOf('author').get('/admin/settings/site');
  expect(status).toBe(403);
  expect(text).toContain('Your account may not open this page.');
  expect(text).not.toContain('Something went wrong');
});

it('an error page of a screen leads back to the dashboard, and that of an unknown address does not', async () => {
  const author = clientOf('author');
  const toDashboard = '<a href="/admin">To the dashboard</a>';
  for (const path of ['settings/site', 'posts/no-such-post'])
    expect((await author.get(`/admin/${path}`)).text, path).toContain(toDashboard);
  for (const path of ['/admin/no-such-screen', '/no-such-page'])
    expect((await author.get(path)).text, path).not.toContain('/admin"');
});

it('a script whose session has ended hears so in JSON', async () => {
  const accept = { accept: 'application/json' };
  for (const path of ['/admin/preview', pathOf('posts/:id', 'author'), '/admin/media']) {
    const { status, headers, json } = await server.client().post(path, { body: 'x' }, accept);
    expect([status, headers['content-type']]).toEqual([401, expect.stringContaining('application/json')]);
    expect(json()).toMatchObject({ data: null, error: { code: 'unauthorized' } });
  }
});
