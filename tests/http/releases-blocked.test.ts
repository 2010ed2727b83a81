// Contract, section 12: what blocks a release, and what it changes, on screens and in commands.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toLocalTime } from '#app/platform/time/time-zone.ts';
import type { TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { createCategory, createPost } from '#tests/support/factories.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;

beforeAll(async () => {
  ({ app, server, editor } = await openSite());
});

type Saved = { id: string; status: string };
const soon = () => toLocalTime(new Date(Date.now() + 3_600_000), 'UTC');

async function send(path: string, fields: Fields) {
  const answer = await editor.post(`/admin/${path}`, fields, { accept: 'application/json' });
  return { status: answer.status, body: answer.json<Saved>() };
}

async function schedule(name: string) {
  return (await send('releases/new', { name, publishAt: soon(), intent: 'schedule' })).body;
}

/** Moves the time of a release into the past. */
async function makeDue(id: string): Promise<void> {
  await app.db.release.update({ where: { id }, data: { publishAt: new Date(Date.now() - 60_000) } });
}

async function run(command: string) {
  const { code, stdout } = await runCommand([command], { env: app.variables });
  return { code, output: JSON.parse(stdout) as unknown };
}

it('an address that something else has is refused beside it; two releases that want one warn of each other', async () => {
  const make = async (name: string) => (await send('releases/new', { name })).body.id;
  const live = async (title: string) => (await send('posts/new', { title, intent: 'publish' })).body;
  const [one, two] = [await make('One way'), await make('Other way')];
  const [left, right] = [await live('Left'), await live('Right')];
  const move = ({ id }: Saved, slug: string, releaseId: string) =>
    send(`posts/${id}`, { slug, version: '1', releaseId, intent: 'save' });
  expect(await move(left, 'right', one)).toMatchObject({
    status: 400,
    body: { errors: { slug: expect.stringContaining('“Right”') } },
  });
  expect(await move(left, 'middle', one)).toMatchObject({ status: 200 });
  expect(await move(right, 'middle', two)).toMatchObject({ status: 200 });
  const screen = async (path: string) =>
    (await editor.get(`/admin/${path}`)).text.replaceAll(/<!-- -->|<[^>]+>/g, '');
  const warns = (name: string) => `${name} also uses the address /posts/middle`;
  expect(await screen(`releases/${one}`)).toContain(warns('Other way'));
  expect(await screen(`releases/${two}`)).toContain(warns('One way'));
  expect(await move(right, 'far', one)).toMatchObject({ status: 200 });
  expect(await screen(`releases/${one}`)).toContain('Also in Other way');
  expect(await screen(`releases/${two}`)).toContain('Also in One way');
  const trash = { ids: left.id, action: 'delete' };
  expect((await editor.post('/admin/posts/bulk', trash)).text).toContain(
    '“One way” can’t be published without these posts.',
  );
  for (const id of [one, two]) await send(`releases/${id}`, { intent: 'delete' });
});

it('a release of many posts names the dead links of each post that it publishes', async () => {
  const { id } = (await send('releases/new', { name: 'Many' })).body;
  for (let index = 1; index <= 7; index += 1)
    await send('posts/new', { title: `Many ${index}`, body: `[x](/nowhere-${index})`, releaseId: id });
  const shown = (await editor.get(`/admin/releases/${id}`)).text.replaceAll('<!-- -->', '');
  for (let index = 1; index <= 7; index += 1)
    expect(shown).toContain(`Links to pages that readers can’t see then: /nowhere-${index}`);
  await send(`releases/${id}`, { intent: 'delete' });
});

it('a release that holds the newest drafts offers the older ones', async () => {
  const { id } = (await send('releases/new', { name: 'Full' })).body;
  await createPost(app, { slug: 'oldest', title: 'The oldest draft', updatedAt: new Date(0) });
  const newest = Array.from({ length: 200 }, (_, index) => ({ slug: `new-${index}`, updatedAt: new Date() }));
  const ids: string[] = [];
  for (const fields of newest) ids.push((await createPost(app, fields)).id);
  const offered = async () => (await editor.get(`/admin/releases/${id}`)).text.includes('The oldest draft');
  expect(await offered()).toBe(false);
  expect((await send(`releases/${id}`, { add: ids.join(',') })).status).toBe(200);
  expect(await offered()).toBe(true);
  await send(`releases/${id}`, { intent: 'delete' });
});

it('a release that was to make a page the home is blocked once that page is in the trash', async () => {
  const page = (await send('posts/new', { title: 'Front', type: 'page', intent: 'publish' })).body;
  const { id } = await schedule('Front page');
  expect((await send('settings/site', { home_page: page.id, releaseId: id })).status).toBe(200);
  await send(`posts/${page.id}`, { version: '1', intent: 'delete' });
  const blocked = [{ id, problem: expect.stringContaining('no longer exists') }];
  expect(await run('releases:status')).toMatchObject({ code: 1, output: { blocked } });
  await send(`releases/${id}`, { intent: 'delete' });
});

it('a release that a post in the trash stopped says so no longer once the post is restored', async () => {
  const { id } = await schedule('Waits');
  const draft = (await send('posts/new', { title: 'Needed', intent: 'save', releaseId: id })).body;
  await makeDue(id);
  await send(`posts/${draft.id}`, { version: '1', intent: 'delete' });
  expect(await run('posts:publish-scheduled')).toMatchObject({ code: 0, output: { publishedCount: 0 } });
  const screen = async () => (await editor.get('/admin/releases')).text;
  expect(await screen()).toContain('is in the trash');
  expect((await send('trash', { intent: 'restore', kind: 'post', id: draft.id })).status).toBe(200);
  expect(await screen()).not.toContain('is in the trash');
  expect(await run('releases:status')).toEqual({ code: 0, output: { due: 1, scheduled: 1, blocked: [] } });
  expect(await run('posts:publish-scheduled')).toMatchObject({
    code: 0,
    output: { publishedPostIds: [draft.id] },
  });
});

describe('releases that an address and a category in the trash stop', () => {
  let ids: string[];
  let holder: Saved;
  let river: { id: string };
  beforeAll(async () => {
    const mover = (await send('posts/new', { title: 'Mover', intent: 'publish' })).body;
    river = await createCategory(app, { name: 'River', slug: 'river' });
    const [moves, renames] = [await schedule('Takes an address'), await schedule('Renames a category')];
    const move = { slug: 'taken', version: '1', releaseId: moves.id, intent: 'save' };
    expect(await send(`posts/${mover.id}`, move)).toMatchObject({ status: 200 });
    const rename = { name: 'Stream', slug: 'stream', releaseId: renames.id };
    expect(await send(`categories/${river.id}`, rename)).toMatchObject({ status: 200 });
    ids = [moves.id, renames.id];
    for (const id of ids) await makeDue(id);
    holder = (await send('posts/new', { title: 'Holder', slug: 'taken', intent: 'save' })).body;
    await send(`categories/${river.id}`, { intent: 'delete' });
  });

  it('are both named, and nothing of them is published', async () => {
    expect(await run('posts:publish-scheduled')).toMatchObject({ code: 0, output: { affectedSlugs: [] } });
    const blocked = ids.map((id) => ({ id }));
    expect(await run('releases:status')).toMatchObject({ code: 1, output: { due: 2, blocked } });
  });

  it('are not named any more once the address is given back and the category restored', async () => {
    await send(`posts/${holder.id}`, { slug: 'given-back', version: '1', intent: 'save' });
    const blocked = [{ id: ids[1] }];
    expect(await run('releases:status')).toMatchObject({ code: 1, output: { blocked } });
    await send('trash', { intent: 'restore', kind: 'term', id: river.id });
    expect(await run('releases:status')).toEqual({ code: 0, output: { due: 2, scheduled: 2, blocked: [] } });
  });

  it('are published by the next trigger', async () => {
    expect(await run('posts:publish-scheduled')).toMatchObject({ output: { affectedSlugs: ['taken'] } });
    expect(await app.db.category.findUnique({ where: { id: river.id } })).toMatchObject({ slug: 'stream' });
  });
});

describe.each(['category', 'tag'] as const)('a release that renames a %s', (kind) => {
  const list = kind === 'tag' ? 'tags' : 'categories';
  let id: string;
  /** Two terms with the slugs `<kind>-one` and `<kind>-two`. */
  let [one, two] = ['', ''];
  const rename = (term: string, name: string, slug: string, releaseId = '') =>
    send(`${list}/${term}`, { name, slug: `${kind}-${slug}`, releaseId });
  beforeAll(async () => {
    const create = async (name: string, slug: string) => {
      const now = new Date();
      const data = { id: crypto.randomUUID(), name, slug: `${kind}-${slug}`, createdAt: now, updatedAt: now };
      await (kind === 'tag' ? app.db.tag.create({ data }) : app.db.category.create({ data }));
      return data.id;
    };
    [one, two] = [await create('One', 'one'), await create('Two', 'two')];
    // An old address from before the release may be taken over.
    expect((await rename(two, 'Two', 'three')).status).toBe(200);
    ({ id } = await schedule('Renames'));
    expect((await rename(one, 'One', 'two', id)).status).toBe(200);
  });
  afterAll(() => send(`releases/${id}`, { intent: 'delete' }));
  const blockedBy = (problem: string) => ({ code: 1, output: { blocked: [{ id, problem }] } });
  const address = `/${list}/${kind}-two`;

  it('takes over an old address from before', async () => {
    expect(await run('releases:status')).toMatchObject({ code: 0, output: { blocked: [] } });
  });

  it('is blocked once the address leads to something else, and leaves it', async () => {
    expect((await rename(two, 'Two', 'two')).status).toBe(200);
    expect((await rename(two, 'Two', 'four')).status).toBe(200);
    const problem = `“One”: the address ${address} already redirects to something else.`;
    expect(await run('releases:status')).toMatchObject(blockedBy(problem));
    await makeDue(id);
    expect(await run('posts:publish-scheduled')).toMatchObject({ code: 0 });
    expect(await app.db.redirect.findUnique({ where: { path: address } })).toMatchObject({
      [`${kind}Id`]: two,
    });
  });

  it(`is blocked by a ${kind} in the trash, and by another change of the release`, async () => {
    expect((await rename(two, 'Two', 'two')).status).toBe(200);
    expect((await send(`${list}/${two}`, { intent: 'delete' })).status).toBe(200);
    const problem = '“One”: the slug is used by “Two”, which is in the trash.';
    expect(await run('releases:status')).toMatchObject(blockedBy(problem));
    expect((await editor.get(`/admin/releases/${id}`)).text.replaceAll('<!-- -->', '')).toContain(problem);
    expect((await send('trash', { intent: 'restore', kind: 'term', id: two })).status).toBe(200);
    expect((await rename(two, 'Two', 'five')).status).toBe(200);
    // Stored again, the change takes over the old address; the second change of the release wants it, too.
    for (const term of [one, two]) await rename(term, term === one ? 'One' : 'Two', 'two', id);
    const wanted = `“Two”: the address ${address} is also used by “One” in this release.`;
    expect(await run('releases:status')).toMatchObject(blockedBy(wanted));
  });
});

describe('the comparison of two moments', () => {
  let id: string;
  /** The list of changes in the page. */
  let list: string;
  beforeAll(async () => {
    ({ id } = await schedule('Compared'));
    const live = async (title: string) =>
      (await send('posts/new', { title, body: 'The sea is calm.', intent: 'publish' })).body;
    const [changing, moving, leaving] = [await live('Changing'), await live('Moving'), await live('Going')];
    await send('posts/new', { title: 'Coming', releaseId: id });
    const into = { version: '1', releaseId: id };
    await send(`posts/${changing.id}`, { ...into, body: 'The sea is rough.', intent: 'save' });
    await send(`posts/${moving.id}`, { ...into, slug: 'moved', intent: 'save' });
    await send(`posts/${leaving.id}`, { ...into, intent: 'archive' });
    await send('settings/site', { site_title: 'Then', releaseId: id });
    const after = toLocalTime(new Date(Date.now() + 2 * 3_600_000), 'UTC');
    const { text } = await editor.get(`/admin/time?at=${after}`);
    list = /<h2 id="changes">(.*)<h2 id="shared">/s.exec(text.replaceAll('<!-- -->', ''))![1]!;
  });
  afterAll(() => send(`releases/${id}`, { intent: 'delete' }));

  it('tells which addresses appear, change and vanish', () => {
    const said = [...list.matchAll(/<code>([^<]+)<\/code> ([a-z ]+)/g)].map(
      ([, path, what]) => `${path} ${what}`,
    );
    expect(said.sort()).toEqual([
      '/posts/changing is changed',
      '/posts/coming appears',
      '/posts/going vanishes',
      '/posts/moved appears',
      // It leads to the new one.
      '/posts/moving is changed',
    ]);
  });

  it('shows the words and settings that change', () => {
    expect(list).toMatch(/<del>calm<\/del>.*<ins>rough<\/ins>/s);
    expect(list).toMatch(/<h3>Settings<\/h3>.*Then/s);
  });
});

describe('a release whose post has been deleted', () => {
  let made: Saved;
  let blocked: object;
  // The link to its time: only a release that is not blocked has one.
  const offered = /<a href="\?at=[^"]+">Stuck</;
  beforeAll(async () => {
    made = await schedule('Stuck');
    expect(made.status).toBe('scheduled');
    const post = await createPost(app, {});
    await send(`releases/${made.id}`, { add: post.id });
    expect(await run('releases:status')).toEqual({ code: 0, output: { due: 0, scheduled: 1, blocked: [] } });
    await app.db.post.delete({ where: { id: post.id } });
    blocked = { id: made.id, name: 'Stuck', problem: expect.stringContaining('deleted') };
  });

  it('is named before its time by the command, and offered as a moment to look at', async () => {
    const output = { due: 0, scheduled: 1, blocked: [blocked] };
    expect(await run('releases:status')).toEqual({ code: 1, output });
    expect((await editor.get('/admin/time')).text).toMatch(offered);
  });

  it('is named at its time by the commands, and not published', async () => {
    await makeDue(made.id);
    const publishAt = expect.stringMatching(/^\d{4}-.*Z$/);
    const releases = [{ ...blocked, publishAt }];
    expect(await run('posts:status')).toMatchObject({ code: 1, output: { releases } });
    expect(await run('posts:publish-scheduled')).toMatchObject({ code: 0, output: { publishedCount: 0 } });
    expect(await send(`releases/${made.id}`, { intent: 'publish' })).toMatchObject({ status: 409 });
  });

  it('is named blocked on the screens, and is not in the site of its time', async () => {
    const head = /<h1>Stuck<\/h1><span[^>]*>(\w+)</;
    expect(head.exec((await editor.get(`/admin/releases/${made.id}`)).text)?.[1]).toBe('blocked');
    const compared = (await editor.get(`/admin/time?at=${soon()}`)).text;
    expect(compared).not.toMatch(offered);
    expect(compared).toMatch(/Stuck<\/a>.{0,20} is not among these changes, since it is blocked: .*deleted/s);
    for (const path of ['', '/releases', '/calendar'])
      expect((await editor.get(`/admin${path}`)).text).toContain('Stuck');
  });

  it('is named by readiness and metrics', async () => {
    const ready = await server.client().get('/api/ready');
    expect(ready.json()).toMatchObject({ data: { status: 'degraded', checks: { publishing: 'overdue' } } });
    const authorization = `Bearer ${app.variables.INTERNAL_CRON_SECRET}`;
    const metrics = await server.client().get('/api/internal/metrics', { authorization });
    expect(metrics.text).toContain('dateline_releases_blocked 1');
  });
});
