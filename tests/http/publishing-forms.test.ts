import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createPostByForm, localTime } from '#tests/support/backend.ts';
import { lastSundayOf } from '#tests/support/clock.ts';
import { createPost } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Answer, Client, Fields } from '#tests/support/http-client.ts';
import { openSite } from '#tests/support/site.ts';

const HOUR_MS = 3_600_000;
const later = (hours: number) => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + hours * HOUR_MS);
const past = () => new Date(Date.now() - 1000);

let app: TestApp;
let editor: Client;
let reader: Client;

beforeAll(async () => {
  const site = await openSite();
  ({ app, editor } = site);
  reader = site.server.client();
});

const trigger = async () => {
  const authorization = `Bearer ${app.variables.INTERNAL_CRON_SECRET}`;
  return (await reader.post('/api/internal/posts/publish-scheduled', {}, { authorization })).json();
};
const versionOf = async (id: string) =>
  String((await app.db.post.findUniqueOrThrow({ where: { id }, select: { version: true } })).version);
const edit = async (id: string, fields: Fields, version?: string) =>
  editor.post(`/admin/posts/${id}`, { version: version ?? (await versionOf(id)), ...fields });
const save = async (id: string, fields: Fields) => {
  const { status, text } = await edit(id, fields);
  expect(status, text.slice(0, 2000)).toBe(302);
};
/** The editor's form as the page has it, so that all its fields are sent as a browser sends them. */
const formOf = (id: string) => formWith('body', `/admin/posts/${id}`);
const formWith = async (field: string, page: string) =>
  postForms((await editor.get(page)).text).find(({ fields }) => field in fields)!;

it('the dashboard of an administrator leads to what scheduled publishing needs, once something is scheduled', async () => {
  const says = 'publish on their own yet';
  expect((await editor.get('/admin')).text).not.toContain(says);
  const id = await createPostByForm(editor, {
    title: 'Planned',
    publishedAt: localTime(later(24)),
    intent: 'schedule',
  });
  expect((await editor.get('/admin')).text).toContain(says);
  expect((await editor.get('/admin/system')).text).toMatch(/posts:publish-scheduled.*every 5 minutes/s);
  expect((await editor.get('/admin')).text).not.toContain('npm run');
  await trigger();
  expect((await editor.get('/admin')).text).not.toContain(says);
  await app.db.post.delete({ where: { id } });
});

it('the dashboard and the metrics tell what is late and what comes next', async () => {
  const publishedAt = later(1);
  const fields = { title: 'Late', publishedAt: localTime(publishedAt), intent: 'schedule' };
  const id = await createPostByForm(editor, fields);
  const gauge = async (name: string) => {
    const authorization = `Bearer ${app.variables.INTERNAL_CRON_SECRET}`;
    const { text } = await reader.get('/api/internal/metrics', { authorization });
    return Number(new RegExp(`^dateline_${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  expect(await gauge('next_due_timestamp_seconds')).toBe(publishedAt.getTime() / 1000);
  expect(await gauge('posts_overdue')).toBe(0);
  const due = { publishedAt: new Date(Date.now() - HOUR_MS), archiveAt: new Date(Date.now() - HOUR_MS / 2) };
  await app.db.post.update({ where: { id }, data: due });
  expect(await gauge('posts_overdue')).toBe(1);
  expect(await gauge('next_due_timestamp_seconds')).toBe(0);
  // React parts neighbouring texts by comments.
  const late = (await editor.get('/admin')).text.replaceAll('<!-- -->', '');
  expect(late).toMatch(/1 scheduled post is overdue.*Scheduled publishing has not run/s);
  expect((await reader.get('/api/ready')).json()).toMatchObject({
    data: { checks: { publishing: 'overdue' } },
  });
  await app.db.post.update({ where: { id }, data: { status: 'published' } });
  expect((await editor.get('/admin')).text).toContain('A scheduled update or archive is overdue');
  await trigger();
  expect((await editor.get('/admin')).text).not.toMatch(/(is|are) overdue/);
  expect(await gauge('last_trigger_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 600);
});

it('a post is archived automatically at its archive time', async () => {
  const archiveAt = localTime(later(2));
  const id = await createPostByForm(editor, { title: 'Fleeting', archiveAt, intent: 'publish' });
  expect((await formOf(id)).fields.archiveAt).toEqual([archiveAt]);
  expect(await trigger()).toMatchObject({ affectedSlugs: [] });
  await app.db.post.update({ where: { id }, data: { archiveAt: past() } });
  expect((await reader.get('/posts/fleeting')).status).toBe(200);
  expect(await trigger()).toMatchObject({ publishedCount: 0, affectedSlugs: ['fleeting'] });
  expect((await reader.get('/posts/fleeting')).status).toBe(404);
  expect((await reader.get('/sitemap.xml')).text).not.toContain('fleeting');
});

it('a prepared text replaces the live one at its time, can be seen as waiting, and can be dropped', async () => {
  const id = await createPostByForm(editor, { title: 'Prices', body: 'Ten a piece.', intent: 'publish' });
  const prepare = async (body: string) =>
    save(id, { ...(await formOf(id)).fields, body, changeAt: localTime(later(1)), intent: 'prepare' });
  await prepare('Never seen.');
  expect((await editor.get(`/admin/posts/${id}`)).text).toContain('An update goes live at');
  expect((await editor.get('/admin/posts')).text).toContain('Scheduled update: ');
  await save(id, { intent: 'cancel-change' });
  expect(await app.db.scheduledUpdate.count()).toBe(0);
  await prepare('Twelve a piece.');
  expect((await reader.get('/posts/prices')).text).toContain('Ten a piece.');
  await app.db.scheduledUpdate.update({ where: { postId: id }, data: { dueAt: past() } });
  expect(await trigger()).toMatchObject({ publishedCount: 0, affectedSlugs: ['prices'] });
  const { text } = await reader.get('/posts/prices');
  expect(text).toContain('Twelve a piece.');
  expect(text).not.toContain('Never seen.');
  expect(await trigger()).toMatchObject({ affectedSlugs: [] });
});

it('revisions can be compared by line and word, and restored as a new one; the settings say how many stay', async () => {
  const id = await createPostByForm(editor, { title: 'Tides', body: 'First line\n\nThe boat is red.' });
  await save(id, { body: 'First line\n\nThe boat is blue.\n\nA new line' });
  const page = await editor.get(`/admin/posts/${id}/revisions`);
  expect(page.text).toMatch(/<del[^>]*>red<\/del>/);
  expect(page.text).toMatch(/<ins[^>]*>blue<\/ins>/);
  expect(page.text).toContain('Changed text');
  const [first] = await app.db.revision.findMany({ where: { postId: id }, orderBy: { postVersion: 'asc' } });
  const restore = postForms(page.text).find(({ fields }) => String(fields.revisionId) === first!.id)!;
  const restored = await editor.post(`/admin/posts/${id}/revisions`, {
    ...restore.fields,
    intent: 'restore',
  });
  expect(restored.status).toBe(302);
  const after = await app.db.post.findUniqueOrThrow({ where: { id } });
  expect(after).toMatchObject({ body: 'First line\n\nThe boat is red.', version: 3 });
  const listed = await editor.get(`/admin/posts/${id}/revisions`);
  expect(listed.text).toContain('Restored from version 1');
  expect(await app.db.revision.count({ where: { postId: id } })).toBe(3);

  const keep = { revision_keep_count: '2', revision_keep_days: '0' };
  expect((await editor.post('/admin/settings/publishing', keep)).status).toBe(302);
  await save(id, { body: 'Fourth' });
  expect(await app.db.revision.count({ where: { postId: id } })).toBe(2);
  await editor.post('/admin/settings/publishing', { ...keep, revision_keep_count: '25' });
});

describe('a save from an older version, without JavaScript', () => {
  let id: string;
  let conflict: Answer;
  beforeAll(async () => {
    const text = 'One\n\nTwo\n\nThree';
    id = await createPostByForm(editor, { title: 'Two hands', body: text, intent: 'publish' });
    const opened = await formOf(id);
    await save(id, { body: 'One, theirs\n\nTwo\n\nThree' });
    const mine = { ...opened.fields, title: 'Mine', body: 'One\n\nTwo\n\nThree, mine', intent: 'save' };
    conflict = await edit(id, mine, '1');
  });

  it('changes nothing and loses nothing', async () => {
    expect(conflict.status).toBe(409);
    expect((await reader.get('/posts/two-hands')).text).toContain('One, theirs');
    const said = ['Changed in the other version', 'Changed in yours', 'You saved this post elsewhere'];
    for (const text of said) expect(conflict.text).toContain(text);
    const kept = await app.db.revision.findMany({ where: { postId: id, kind: 'conflict' } });
    expect(kept).toHaveLength(1);
    expect(kept[0]!.fields).toContain('Three, mine');
    expect((await editor.get(`/admin/posts/${id}/revisions`)).text).toContain('kept, not saved');
  });

  it('is brought together with the newer one by a button', async () => {
    const form = postForms(conflict.text).find(({ fields }) => 'version' in fields)!;
    const [button] = form.buttons;
    const fields = { ...form.fields, [button!.name]: button!.value };
    expect((await editor.post(form.action ?? `/admin/posts/${id}`, fields)).status).toBe(302);
    const after = await app.db.post.findUniqueOrThrow({ where: { id } });
    expect(after.title).toBe('Mine');
    expect(after.body.replaceAll('\r\n', '\n')).toBe('One, theirs\n\nTwo\n\nThree, mine');
  });
});

it('a prepared text that meets a conflict stays one for later', async () => {
  const id = await createPostByForm(editor, { title: 'Not yet', body: 'Live', intent: 'publish' });
  const opened = await formOf(id);
  await save(id, { title: 'Not yet at all' });
  const changeAt = localTime(later(1));
  const conflict = await edit(id, { ...opened.fields, body: 'For later', changeAt, intent: 'prepare' }, '1');
  expect(conflict.status).toBe(409);
  const form = postForms(conflict.text).find(({ fields }) => 'version' in fields)!;
  expect(form.buttons[0]).toMatchObject({ name: 'intent', value: 'prepare' });
  const resolved = await edit(id, { ...form.fields, intent: 'prepare' }, String(form.fields.version));
  expect(resolved.status).toBe(302);
  const { text } = await reader.get('/posts/not-yet');
  expect(text).toContain('Not yet at all');
  expect(text).not.toContain('For later');
  const change = await app.db.scheduledUpdate.findUniqueOrThrow({ where: { postId: id } });
  expect([localTime(change.dueAt), JSON.parse(change.fields)]).toEqual([changeAt, { body: 'For later' }]);

  // A double click is one preparation; another text at the same time is not.
  const again = await formOf(id);
  const twice = { ...again.fields, body: 'Twice', changeAt, intent: 'prepare' };
  const { version } = again.fields;
  expect((await edit(id, twice, String(version))).status).toBe(302);
  expect((await edit(id, twice, String(version))).status).toBe(302);
  expect((await edit(id, { ...twice, body: 'Other' }, String(version))).status).toBe(409);
});

it('an old slug leads straight to the newest, and is taken over by a clear choice alone', async () => {
  const id = await createPostByForm(editor, { title: 'Old', slug: 'alpha', intent: 'publish' });
  await save(id, { slug: 'beta' });
  await save(id, { slug: 'gamma' });
  for (const slug of ['alpha', 'beta']) {
    const { status, headers } = await reader.get(`/posts/${slug}`);
    expect([status, headers.location]).toEqual([301, '/posts/gamma']);
  }
  const fields = { title: 'New', slug: 'alpha', intent: 'publish' };
  const refused = await editor.post('/admin/posts/new', fields);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('old address of “Old”');
  expect(refused.text).toMatch(
    /<input type="checkbox" id="field-takeOverSlug" name="takeOverSlug" value="yes"/,
  );
  await createPostByForm(editor, { ...fields, takeOverSlug: 'yes' });
  expect((await reader.get('/posts/alpha')).text).toContain('<h1>New</h1>');
  expect((await reader.get('/posts/beta')).headers.location).toBe('/posts/gamma');
  const ruled = await createPostByForm(editor, { title: 'Другой заголовок', intent: 'publish' });
  expect((await formOf(ruled)).fields.slug).toEqual(['другой-заголовок']);
});

describe('another time zone', () => {
  const publishedAt = later(30 * 24);
  let id: string;
  beforeAll(async () => {
    const fields = { title: 'Zoned', publishedAt: localTime(publishedAt), intent: 'schedule' };
    id = await createPostByForm(editor, fields);
  });
  afterAll(async () => expect((await zone('UTC')).status).toBe(302));

  const zone = async (site_timezone: string) => {
    const form = await formWith('site_timezone', '/admin/settings/site');
    return editor.post('/admin/settings/site', { ...form.fields, site_timezone });
  };
  const post = () => app.db.post.findUniqueOrThrow({ where: { id } });
  const lastSunday = (month: number) => lastSundayOf(publishedAt.getUTCFullYear() + 1, month);

  it('shows other local times and moves no post; the form says so', async () => {
    const settings = await editor.get('/admin/settings/site');
    expect(settings.text).toContain('Scheduled posts are still published at the same instant');
    expect((await zone('Asia/Kolkata')).status).toBe(302);
    const shown = await formOf(id);
    expect(shown.fields.publishedAt).toEqual([localTime(new Date(publishedAt.getTime() + 5.5 * HOUR_MS))]);
    await save(id, { ...shown.fields, intent: 'schedule' });
    expect((await post()).publishedAt).toEqual(publishedAt);
    expect((await zone('Mars/Olympus')).status).toBe(400);
  });

  describe('whose clocks change', () => {
    beforeAll(async () => {
      expect((await zone('Europe/Berlin')).status).toBe(302);
      await save(id, { publishedAt: `${lastSunday(10)}T02:30`, intent: 'schedule' });
    });
    const timeOf = async () => (await post()).publishedAt!.toISOString().slice(11, 16);
    const resave = async (changes: Fields) =>
      save(id, { ...(await formOf(id)).fields, intent: 'save', ...changes });

    it('has no time that they skip', async () => {
      const skipped = await edit(id, { publishedAt: `${lastSunday(3)}T02:30`, intent: 'schedule' });
      expect(skipped.status).toBe(400);
      expect(skipped.text).toContain('This time does not exist in Europe/Berlin: the clocks skip it.');
    });

    it('has times twice: the first counts, and the form keeps what was chosen when it is saved unread', async () => {
      expect((await post()).publishedAt?.toISOString()).toBe(`${lastSunday(10)}T00:30:00.000Z`);
      const chosen = async () => (await formOf(id)).fields.publishedAtOccurrence;
      expect(await chosen()).toEqual(['first']);
      await resave({ publishedAtOccurrence: 'second' });
      expect([await timeOf(), await chosen()]).toEqual(['01:30', ['second']]);
      await resave({ excerpt: 'Edited' });
      await resave({ excerpt: 'Edited again', publishedAtOccurrence: '' });
      expect(await timeOf()).toBe('01:30');
      await resave({ publishedAtOccurrence: 'first' });
      expect(await timeOf()).toBe('00:30');
    });

    it('has the first of two times on the page that publishes, which asks when it says what it did', async () => {
      const publishPage = `/admin/posts/${id}/publish`;
      const asked = await formWith('publishedAtOccurrence', `${publishPage}?done`);
      const answer = { ...asked.fields, publishedAtOccurrence: 'second', intent: 'schedule' };
      expect((await editor.post(publishPage, answer)).status).toBe(302);
      expect(await timeOf()).toBe('01:30');
    });

    it('has two times for archiving and for an update as well', async () => {
      await resave({ archiveAt: `${lastSunday(10)}T02:45`, archiveAtOccurrence: 'second' });
      await resave({ excerpt: 'Edited with an archive time' });
      expect((await formOf(id)).fields.archiveAtOccurrence).toEqual(['second']);
      expect((await post()).archiveAt?.toISOString()).toBe(`${lastSunday(10)}T01:45:00.000Z`);
      const out = await createPost(app, { status: 'published', publishedAt: past() });
      const change = { changeAt: `${lastSunday(10)}T02:15`, changeAtOccurrence: 'second' };
      await save(out.id, { excerpt: 'Later', ...change, intent: 'prepare' });
      const update = await app.db.scheduledUpdate.findUniqueOrThrow({ where: { postId: out.id } });
      expect(update.dueAt.toISOString()).toBe(`${lastSunday(10)}T01:15:00.000Z`);
    });
  });
});

it('screens in any script are sent without a stray byte', async () => {
  for (let length = 1; length <= 25; length += 1)
    await createPost(app, { title: `Другой ${'ж'.repeat(length)}${'x'.repeat(length % 3)}日` });
  const { body, text } = await editor.get('/admin/posts');
  expect(text).toContain('Другой жж');
  expect([body.includes(0), text.includes('\ufffd')]).toEqual([false, false]);
});
