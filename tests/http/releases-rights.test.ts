// Contract, section 12: what forms may change of a release, and what they answer when they may not.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Role } from '#app/people/roles.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { localTime } from '#tests/support/backend.ts';
import { createPost, createTag } from '#tests/support/factories.ts';
import type { Fields } from '#tests/support/http-client.ts';
import { createPeople, type Person } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let people: Record<Role, Person>;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  people = await createPeople(app, server);
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

interface Answer {
  id: string;
  version: number;
  location: string;
  error: { message: string };
  errors: Record<string, string>;
}

async function send(path: string, fields: Fields, role: Role = 'editor') {
  const answer = await people[role].client.post(`/admin/${path}`, fields, { accept: 'application/json' });
  return { status: answer.status, body: answer.json<Answer>() };
}
const newRelease = async (fields: Fields = {}) =>
  (await send('releases/new', { name: 'Spring', ...fields })).body.id;
const inDays = (days: number) => localTime(new Date(Date.now() + days * 86_400_000));

it('whoever may only add own posts to a release changes neither its time nor its redirects', async () => {
  const foreign = await createPost(app, { authorId: people.editor.id });
  const own = await createPost(app, { authorId: people.author.id });
  const id = await newRelease({ add: foreign.id, publishAt: inDays(2), intent: 'schedule' });
  const before = await app.db.release.findUniqueOrThrow({ where: { id } });
  const forbidden: Fields[] = [{ publishAt: inDays(1) }, { publishAt: '' }, { redirectFrom: '/old' }];
  for (const more of forbidden)
    expect(await send(`releases/${id}`, { add: own.id, ...more }, 'author')).toMatchObject({ status: 403 });
  expect(await app.db.release.findUnique({ where: { id } })).toEqual(before);
  expect(await send(`releases/${id}`, { add: own.id }, 'author')).toMatchObject({ status: 200 });
  expect(await app.db.release.findUnique({ where: { id } })).toMatchObject({ publishAt: before.publishAt });
  // Who has added a post may take it out again, and nothing else.
  expect(await send(`releases/${id}`, { remove: foreign.id }, 'author')).toMatchObject({ status: 403 });
  expect(await send(`releases/${id}`, { remove: own.id }, 'author')).toMatchObject({ status: 200 });
  const items = await app.db.releaseItem.findMany({ where: { releaseId: id } });
  expect(items.map(({ subjectId }) => subjectId)).toEqual([foreign.id]);
});

it('a post gets no address in a release that leads elsewhere in it', async () => {
  const { body: post } = await send('posts/new', { title: 'Moving', intent: 'publish' });
  const { body: target } = await send('posts/new', { title: 'Target', intent: 'publish' });
  const id = await newRelease();
  const redirect = { redirectFrom: '/posts/moved', redirectTo: '/posts/target' };
  expect(await send(`releases/${id}`, redirect)).toMatchObject({ status: 200 });
  const move = { slug: 'moved', version: '1', releaseId: id, intent: 'save' };
  expect(await send(`posts/${post.id}`, move)).toMatchObject({
    status: 400,
    body: { errors: { slug: '“Moving”: the address /posts/moved redirects elsewhere in this release.' } },
  });
  await send(`releases/${id}`, { intent: 'delete' });
  for (const { id: postId } of [post, target]) await send(`posts/${postId}`, { intent: 'delete' });
});

it('a release takes no redirect that could never work, and ends none that does not exist', async () => {
  const { body: target } = await send('posts/new', { title: 'Calm', intent: 'publish' });
  const id = await newRelease();
  const refused: [from: string, to: string, message: string][] = [
    ...['/archive', '/rss.xml', '/api/health', '/admin/posts', '/authors/ada'].map(
      (from): [string, string, string] => [from, '/posts/calm', 'can’t redirect'],
    ),
    ['/never/there', '', 'This address has no redirect'],
    ['', '/posts/calm', 'Enter the address'],
  ];
  for (const [redirectFrom, redirectTo, message] of refused)
    expect(await send(`releases/${id}`, { redirectFrom, redirectTo }), redirectFrom).toMatchObject({
      status: 400,
      body: { errors: { redirectFrom: expect.stringContaining(message) } },
    });
  // A refused form changes nothing else either.
  const scheduling = { name: 'Renamed', publishAt: inDays(1), intent: 'schedule', redirectFrom: '/archive' };
  expect(await send(`releases/${id}`, { ...scheduling, redirectTo: '/posts/calm' })).toMatchObject({
    status: 400,
  });
  expect(await app.db.release.findUnique({ where: { id } })).toMatchObject({
    name: 'Spring',
    status: 'draft',
  });
  // One that the release adds can be taken out of it again.
  for (const redirectTo of ['/posts/calm', ''])
    expect(await send(`releases/${id}`, { redirectFrom: '/old', redirectTo })).toMatchObject({ status: 200 });
  expect(await app.db.releaseItem.count({ where: { releaseId: id } })).toBe(0);
  await send(`releases/${id}`, { intent: 'delete' });
  await send(`posts/${target.id}`, { intent: 'delete' });
});

it('a release needs a name that people can see', async () => {
  const { status, body } = await send('releases/new', { name: '\u200B' });
  expect([status, (body as unknown as { errors: object }).errors]).toEqual([
    400,
    { name: 'Name is required.' },
  ]);
});

it('a rollback that meets later changes lists them to a script, and says how to confirm', async () => {
  const { body: post } = await send('posts/new', { title: 'Known', intent: 'publish' });
  const id = await newRelease();
  await send(`posts/${post.id}`, { title: 'Better', version: '1', releaseId: id, intent: 'save' });
  await send(`releases/${id}`, { intent: 'publish' });
  const version = String((await app.db.post.findUniqueOrThrow({ where: { id: post.id } })).version);
  await send(`posts/${post.id}`, { title: 'By hand', version });
  expect(await send(`releases/${id}`, { intent: 'rollback' })).toEqual({
    status: 409,
    body: {
      error: { code: 'conflict', message: expect.stringContaining('confirmed=yes') },
      current: null,
      changedSince: [{ kind: 'post', subjectId: post.id, title: 'By hand', what: ['title'] }],
    },
  });
  const confirmed = { intent: 'rollback', confirmed: 'yes' };
  expect(await send(`releases/${id}`, confirmed)).toMatchObject({ status: 200 });
});

it('the list and the screen of a release say that it was rolled back, until its rollback is', async () => {
  const { body: post } = await send('posts/new', { title: 'To and fro', intent: 'publish' });
  const id = await newRelease();
  await send(`posts/${post.id}`, { title: 'Fro', version: '1', releaseId: id, intent: 'save' });
  await send(`releases/${id}`, { intent: 'publish' });
  const count = async (path: string) =>
    (await people.editor.client.get(`/admin/${path}`)).text.split('>rolled back<').length - 1;
  const before = await count('releases');
  const { body: rollback } = await send(`releases/${id}`, { intent: 'rollback' });
  expect(await count('releases')).toBe(before + 1);
  expect(await count(`releases/${id}`)).toBe(1);
  await send(`releases/${rollback.id}`, { intent: 'rollback' });
  expect([await count(`releases/${id}`), await count(`releases/${rollback.id}`)]).toEqual([0, 1]);
});

it('a form says which of its fields no release can change, and changes nothing', async () => {
  const releaseId = await newRelease();
  const { id } = people.author;
  const before = await app.db.user.findUniqueOrThrow({ where: { id } });
  const message = 'No release can change this.';
  for (const [field, value] of [
    ['role', 'editor'],
    ['email', 'other@example.org'],
  ] as const)
    expect(
      await send(`users/${id}`, { bio: 'New.', [field]: value, releaseId }, 'administrator'),
    ).toMatchObject({ status: 400, body: { errors: { [field]: message } } });
  expect(await send('account', { bio: 'New.', language: 'de', releaseId }, 'author')).toMatchObject({
    status: 400,
    body: { errors: { language: message } },
  });
  expect(await app.db.user.findUnique({ where: { id } })).toEqual(before);
  expect(await app.db.releaseItem.count({ where: { releaseId } })).toBe(0);
  const { email, role } = before;
  const unchanged = { bio: 'New.', email, role, releaseId };
  expect(await send(`users/${id}`, unchanged, 'administrator')).toMatchObject({ status: 200 });
});

it('a tag in a release gets no slug that belongs to a tag in the trash', async () => {
  const releaseId = await newRelease();
  const [kept, trashed] = [await createTag(app), await createTag(app, { slug: 'gone', name: 'Gone' })];
  await send(`tags/${trashed.id}`, { intent: 'delete' });
  const change = { name: 'Kept', slug: 'gone', releaseId };
  expect(await send(`tags/${kept.id}`, change)).toMatchObject({
    status: 400,
    body: { errors: { slug: expect.stringContaining('in the trash') } },
  });
  expect(await app.db.releaseItem.count({ where: { releaseId } })).toBe(0);
  await send(`tags/${kept.id}`, { name: 'Kept', slug: 'other', releaseId });
  await send(`tags/${kept.id}`, { intent: 'delete' });
  const blocked = await people.editor.client.get(`/admin/releases/${releaseId}`);
  expect(blocked.text).toContain('is in the trash.');
});

it('undoing that posts were added with unsaved changes takes back their text too', async () => {
  const releaseId = await newRelease();
  const published = (title: string) => send('posts/new', { title, body: 'Old.', intent: 'publish' });
  const [live, changed] = [(await published('Live')).body.id, (await published('Changed')).body.id];
  const publishedAt = inDays(3);
  const { body } = await send('posts/new', { title: 'Later', body: 'Old.', intent: 'schedule', publishedAt });
  const stored = { version: '1', body: 'In the release.', releaseId };
  await send(`posts/${changed}`, { ...stored, intent: 'save' });
  const state = async () => ({
    items: await app.db.releaseItem.findMany({ where: { releaseId }, omit: { updatedAt: true } }),
    posts: await app.db.post.findMany({
      where: { id: { in: ids } },
      select: { id: true, title: true, body: true, bodyHtml: true, status: true, publishedAt: true },
      orderBy: { id: 'asc' },
    }),
  });
  const ids = [live, changed, body.id];
  const before = await state();
  for (const id of ids)
    expect(await send(`posts/${id}`, { intent: 'autosave', version: '1', body: 'Typed.' })).toMatchObject({
      status: 200,
      body: { saved: 'copy' },
    });

  const bulk = { action: 'release', confirmed: 'yes', releaseId, copy: 'use', ids };
  expect(await send('posts/bulk', bulk)).toMatchObject({ status: 200 });
  const meanwhile = await state();
  expect(meanwhile.items).toHaveLength(3);
  expect(meanwhile.posts.find(({ id }) => id === body.id)).toMatchObject({ body: 'Typed.' });
  expect(meanwhile.items.filter(({ fields }) => fields.includes('Typed.'))).toHaveLength(2);

  const { id: undoId } = await app.db.undoStep.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
  expect(await send('undo', { id: undoId })).toMatchObject({
    status: 200,
    body: { location: expect.stringContaining('undone=3&kept=0') },
  });
  expect(await state()).toEqual(before);
});
