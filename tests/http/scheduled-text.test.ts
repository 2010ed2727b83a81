// A published post with a scheduled update has two texts. Each has its own save, and neither undoes or publishes the other.
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createPostByForm, localTime } from '#tests/support/backend.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { openSite } from '#tests/support/site.ts';

const HOUR_MS = 3_600_000;
const changeAt = localTime(new Date(Date.now() + 48 * HOUR_MS));
const BODY = 'The teh fair opens.\n\nIt is free.\n\nSee you there.';

let app: TestApp;
let editor: Client;
let reader: Client;
let id: string;
let count = 0;

beforeAll(async () => {
  const site = await openSite();
  ({ app, editor } = site);
  reader = site.server.client();
});

beforeEach(async () => {
  count += 1;
  id = await createPostByForm(editor, { title: `Fair ${count}`, body: BODY, intent: 'publish' });
});

const json = { accept: 'application/json' };
const page = (query = '') => `/admin/posts/${id}${query}`;
const row = () => app.db.post.findUniqueOrThrow({ where: { id } });
const live = async () => (await reader.get(`/posts/fair-${count}`)).text;
const post = async (fields: Fields, headers = {}) =>
  editor.post(page(), { version: String((await row()).version), ...fields }, headers);
const formOf = async (query = '') =>
  postForms((await editor.get(page(query))).text).find(({ fields }) => 'body' in fields)!.fields;
const scheduled = async () => (await formOf('?edit=scheduled')).body;
const schedule = async (fields: Fields) => {
  const form = await formOf();
  const answer = await editor.post(page(), { ...form, ...fields, changeAt, intent: 'prepare' });
  expect([answer.status, answer.headers.location]).toEqual([302, page('?edit=scheduled')]);
};
const publishNow = async () => {
  await app.db.scheduledUpdate.update({
    where: { postId: id },
    data: { dueAt: new Date(Date.now() - 1_000) },
  });
  const authorization = `Bearer ${app.variables.INTERNAL_CRON_SECRET}`;
  const answer = await reader.post('/api/internal/posts/publish-scheduled', {}, { authorization });
  expect(answer.json()).toMatchObject({ affectedSlugs: [`fair-${count}`] });
};

it('the editor shows the live text, and the scheduled one at its own address; the bar leads to both', async () => {
  await schedule({ body: BODY.replace('free', 'five euros') });
  expect(await formOf()).toMatchObject({ body: [BODY], edit: ['live'] });
  const shown = await formOf('?edit=scheduled');
  expect(shown).toMatchObject({ edit: ['scheduled'], changeAt: [changeAt] });
  expect(shown.body![0]).toContain('five euros');
  for (const query of ['', '?edit=scheduled']) {
    const { text } = await editor.get(page(query));
    expect(text).toMatch(
      /<nav class="text-switch".*>Live<.*href="[^"]*\?edit=scheduled"[^>]*>Scheduled for /s,
    );
    expect(text.includes('>Update</button>')).toBe(query === '');
  }
});

it.each<Fields>([{ edit: 'live' }, {}])(
  'a fix of the live text publishes no scheduled word (%o)',
  async (edit) => {
    await schedule({ body: BODY.replace('free', 'five euros'), title: `Fair ${count} costs` });
    const fixed = { ...(await formOf()), body: BODY.replace('teh ', '') };
    const { edit: _edit, ...form } = fixed as Fields;
    expect((await editor.post(page(), { ...form, ...edit, intent: 'save' })).status).toBe(302);
    expect(await live()).toContain('The fair opens.');
    expect(await live()).not.toMatch(/five euros|<h1>[^<]*costs/);
    expect((await scheduled())![0]).toBe('The fair opens.\n\nIt is five euros.\n\nSee you there.');
    await publishNow();
    expect(await live()).toMatch(/Fair \d+ costs.*The fair opens\..*five euros/s);
  },
);

it('a save of the scheduled text keeps its time and the live text', async () => {
  await schedule({ body: 'Later.' });
  const form = await formOf('?edit=scheduled');
  const saved = await editor.post(page(), { ...form, body: 'Much later.', intent: 'save' }, json);
  expect(saved.json()).toMatchObject({ status: 'published', location: page('?edit=scheduled') });
  const bare = await post({ edit: 'scheduled', intent: 'save', excerpt: 'Soon' }, json);
  expect(bare.status).toBe(200);
  const update = await app.db.scheduledUpdate.findUniqueOrThrow({ where: { postId: id } });
  expect([localTime(update.dueAt), JSON.parse(update.fields)]).toEqual([
    changeAt,
    { body: 'Much later.', excerpt: 'Soon' },
  ]);
  expect(await live()).not.toContain('ater.');
});

it('two changes of one paragraph: 409 with both, nothing is changed, and the form settles it', async () => {
  await schedule({ body: BODY.replace('teh fair', 'big fair').replace('free', 'five euros') });
  const before = await row();
  const fields = { body: BODY.replace('teh ', '').replace('See you', 'Meet us'), intent: 'save' };
  const refused = await post({ ...fields, edit: 'live' }, json);
  expect([refused.status, refused.json()]).toMatchObject([
    409,
    { current: { version: before.version, fields: { body: BODY } } },
  ]);
  expect(refused.text).toContain('The big fair opens.');
  const conflict = await post({ ...(await formOf()), ...fields });
  expect(conflict.status).toBe(409);
  expect(conflict.text.replace(/<[^>]+>/g, '')).toMatch(/The fair opens.*The big fair opens/s);
  expect(await row()).toEqual(before);
  expect((await scheduled())![0]).toContain('big fair');

  const form = postForms(conflict.text).find((each) => 'scheduled.body' in each.fields)!;
  const chosen = String(form.fields['scheduled.body']);
  expect(chosen).toBe('The big fair opens.\n\nIt is five euros.\n\nMeet us there.');
  const settled = { ...form.fields, 'scheduled.body': chosen.replace('big fair', 'big fair (fixed)') };
  const button = form.buttons[0]!;
  expect((await editor.post(page(), { ...settled, [button.name]: button.value })).status).toBe(302);
  expect(await live()).toMatch(/The fair opens\..*Meet us there\./s);
  expect((await scheduled())![0]).toBe('The big fair (fixed) opens.\n\nIt is five euros.\n\nMeet us there.');
});

it('other fields: what only the live text changes flows, what both change is a conflict', async () => {
  await schedule({ excerpt: 'Next year', tags: 'Fair, Fees' });
  expect((await post({ intent: 'save', seoTitle: 'A fair' })).status).toBe(302);
  expect(await formOf('?edit=scheduled')).toMatchObject({ seoTitle: ['A fair'], excerpt: ['Next year'] });
  expect((await post({ intent: 'save', excerpt: 'This year', seoTitle: 'X' }, json)).status).toBe(409);
  expect((await post({ intent: 'save', tags: 'Free' }, json)).status).toBe(409);
  expect(await row()).toMatchObject({ seoTitle: 'A fair', excerpt: '' });
  expect((await post({ intent: 'save', excerpt: 'Next year' }, json)).status).toBe(200);
  await publishNow();
  expect(await row()).toMatchObject({ seoTitle: 'A fair', excerpt: 'Next year' });
});

it('each text has its own unsaved changes', async () => {
  await schedule({ body: 'Later.' });
  const type = async (edit: string, body: string) => {
    const answer = await post({ edit, body, intent: 'autosave' }, json);
    expect(answer.json()).toMatchObject({ saved: 'copy' });
  };
  await type('scheduled', 'Later, typed.');
  await type('live', 'Now, typed.');
  await type('scheduled', 'Later, typed on.');
  const kept = await app.db.revision.findMany({
    where: { postId: id, kind: 'autosave' },
    orderBy: { id: 'asc' },
  });
  expect(kept.map(({ fields }) => (JSON.parse(fields) as { body: string }).body)).toEqual([
    'Later, typed on.',
    'Now, typed.',
  ]);
  const { text } = await editor.get(page());
  const links = [...text.matchAll(/href="(\?[^"]*with=[^"]+)"/g)].map(([, link]) =>
    link!.replace('&amp;', '&'),
  );
  expect(links).toHaveLength(2);
  const restored = await Promise.all(links.map((link) => formOf(link)));
  expect(restored.map(({ edit, body }) => `${String(edit)}: ${String(body)}`).sort()).toEqual([
    'live: Now, typed.',
    'scheduled: Later, typed on.',
  ]);
  expect((await editor.post(page(), { ...(await formOf('?edit=scheduled')), intent: 'save' })).status).toBe(
    302,
  );
  expect(await app.db.revision.count({ where: { postId: id, kind: 'autosave' } })).toBe(1);
  expect(await live()).toContain('teh fair');
});

it('two tabs: a save of the scheduled text does not refuse one of the live text, but the other way round', async () => {
  await schedule({ body: BODY.replace('free', 'five euros') });
  const [tab, other] = [await formOf(), await formOf('?edit=scheduled')];
  const longer = { body: `${String(other.body)}\n\nMore.`, intent: 'save' };
  expect((await editor.post(page(), { ...other, ...longer })).status).toBe(302);
  const state = (await editor.get(`${page('/state')}?opened=${String(tab.version)}`)).json();
  expect(state).toMatchObject({ isSameText: true });
  const fixed = { ...tab, body: BODY.replace('teh ', ''), intent: 'save' };
  expect((await editor.post(page(), fixed)).status).toBe(302);
  expect((await scheduled())![0]).toBe('The fair opens.\n\nIt is five euros.\n\nSee you there.\n\nMore.');
  expect((await editor.post(page(), { ...tab, body: 'Overwritten', intent: 'save' }, json)).status).toBe(409);
  const stale = await editor.post(page(), {
    ...other,
    body: `${String(other.body)}\n\nLost?`,
    intent: 'save',
  });
  expect(stale.status).toBe(409);
  const form = postForms(stale.text).find(({ fields }) => 'version' in fields)!;
  expect(form.fields.edit).toEqual(['scheduled']);
  expect(await live()).not.toContain('five euros');
});

it.each([
  ['dropped', () => post({ intent: 'cancel-change' })],
  ['published', () => publishNow()],
])('a save of a scheduled text that was %s meanwhile makes nothing public', async (_how, end) => {
  await schedule({ body: 'Later.' });
  const form = await formOf('?edit=scheduled');
  await end();
  const before = await live();
  const typed = { ...form, body: 'Later, and secret.' };
  const conflict = await editor.post(page('?edit=scheduled'), { ...typed, intent: 'save' });
  expect(conflict.status).toBe(409);
  expect(conflict.text).toContain('The update is no longer scheduled.');
  const again = postForms(conflict.text).find(({ fields }) => 'version' in fields)!;
  expect(again.buttons[0]).toMatchObject({ value: 'prepare' });
  expect((await post({ edit: 'scheduled', body: 'Secret', intent: 'save' }, json)).status).toBe(400);
  expect(await live()).toBe(before);
  expect((await editor.post(page(), { ...again.fields, changeAt, intent: 'prepare' })).status).toBe(302);
  expect((await scheduled())![0]).toBe('Later, and secret.');
  expect(await live()).toBe(before);
});

it('buttons for the live post are refused for the scheduled text; its own one publishes it now', async () => {
  await schedule({ body: 'Later.', title: `Fair ${count}, later` });
  for (const intent of ['draft', 'archive', 'schedule'])
    expect((await post({ edit: 'scheduled', intent, publishedAt: changeAt }, json)).status).toBe(400);
  const published = await post({ edit: 'scheduled', body: 'Later, today.', intent: 'publish' }, json);
  expect(published.json()).toMatchObject({ location: page() });
  expect(await live()).toMatch(/Fair \d+, later.*Later, today\./s);
  expect(await app.db.scheduledUpdate.count({ where: { postId: id } })).toBe(0);
});

it('a restored revision flows into the scheduled text, too, or is refused', async () => {
  await post({ body: BODY.replace('teh ', ''), intent: 'save' });
  await schedule({ body: BODY.replace('teh ', '').replace('free', 'five euros') });
  const first = await app.db.revision.findFirstOrThrow({
    where: { postId: id },
    orderBy: { createdAt: 'asc' },
  });
  const restore = { revisionId: first.id, intent: 'restore' };
  expect((await editor.post(page('/revisions'), restore)).status).toBe(302);
  expect((await scheduled())![0]).toBe(BODY.replace('free', 'five euros'));
  await post({ edit: 'scheduled', body: 'All new.', intent: 'save' });
  const second = await app.db.revision.findFirstOrThrow({ where: { postId: id, postVersion: 2 } });
  const refused = await editor.post(page('/revisions'), { ...restore, revisionId: second.id }, json);
  expect(refused.status).toBe(409);
  expect(await live()).toContain('teh fair');
});

it('a fix of the live text flows into the text of a release, which keeps its own words', async () => {
  const { headers } = await editor.post('/admin/releases/new', { name: `Fair ${count}`, intent: 'save' });
  const releaseId = headers.location!.split('/').pop()!.split('?')[0]!;
  await post({ releaseId, body: BODY.replace('free', 'five euros'), intent: 'save' });
  await post({ body: BODY.replace('teh ', '').replace('free', 'gratis'), intent: 'save' });
  const { fields } = await app.db.releaseItem.findFirstOrThrow({ where: { releaseId } });
  expect(JSON.parse(fields)).toEqual({ body: 'The fair opens.\n\nIt is five euros.\n\nSee you there.' });
  expect(await live()).toContain('gratis');
});
