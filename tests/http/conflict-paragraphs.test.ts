// The 409 page of a post without scripts: both versions beside their original, paragraph by paragraph, each to choose.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm } from '#tests/support/backend.ts';
import { postForms, type PageForm } from '#tests/support/html-form.ts';
import type { Answer, Fields } from '#tests/support/http-client.ts';
import { createPerson, type Person } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let administrator: Person;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  administrator = await createPerson(app, server, 'administrator');
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const base = 'One.\n\nTwo.\n\nThree.\n\nFour.';
const mine = 'One by me.\n\nTwo.\n\nThree by me.\n\nFour.';
const theirs = 'One by them.\n\nTwo.\n\nThree.\n\nFour by them.';

let id: string;
let page: Answer;
beforeEach(async () => {
  id = await createPostByForm(administrator.client, { title: 'Two hands', body: base, intent: 'save' });
  await send({ body: theirs, version: '1', intent: 'save' });
  page = await send({ body: mine, version: '1', intent: 'save' });
  expect(page.status).toBe(409);
});

const send = (fields: Fields) => administrator.client.post(`/admin/posts/${id}`, fields);
const formOf = ({ text }: Answer): PageForm => postForms(text).find(({ fields }) => 'chosen' in fields)!;
const sendForm = (answer: Answer, changes: Fields, button: Fields = { intent: 'save' }) =>
  send({ ...formOf(answer).fields, ...changes, ...button });
const bodyOf = (answer: Answer) => formOf(answer).fields.body![0]!.replaceAll('\r\n', '\n').trimStart();
const stored = async () => (await app.db.post.findUniqueOrThrow({ where: { id } })).body;
const combine = { combine: 'yes' };

it('shows the original, mine and theirs, and proposes what loses nothing', async () => {
  for (const label of [
    'Original',
    'Yours',
    'Other version',
    'Changed in yours',
    'Changed in the other version',
  ])
    expect(page.text).toContain(label);
  expect(formOf(page).fields).toMatchObject({
    'passage-0': ['mine'],
    'passage-1': ['mine'],
    'passage-2': ['theirs'],
  });
  expect(bodyOf(page)).toBe('One by me.\n\nTwo.\n\nThree by me.\n\nFour by them.');
});

it('saves the versions that were chosen', async () => {
  const saved = await sendForm(page, { 'passage-0': 'theirs', 'passage-1': 'base' });
  expect(saved.status).toBe(302);
  expect(await stored()).toBe('One by them.\n\nTwo.\n\nThree.\n\nFour by them.');
});

it('combines them first with a button, and keeps what was typed into the result and the other fields', async () => {
  const typed = bodyOf(page).replace('Two.', 'Two, typed.');
  const combined = await sendForm(
    page,
    { title: 'Typed title', body: typed, 'passage-0': 'theirs' },
    combine,
  );
  expect(combined.status).toBe(409);
  expect(bodyOf(combined)).toBe('One by them.\n\nTwo, typed.\n\nThree by me.\n\nFour by them.');
  expect(formOf(combined).fields).toMatchObject({ title: ['Typed title'], 'passage-0': ['theirs'] });
  const again = await sendForm(combined, { 'passage-0': 'base', 'passage-2': 'base' }, combine);
  expect(bodyOf(again)).toBe('One.\n\nTwo, typed.\n\nThree by me.\n\nFour.');
  expect((await sendForm(again, {})).status).toBe(302);
  expect(await stored()).toBe('One.\n\nTwo, typed.\n\nThree by me.\n\nFour.');
});

it('asks again when a paragraph was both typed and chosen: nothing typed is lost', async () => {
  const typed = bodyOf(page).replace('One by me.', 'One, typed.');
  const refused = await sendForm(page, { body: typed, 'passage-0': 'theirs' });
  expect(refused.status).toBe(409);
  expect(bodyOf(refused)).toBe(typed);
  expect(await stored()).toBe(theirs);
  expect((await sendForm(refused, {})).status).toBe(302);
  expect(await stored()).toBe(typed);
});

it('shows a new conflict when somebody has saved once more', async () => {
  await send({ body: `${theirs}\n\nFive.`, version: '2', intent: 'save' });
  const refused = await sendForm(page, { 'passage-0': 'theirs' }, combine);
  expect(refused.status).toBe(409);
  expect(bodyOf(refused)).toBe('One by me.\n\nTwo.\n\nThree by me.\n\nFour by them.\n\nFive.');
  expect((await sendForm(refused, {})).status).toBe(302);
});

it.each<Fields>([
  { chosen: 'mine mine nobody' },
  { chosen: 'mine '.repeat(500) },
  { opened: 'x' },
  { openedText: 'x'.repeat(3_000) },
])('refuses a form that no page has sent: %#', async (changes) => {
  const refused = await sendForm(page, changes, combine);
  expect(refused.status).toBe(400);
  expect(await stored()).toBe(theirs);
});
