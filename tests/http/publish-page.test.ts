// The dashboard of a new site. The publish panel as a page of its own, without a script: checks, times, how it looks elsewhere, and what comes after.
import { beforeAll, expect, it } from 'vitest';
import type { Publication } from '#app/admin/editor/preview/check.server.ts';
import { registerDemoPosts } from '#app/publishing/demo/demo-posts.server.ts';
import type { TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Client } from '#tests/support/http-client.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;

beforeAll(async () => {
  ({ app, server, editor } = await openSite());
});

async function draft(fields: Record<string, string>) {
  const made = await editor.post('/admin/posts/new', { intent: 'save', ...fields });
  return made.headers.location!.split('/').at(-1)!;
}
const wordsOf = (html: string) => html.replace(/<script.*?<\/script>/gs, '').replace(/<[^>]*>/g, '');
/** Times are shown to people in words. */
const STORED_TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const checksOf = (html: string) => [...html.matchAll(/data-check="(\w+)"/g)].map(([, name]) => name!);

it('the dashboard of a new site has first steps, each a screen, in place of an empty chart', async () => {
  const before = (await editor.get('/admin')).text;
  const [steps] = /id="first-steps".*?<\/ol>/s.exec(before)!;
  const links = [...steps.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
  expect(links).toContain('/admin/posts/new');
  for (const link of links) expect((await editor.get(link)).status, link).toBe(200);
  expect(before).not.toContain('class="chart"');
  await createPost(app, { status: 'published', slug: 'first-of-all' });
  const { text } = await editor.get('/admin');
  expect([text.includes('first-steps'), text.includes('class="chart"')]).toEqual([false, true]);
});

it('welcomes whoever has only the posts that came with the site, without an alarm', async () => {
  const samples = await app.db.post.findMany({ select: { id: true, version: true } });
  const late = { status: 'scheduled', publishedAt: new Date(Date.now() - 60_000) } as const;
  samples.push(await createPost(app, late));
  await registerDemoPosts(app, samples, { userId: null, actor: 'quickstart', address: '' });
  const { text } = await editor.get('/admin');
  expect([text.includes('first-steps'), text.includes('role="alert"')]).toEqual([true, false]);
  expect(text).toContain('Turn on the built-in trigger');
  const own = await draft({ title: 'Of one’s own' });
  const after = (await editor.get('/admin')).text;
  expect([after.includes('first-steps'), after.includes('role="alert"')]).toEqual([false, true]);
  await app.db.post.deleteMany({ where: { id: { in: [own, samples.at(-1)!.id] } } });
});

it('says what is to be looked at, and nothing of a post that is in order', async () => {
  await createPost(app, { slug: 'there', status: 'published' });
  const body =
    '## One\n\n#### Three\n\n![](/uploads/none.jpg)\n\n[dead](/posts/nowhere) [fine](/posts/there) lorem ipsum';
  const rough = await editor.get(`/admin/posts/${await draft({ title: 'Untitled', body })}/publish`);
  expect(rough.status).toBe(200);
  expect(checksOf(rough.text).sort()).toEqual([
    'alt',
    'excerpt',
    'headings',
    'links',
    'links',
    'template',
    'title',
  ]);
  const fine = { title: 'Fine', excerpt: 'All there.', body: '## One\n\n### Two\n\n[fine](/posts/there)' };
  const good = await editor.get(`/admin/posts/${await draft(fine)}/publish`);
  expect(checksOf(good.text)).toEqual([]);
  expect(good.text).toContain('All there.');
  expect(wordsOf(good.text)).not.toMatch(STORED_TIME);
});

it('names what waits in a text that began as a copy of a template', async () => {
  const body = '## Who is it?\n\n_(Write the answer here)_\n\nTalks are cut for length.';
  await draft({ title: 'Interview', body, template: 'yes' });
  const warned = async (text: string) => {
    const id = await draft({ title: 'Ada speaks', excerpt: 'A talk.', body: text });
    const { text: page } = await editor.get(`/admin/posts/${id}/publish`);
    return /“([^”]*)” looks like placeholder text/.exec(page)?.[1] ?? null;
  };
  expect(await warned(body)).toBe('_(Write the answer here)_');
  expect(await warned(`${body}\n\nMore.`)).toBe('_(Write the answer here)_');
  // What is in no brackets may stay.
  expect(await warned('## Who is it?\n\nAn engineer.\n\nTalks are cut for length.')).toBeNull();
  const bare = '## Question\n\nAnswer';
  await draft({ title: 'Bare', body: bare, template: 'yes' });
  expect(await warned(bare)).toBe('Answer');
});

it('publishes, and then offers the link and the next step; a suggested time schedules', async () => {
  const id = await draft({ title: 'Goes out', body: 'Text' });
  const page = await editor.get(`/admin/posts/${id}/publish`);
  const form = postForms(page.text).find(({ fields }) => 'slug' in fields)!;
  const suggested = form.buttons.find(({ name }) => name === 'suggested')!.value;
  const planned = await editor.post(`/admin/posts/${id}/publish`, { ...form.fields, suggested });
  expect([planned.status, planned.headers.location]).toEqual([302, `/admin/posts/${id}/publish?done`]);
  expect((await editor.get(planned.headers.location!)).text).toContain('Scheduled');
  const row = await app.db.post.findUniqueOrThrow({ where: { id } });
  expect([row.status, row.publishedAt! > new Date()]).toEqual(['scheduled', true]);

  const wrong = { ...form.fields, version: '2', intent: 'schedule', publishedAt: '2020-01-01T09:00' };
  const refused = await editor.post(`/admin/posts/${id}/publish`, wrong);
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('Publication time must be in the future.'),
  ]);
  const now = { ...form.fields, version: '2', intent: 'publish', slug: 'out', excerpt: 'Short' };
  const done = await editor.post(`/admin/posts/${id}/publish`, now);
  const after = (await editor.get(done.headers.location!)).text;
  for (const part of ['Published', `${app.env.siteUrl}/posts/out`, 'Schedule the next draft'])
    expect(after).toContain(part);
  expect((await server.client().get('/posts/out')).status).toBe(200);
  const stale = await editor.post(`/admin/posts/${id}/publish`, { ...now, excerpt: 'Mine' });
  expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('Two versions of')]);
});

it('a new category is made on the way; a name that cannot be one is named beside its field', async () => {
  const id = await draft({ title: 'In a new place', body: 'Text' });
  const send = { intent: 'save', version: '1', newCategory: '!!!' };
  const refused = await editor.post(`/admin/posts/${id}/publish`, send);
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringMatching(/id="field-newCategory-error"[^>]*>This needs a letter or a digit/),
  ]);
  await editor.post(`/admin/posts/${id}/publish`, { ...send, newCategory: 'Islands' });
  const row = await app.db.post.findUniqueOrThrow({ where: { id }, include: { category: true } });
  expect(row.category?.name).toBe('Islands');
});

it('a new category comes with the save of the post or not at all', async () => {
  const id = await draft({ title: 'In another place', body: 'Text' });
  const path = `/admin/posts/${id}/publish`;
  const send = { version: '1', newCategory: 'Atolls' };
  const count = () => app.db.category.count({ where: { name: 'Atolls' } });
  const past = { ...send, intent: 'schedule', publishedAt: '2020-01-01T09:00' };
  expect([(await editor.post(path, past)).status, await count()]).toEqual([400, 0]);

  const other = { intent: 'save', version: '1', excerpt: 'By somebody else' };
  expect((await editor.post(`/admin/posts/${id}`, other)).status).toBe(302);
  const stale = await editor.post(path, { ...send, intent: 'publish', excerpt: 'Mine' });
  expect([stale.status, await count()]).toEqual([409, 0]);
  const { fields } = postForms(stale.text).find((form) => 'newCategory' in form.fields)!;
  const saved = await editor.post(path, { ...fields, intent: 'publish' });
  expect([saved.status, await count()]).toEqual([302, 1]);
  const where = { where: { id }, include: { category: true } };
  expect((await app.db.post.findUniqueOrThrow(where)).category?.name).toBe('Atolls');
  // Sent twice, it is the same save.
  expect((await editor.post(path, { ...fields, intent: 'publish' })).status).toBe(302);
});

it('the panel hears the same of a form that is not saved, whatever its fields contain', async () => {
  const form = {
    title: 'Not saved',
    body: '![](/uploads/none.jpg) Words.\n\n![](/uploads/none.jpg){.decorative}',
    publishedAt: 'never',
    excerpt: '',
  };
  const { status, text } = await editor.post('/admin/publish-check', form);
  const { data } = JSON.parse(text) as { data: Publication };
  expect([status, data.address, data.description, data.zone]).toEqual([
    200,
    `${app.env.siteUrl}/posts/not-saved`,
    'Words.',
    'Coordinated Universal Time',
  ]);
  expect(data.checks.find(({ name }) => name === 'alt')?.message).toMatch(/^1 picture has/);
  expect(data.checks.map(({ name }) => name).sort()).toEqual(['alt', 'excerpt', 'links']);
  expect(await app.db.post.count({ where: { title: 'Not saved' } })).toBe(0);
});

it('the panel shows a text in the language of its post, as the page will', async () => {
  const setting = { key: 'smart_typography', value: 'on', updatedAt: new Date() };
  await app.db.setting.upsert({ where: { key: setting.key }, create: setting, update: setting });
  const form = { title: 'Worte', body: 'Er sagte "Hallo".', language: 'de' };
  const { text } = await editor.post('/admin/publish-check', form);
  await app.db.setting.delete({ where: { key: setting.key } });
  expect((JSON.parse(text) as { data: Publication }).data.description).toBe('Er sagte „Hallo“.');
});

it('shows the picture that is drawn for a post without a cover, as its page will have it', async () => {
  const title = 'Wer das Meer “befragt”';
  const id = await draft({ title, body: 'Text', authors: 'A Guest' });
  const { text } = await editor.get(`/admin/posts/${id}/publish`);
  const address = /<div class="look-card"><span class="look-room"><span[^>]*>[^<]*<\/span><img src="([^"]+)"/
    .exec(text)?.[1]
    ?.replaceAll('&amp;', '&');
  expect(address).toBe(`/admin/card-preview?${new URLSearchParams({ title, authors: 'A Guest' })}`);
  const seen = await editor.get(address!);
  expect([seen.status, seen.headers['content-type']]).toEqual([200, 'image/png']);
  expect((await server.client().get(address!)).status).toBe(302);

  // The panel, of the same fields before they are saved.
  const asked = await editor.post(`/admin/publish-check?post=${id}`, { title, authors: 'A Guest' });
  expect((JSON.parse(asked.text) as { data: Publication }).data.card).toBe(address);
  const foreign = await editor.post('/admin/publish-check', { title: '海の物語' });
  expect((JSON.parse(foreign.text) as { data: Publication }).data.card).toBeNull();

  const { version } = await app.db.post.findUniqueOrThrow({ where: { id } });
  await editor.post(`/admin/posts/${id}`, { intent: 'publish', version: String(version) });
  const { slug } = await app.db.post.findUniqueOrThrow({ where: { id } });
  const page = (await server.client().get(`/posts/${slug}`)).text;
  const shared = /<meta property="og:image" content="https?:\/\/[^/"]+([^"]+)"/.exec(page)![1]!;
  expect((await server.client().get(shared)).body.equals(seen.body)).toBe(true);
});

it('scheduled updates are in the calendar and on the dashboard, with what was edited last', async () => {
  const { id } = await createPost(app, {
    title: 'Changes soon',
    status: 'published',
    publishedAt: new Date(0),
  });
  const year = new Date().getUTCFullYear() + 1;
  const prepared = { intent: 'prepare', version: '1', title: 'Changed', changeAt: `${year}-03-03T10:00` };
  expect((await editor.post(`/admin/posts/${id}`, prepared)).status).toBe(302);
  expect((await editor.get(`/admin/calendar?month=${year}-03`)).text).toMatch(/Update: .*Changes soon/s);
  const dashboard = (await editor.get('/admin')).text;
  expect(dashboard).toContain('Recently edited');
  expect(/id="queue".*?<\/ul>/s.exec(dashboard)![0]).toContain('Changes soon');
  const page = await editor.get(`/admin/posts/${id}/revisions`);
  expect(wordsOf(page.text)).not.toMatch(STORED_TIME);
  expect(wordsOf(page.text)).toContain('Restore and publish');
});

it('an hour that occurs twice says which one it is: in the list of posts, the calendar, and its own form there', async () => {
  await editor.post('/admin/settings/site', { site_timezone: 'Europe/Berlin' });
  const month = `${new Date().getUTCFullYear() + 1}-10`;
  const lastDay = new Date(`${month}-31T00:00Z`);
  const local = `${month}-${31 - lastDay.getUTCDay()}T02:30`;
  const id = await draft({ title: 'In the night', body: 'Text' });
  const times = async () => {
    const list = (await editor.get('/admin/posts?q=In+the+night')).text;
    const calendar = (await editor.get(`/admin/calendar?month=${month}`)).text;
    return [
      / \((GMT\+\d)\)/.exec(/<time[^>]*>.*?<\/time>/s.exec(list)![0].replaceAll('<!-- -->', ''))?.[1],
      /class="entry-time">2:30.AM (GMT\+\d)</.exec(calendar)?.[1],
      /name="publishedAtOccurrence"[^]*?value="(\w+)" selected/.exec(calendar)?.[1],
    ];
  };
  const change = { publishedAt: local, publishedAtOccurrence: 'second' };
  await editor.post(`/admin/posts/${id}`, { intent: 'schedule', version: '1', ...change });
  expect(await times()).toEqual(['GMT+1', 'GMT+1', 'second']);
  const move = { intent: 'move', postId: id, version: '2', ...change };
  await editor.post('/admin/calendar', { ...move, publishedAtOccurrence: 'first' });
  expect(await times()).toEqual(['GMT+2', 'GMT+2', 'first']);
  await editor.post('/admin/calendar', { ...move, version: '3', publishedAt: local.replace('02:', '03:') });
  expect(await times()).toEqual([undefined, undefined, 'first']);
  await editor.post('/admin/settings/site', { site_timezone: 'UTC' });
});
