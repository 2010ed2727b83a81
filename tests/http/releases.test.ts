// Contract, section 12: releases from the backend's forms, with and without JSON, and what the commands say of them.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import type { Role } from '#app/people/roles.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { publishRelease } from '#app/publishing/releases/publish.server.ts';
import { rollBackRelease } from '#app/publishing/releases/roll-back.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { crawl } from '#tests/support/crawl.ts';
import { createPost } from '#tests/support/factories.ts';
import type { Fields } from '#tests/support/http-client.ts';
import { fillRandomRelease } from '#tests/support/random-release.ts';
import { createPeople, type Person } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

/** `DIALECT=postgresql` takes the other database. */
const dialect = process.env.DIALECT === 'postgresql' ? 'postgresql' : 'sqlite';
/** More runs are random ones. */
const RUNS = Number(process.env.RUNS ?? (process.env.NIGHTLY ? 50 : 1));
const SEED = Number(process.env.SEED ?? (RUNS > 1 ? Date.now() % 2 ** 31 : -1_454_399_134));

let app: TestApp;
let server: TestServer;
let people: Record<Role, Person>;

beforeAll(async () => {
  app = await createTestApp({ now: new Date(), dialect });
  server = await startServer({ env: app.variables });
  people = await createPeople(app, server);
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

type Saved = { id: string; version: number; status: string; location: string };
async function send(path: string, fields: Fields, role: Role = 'editor') {
  const answer = await people[role].client.post(`/admin/${path}`, fields, { accept: 'application/json' });
  return { status: answer.status, body: answer.json<Saved & { errors: Record<string, string> }>() };
}
const status = async (path: string) => (await server.client().get(path)).status;

const textOf = async (path: string) => (await server.client().get(path)).text;

describe('a release of posts', () => {
  let id: string;
  let live: Saved;
  beforeAll(async () => {
    const made = await people.editor.client.post('/admin/releases/new', { name: 'Spring', intent: 'save' });
    expect(made.status).toBe(302);
    id = made.headers.location!.split('/').at(-1)!;
    live = (await send('posts/new', { title: 'Known', body: 'Old words', intent: 'publish' })).body;
  });

  it('is filled from the editor and from the list of posts', async () => {
    const draft = await send('posts/new', { title: 'Fresh', body: 'Text', releaseId: id });
    expect(draft).toMatchObject({ status: 200, body: { status: 'draft' } });
    const change = { title: 'Known better', body: 'New words', version: String(live.version) };
    expect(await send(`posts/${live.id}`, { ...change, releaseId: id, intent: 'save' })).toMatchObject({
      status: 200,
      body: { id: live.id, status: 'published', version: live.version },
    });
    const leaving = (await send('posts/new', { title: 'Leaving', intent: 'publish' })).body;
    await send(`posts/${leaving.id}`, { version: '1', releaseId: id, intent: 'archive' });
    const listed = await createPost(app, { title: 'From the list', slug: 'from-the-list' });
    const bulk = { ids: listed.id, action: 'release', confirmed: 'yes', releaseId: id };
    expect(await send('posts/bulk', bulk)).toMatchObject({
      status: 200,
      body: { location: `/admin/releases/${id}` },
    });
  });

  it('shows what it changes to editors, and nothing of it to readers', async () => {
    const { client } = people.editor;
    const page = (await client.get(`/admin/releases/${id}`)).text;
    for (const text of ['Fresh', 'Known', '<ins>New</ins> words', 'Leaving', 'From the list'])
      expect(page).toContain(text);
    expect((await client.get(`/admin/posts/${live.id}?release=${id}`)).text).toContain('Known better');
    expect(await status('/posts/fresh')).toBe(404);
    expect(await textOf('/posts/known')).toContain('Old words');
    expect(await status('/posts/leaving')).toBe(200);
  });

  it('is published by a button', async () => {
    expect(await send(`releases/${id}`, { intent: 'publish' })).toMatchObject({
      status: 200,
      body: { id, status: 'published', location: `/admin/releases/${id}` },
    });
    expect(await textOf('/posts/known')).toContain('New words');
    expect([
      await status('/posts/fresh'),
      await status('/posts/from-the-list'),
      await status('/posts/leaving'),
    ]).toEqual([200, 200, 404]);
  });

  it('is rolled back once an editor has confirmed what was changed since, which stays', async () => {
    const { client } = people.editor;
    expect((await client.get(`/admin/releases/${id}`)).text).not.toContain('revisions are identical');
    const { version } = (await app.db.post.findUnique({ where: { id: live.id } }))!;
    await send(`posts/${live.id}`, { title: 'By hand', version: String(version) });
    const conflict = await client.post(`/admin/releases/${id}`, { intent: 'rollback' });
    expect(conflict.status).toBe(409);
    expect(conflict.text).toMatch(/By hand<\/a>.*title/s);
    expect(await status('/posts/fresh')).toBe(200);
    const back = await client.post(`/admin/releases/${id}`, { intent: 'rollback', confirmed: 'yes' });
    expect([back.status, back.headers.location?.includes(id)]).toEqual([302, false]);
    const page = (await client.get(`/admin/releases/${id}`)).text;
    expect([page.includes('<h2>Rolled back</h2>'), page.includes('name="rollbackAt"')]).toEqual([
      true,
      false,
    ]);
    const known = await textOf('/posts/known');
    expect(known).toContain('By hand');
    expect(known).toContain('Old words');
    expect([await status('/posts/fresh'), await status('/posts/leaving')]).toEqual([404, 200]);
  });
});

describe('a release of settings, menus, appearance, terms, authors and redirects', () => {
  const as = (path: string, fields: Fields) => send(path, fields, 'administrator');
  const names = ['The New Times', '/posts/nowhere', 'Ada Novel'];
  let releaseId: string;
  let tagId: string;
  let post: Saved;
  beforeAll(async () => {
    releaseId = (await as('releases/new', { name: 'Relaunch' })).body.id;
    tagId = (await app.db.tag.create({ data: { ...row('wind'), name: 'Wind' } })).id;
    post = (await as('posts/new', { title: 'Calm', slug: 'calm', tags: 'Wind', intent: 'publish' })).body;
  });
  afterAll(() => as(`posts/${post.id}`, { version: '1', intent: 'archive' }));
  /** What readers see of it. */
  const site = async () => {
    const [calm, wind, gale, old] = await Promise.all(
      ['/posts/calm', '/tags/wind', '/tags/gale', '/old/calm'].map((path) => server.client().get(path)),
    );
    const shown = names.filter((text) => calm!.text.includes(text));
    return { names: shown, wind: wind!.status, gale: gale!.status, old: old!.status };
  };

  it('is filled from the form of each', async () => {
    const kept: [path: string, fields: Fields][] = [
      ['settings/site', { site_title: 'The New Times' }],
      ['settings/navigation', { header: 'Nowhere | /posts/nowhere', footer: '' }],
      ['appearance', { preset: 'quiet', intent: 'publish' }],
      [`tags/${tagId}`, { name: 'Gale', slug: 'gale', description: 'Strong.' }],
      ['account', { displayName: 'Ada Novel', bio: 'Writes.' }],
    ];
    for (const [path, fields] of kept) {
      const saved = await as(path, { ...fields, releaseId });
      expect(saved, path).toMatchObject({ status: 200 });
      expect(saved.body.location).toContain(`release=${releaseId}`);
    }
    const redirect = { redirectFrom: '/old/calm', redirectTo: '/posts/calm' };
    expect(await as(`releases/${releaseId}`, redirect)).toMatchObject({ status: 200 });
  });

  it('refuses an address that is taken, values that are invalid, and the address of the backend', async () => {
    const taken = { redirectFrom: '/posts/calm', redirectTo: '' };
    expect(await as(`releases/${releaseId}`, taken)).toMatchObject({
      status: 400,
      body: { errors: { redirectFrom: expect.stringContaining('Calm') } },
    });
    expect(await as('settings/site', { posts_per_page: '0', releaseId })).toMatchObject({ status: 400 });
    expect(await as('settings/security', { admin_path: 'secret', releaseId })).toMatchObject({ status: 400 });
  });

  it('shows its changes and a menu entry that leads to nothing; the forms of the site stay', async () => {
    const { client } = people.administrator;
    const shown = (await client.get(`/admin/releases/${releaseId}`)).text;
    for (const text of ['The New Times', '/posts/nowhere', 'Preset', 'Gale', 'Ada Novel', '/old/calm'])
      expect(shown).toContain(text);
    expect(shown.replaceAll('<!-- -->', '')).toContain(
      'Links to pages that readers can’t see then: /posts/nowhere',
    );
    expect((await client.get(`/admin/settings/site?release=${releaseId}`)).text).toContain('The New Times');
    expect((await client.get('/admin/settings/site')).text).not.toContain('value="The New Times"');
  });

  it('changes nothing for readers until it is published, and goes back with its rollback', async () => {
    expect(await site()).toEqual({ names: [], wind: 200, gale: 404, old: 404 });
    expect(await as(`releases/${releaseId}`, { intent: 'publish' })).toMatchObject({ status: 200 });
    expect(await site()).toEqual({ names, wind: 301, gale: 200, old: 301 });
    expect(await as(`releases/${releaseId}`, { intent: 'rollback' })).toMatchObject({ status: 200 });
    expect(await site()).toEqual({ names: [], wind: 200, gale: 301, old: 404 });
    const author = people.administrator.id;
    expect(await app.db.user.findUnique({ where: { id: author } })).toMatchObject({ bio: '' });
  });
});

const row = (slug: string) => ({
  id: crypto.randomUUID(),
  slug,
  createdAt: new Date(),
  updatedAt: new Date(),
});

const lateRelease = { name: 'Late', publishAt: '2020-01-01T00:00', intent: 'schedule' };

it.each([
  ['without a name', {}, 'name', 'Name is required.'],
  ['with an empty name', { name: '' }, 'name', 'Name is required.'],
  ['with a name that is too long', { name: 'x'.repeat(121) }, 'name', expect.any(String)],
  ['at a time that has passed', lateRelease, 'publishAt', 'Publication time must be in the future.'],
] as const)('a release %s is refused beside the field', async (_what, fields, field, message: unknown) => {
  expect(await send('releases/new', fields)).toMatchObject({
    status: 400,
    body: { errors: { [field]: message } },
  });
});

it('an overdue release can be renamed, but scheduled only for a time to come', async () => {
  const { id } = (await send('releases/new', { name: 'Overdue' })).body;
  const { publishAt } = lateRelease;
  await app.db.release.update({
    where: { id },
    data: { status: 'scheduled', publishAt: `${publishAt}:00Z` },
  });
  const refused = { status: 400, body: { errors: { publishAt: 'Publication time must be in the future.' } } };
  expect(await send(`releases/${id}`, { intent: 'schedule' })).toMatchObject(refused);
  expect(await send(`releases/${id}`, { publishAt, intent: 'schedule' })).toMatchObject(refused);
  expect(await send(`releases/${id}`, { name: 'Renamed', publishAt })).toMatchObject({ status: 200 });
  expect(await send(`releases/${id}`, { intent: 'delete' })).toMatchObject({ status: 200 });
});

it('only those who may publish its posts change a release; a wrong change is refused', async () => {
  const made = (await send('releases/new', { name: 'Fine' })).body;
  expect(await send(`releases/${made.id}`, { intent: 'explode' })).toMatchObject({ status: 400 });
  expect(await send(`releases/${made.id}`, { add: crypto.randomUUID() })).toMatchObject({
    status: 400,
    body: { errors: { add: expect.any(String) } },
  });
  expect(await send(`releases/${crypto.randomUUID()}`, { name: 'x' })).toMatchObject({ status: 404 });
  expect(await send('releases/new', { name: 'No' }, 'contributor')).toMatchObject({ status: 403 });
  const foreign = await createPost(app, { authorId: people.editor.id });
  expect(await send(`releases/${made.id}`, { add: foreign.id }, 'author')).toMatchObject({ status: 403 });
  expect(await send(`releases/${made.id}`, { add: foreign.id })).toMatchObject({ status: 200 });
  expect(await send(`releases/${made.id}`, { intent: 'publish' }, 'author')).toMatchObject({ status: 403 });
  expect(await send(`releases/${made.id}`, { remove: foreign.id })).toMatchObject({ status: 200 });
  expect(await app.db.releaseItem.count({ where: { releaseId: made.id } })).toBe(0);
  expect(await send(`releases/${made.id}`, { intent: 'delete' })).toMatchObject({
    status: 200,
    body: { location: '/admin/releases?deleted' },
  });
});

const entrances = ['/', '/archive', '/tags', '/rss.xml', '/sitemap.xml'];

/** By design related posts may lag behind newer ones: those of earlier runs do. */
const comparable = (text = '') =>
  withSortedHits(text.replace(/<section[^>]* aria-labelledby="related">.*?<\/section>/s, ''));

it(
  `a rollback gives readers back what they had, byte for byte (RUNS=${RUNS}, SEED=${SEED})`,
  { timeout: RUNS * 60_000 },
  async () => {
    let run = 0;
    const property = fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 9 })), async (choices) => {
      const name = `text${(run += 1)}`;
      const { id } = await createRelease(app, { name, step: 'save', by: byCommand });
      await fillRandomRelease(app, { releaseId: id, name }, () => choices.next().value as number);
      const drafts = Array.from({ length: 8 }, (_, index) => `/posts/${name}-${index}`);
      // One page of results: FTS5 counts deleted versions of a text, so that the order of equal ones may change.
      const search = `/search?q=${name}`;
      const read = () =>
        crawl(server.client(), 'https://blog.example.org', [...entrances, search, ...drafts]);
      const before = await read();
      await publishRelease(app, { id, by: byCommand });
      expect(await textOf('/sitemap.xml')).not.toBe(before.get('/sitemap.xml')!.text);
      await rollBackRelease(app, { id, by: byCommand });
      const after = await read();
      for (const [path, { status, headers, text }] of before) {
        // Addresses of the time between lead to where the post is now.
        if (status === 404) continue;
        const now = after.get(path);
        expect([path, now?.status, now?.headers.location]).toEqual([path, status, headers.location]);
        expect(comparable(now?.text), path).toBe(comparable(text));
      }
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true, seed: SEED });
  },
);

/** The engine orders hits by statistics in which texts that were replaced still count. */
function withSortedHits(text: string): string {
  const hit = /<li><article class="search-hit">.*?<\/li>/gs;
  return text.replace(hit, '') + (text.match(hit) ?? []).sort().join('');
}

it('the list of posts moves with a release and back, and whoever kept an address is led on', async () => {
  const as = (path: string, fields: Fields) => send(path, fields, 'administrator');
  const leadsTo = async (path: string) => (await server.client().get(path)).headers.location;
  const { id: releaseId } = (await as('releases/new', { name: 'Move' })).body;
  expect((await as('settings/site', { posts_path: '/stories', releaseId })).status).toBe(200);
  expect((await as(`releases/${releaseId}`, { intent: 'publish' })).status).toBe(200);
  expect(await leadsTo('/')).toBe('/stories');
  expect((await as(`releases/${releaseId}`, { intent: 'rollback' })).status).toBe(200);
  expect(await leadsTo('/stories')).toBe('/');
});
