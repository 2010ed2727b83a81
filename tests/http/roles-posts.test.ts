// What each role may do with one post, by its id: a table of its own, not the product's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#app/people/roles.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { localTime } from '#tests/support/backend.ts';
import { createMedia, createPost } from '#tests/support/factories.ts';
import type { Answer } from '#tests/support/http-client.ts';
import { createPeople, createPerson, type Person } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

type Row = Awaited<ReturnType<typeof createPost>>;

let app: TestApp;
let server: TestServer;
let people: Record<Role, Person>;
let somebody: Person;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  people = await createPeople(app, server);
  somebody = await createPerson(app, server, 'author');
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const tomorrow = () => localTime(new Date(Date.now() + 86_400_000));
const form = ({ title, body, version }: Row, more: object) => ({
  ...{ title, body, version: String(version) },
  ...more,
});

/** Every request that names a post, and the status for who may send it. */
const requests: Record<string, [send: (person: Person, post: Row) => Promise<Answer>, allowed: number]> = {
  open: [({ client }, { id }) => client.get(`/admin/posts/${id}`), 200],
  'look at the revisions': [({ client }, { id }) => client.get(`/admin/posts/${id}/revisions`), 200],
  'look at the preview links': [({ client }, { id }) => client.get(`/admin/posts/${id}/previews`), 200],
  preview: [
    ({ client }, post) => client.post(`/admin/posts/${post.id}`, form(post, { intent: 'preview' })),
    200,
  ],
  'make a preview link': [
    ({ client }, { id }) => client.post(`/admin/posts/${id}/previews`, { intent: 'create' }),
    302,
  ],
  save: [({ client }, post) => client.post(`/admin/posts/${post.id}`, saved(post, 'save')), 302],
  autosave: [
    ({ client }, post) =>
      client.post(`/admin/posts/${post.id}`, form(post, { intent: 'autosave', body: 'Changed.' }), {
        accept: 'application/json',
      }),
    200,
  ],
  'ask for its state': [({ client }, { id }) => client.get(`/admin/posts/${id}/state`), 200],
  'restore a revision': [
    ({ client }, { id }) =>
      client.post(`/admin/posts/${id}/revisions`, { intent: 'restore', revisionId: 'x' }),
    404,
  ],
  'take back to draft': [
    ({ client }, post) => client.post(`/admin/posts/${post.id}`, saved(post, 'draft')),
    302,
  ],
  publish: [({ client }, post) => client.post(`/admin/posts/${post.id}`, saved(post, 'publish')), 302],
  schedule: [({ client }, post) => client.post(`/admin/posts/${post.id}`, saved(post, 'schedule')), 302],
  archive: [({ client }, post) => client.post(`/admin/posts/${post.id}`, saved(post, 'archive')), 302],
  delete: [
    ({ client }, post) => client.post(`/admin/posts/${post.id}`, form(post, { intent: 'delete' })),
    302,
  ],
};

function saved(post: Row, intent: string) {
  const time = intent === 'schedule' || (intent === 'save' && post.status === 'scheduled');
  return form(post, { intent, body: 'Changed.', ...(time && { publishedAt: tomorrow() }) });
}

const looks = [
  'open',
  'ask for its state',
  'look at the revisions',
  'look at the preview links',
  'preview',
  'make a preview link',
];
const quiet = ['save', 'autosave', 'restore a revision', 'take back to draft', 'delete'];
const all = Object.keys(requests);

/** Role, whose post, in which state, and what may be done with it: everything else is 403. */
const table: [role: Role, whose: 'own' | 'another', status: string, allowed: string[]][] = [
  ['administrator', 'another', 'draft', all],
  ['administrator', 'another', 'published', all],
  ['editor', 'another', 'draft', all],
  ['editor', 'another', 'scheduled', all],
  ['author', 'own', 'draft', all],
  ['author', 'own', 'published', all],
  ['author', 'another', 'draft', []],
  ['author', 'another', 'scheduled', []],
  ['author', 'another', 'published', []],
  ['author', 'another', 'archived', []],
  ['contributor', 'own', 'draft', [...looks, ...quiet]],
  ['contributor', 'own', 'scheduled', looks],
  ['contributor', 'own', 'published', looks],
  ['contributor', 'own', 'archived', looks],
  ['contributor', 'another', 'draft', []],
  ['contributor', 'another', 'published', []],
];

describe.each(table)('%s with %s %s post', (role, whose, status, allowed) => {
  it.each(all)('%s', async (name) => {
    const person = people[role];
    const authorId = whose === 'own' ? person.id : somebody.id;
    const post = await createPost(app, { authorId, status, title: 'What only its author knows' });
    const [send, fine] = requests[name]!;
    const answer = await send(person, post);
    expect(answer.status).toBe(allowed.includes(name) ? fine : 403);
    if (allowed.includes(name)) return;
    expect(await app.db.post.findUnique({ where: { id: post.id } })).toMatchObject({
      status,
      body: post.body,
    });
    expect(await app.db.revision.count({ where: { postId: post.id } })).toBe(0);
    if (whose === 'another') expect(answer.text).not.toContain(post.title);
  });
});

describe('other ways to a post', () => {
  it('a contributor publishes no new post', async () => {
    const { client } = people.contributor;
    for (const intent of ['publish', 'schedule', 'archive']) {
      const fields = { title: 'Not mine to publish', intent, publishedAt: tomorrow() };
      const { status, text } = await client.post('/admin/posts/new', fields);
      expect(status).toBe(403);
      // Nothing that was typed is lost by it.
      expect(text).toContain('Not mine to publish');
    }
    expect(await app.db.post.count({ where: { title: 'Not mine to publish' } })).toBe(0);
  });

  it('a contributor publishes and moves no post by actions on several or in the calendar', async () => {
    const { client, id } = people.contributor;
    const post = await createPost(app, { authorId: id, status: 'scheduled' });
    for (const action of ['publish', 'schedule', 'shift', 'archive', 'draft']) {
      const fields = {
        action,
        ids: post.id,
        confirmed: 'yes',
        days: '1',
        hours: '0',
        publishedAt: tomorrow(),
      };
      await client.post('/admin/posts/bulk', { ...fields, everyDays: '0' });
    }
    const move = { intent: 'move', postId: post.id, version: '1', publishedAt: tomorrow() };
    expect((await client.post('/admin/calendar', move)).status).toBe(403);
    expect(await app.db.post.findUnique({ where: { id: post.id } })).toEqual(
      await app.db.post.findUnique({ where: { id: post.id, version: 1, status: 'scheduled' } }),
    );
  });

  it('a contributor plans no time by the way of a save', async () => {
    const { client, id } = people.contributor;
    const post = await createPost(app, { authorId: id });
    const fields = form(post, { intent: 'save', publishedAt: tomorrow(), archiveAt: tomorrow() });
    expect((await client.post(`/admin/posts/${post.id}`, fields)).status).toBe(302);
    expect(await app.db.post.findUnique({ where: { id: post.id } })).toMatchObject({
      publishedAt: null,
      archiveAt: null,
    });
  });

  it('a contributor changes no draft that an editor has put into a scheduled release', async () => {
    const { client, id } = people.contributor;
    const post = await createPost(app, { authorId: id, title: 'As the editor read it' });
    const release = { name: 'Friday', add: post.id, publishAt: tomorrow(), intent: 'schedule' };
    expect((await people.editor.client.post('/admin/releases/new', release)).status).toBe(302);
    const version = (await app.db.post.findUniqueOrThrow({ where: { id: post.id } })).version;
    const before = { ...post, version };
    for (const intent of ['save', 'autosave', 'draft', 'delete']) {
      const { status } = await client.post(
        `/admin/posts/${post.id}`,
        form(before, { intent, body: 'Changed.' }),
      );
      expect(status, intent).toBe(403);
    }
    const restore = { intent: 'restore', revisionId: 'x' };
    expect((await client.post(`/admin/posts/${post.id}/revisions`, restore)).status).toBe(403);
    for (const action of ['delete', 'tag'])
      await client.post('/admin/posts/bulk', { action, ids: post.id, confirmed: 'yes', tags: 'x' });
    const { text } = await client.get(`/admin/posts/${post.id}`);
    expect(text).toContain('An editor has published or scheduled this post');
    const where = { id: post.id, version, status: 'draft', body: post.body };
    expect(await app.db.post.count({ where })).toBe(1);
    await app.db.release.updateMany({ data: { status: 'draft' } });
    const later = await client.post(
      `/admin/posts/${post.id}`,
      form(before, { intent: 'save', body: 'Changed.' }),
    );
    expect(later.status).toBe(302);
  });

  it('a contributor neither restores nor purges a draft that an editor takes from a scheduled release to the trash', async () => {
    const { client, id } = people.contributor;
    const post = await createPost(app, { authorId: id });
    const release = { name: 'Saturday', add: post.id, publishAt: tomorrow(), intent: 'schedule' };
    expect((await people.editor.client.post('/admin/releases/new', release)).status).toBe(302);
    const { version } = await app.db.post.findUniqueOrThrow({ where: { id: post.id } });
    const trash = form({ ...post, version }, { intent: 'delete' });
    expect((await people.editor.client.post(`/admin/posts/${post.id}`, trash)).status).toBe(302);
    const { text } = await client.get('/admin/trash');
    expect(text).toContain(post.title);
    expect(text).not.toContain(`name="id" value="${post.id}"`);
    expect(text).toContain('Ask an editor');
    for (const intent of ['restore', 'purge']) {
      const answer = await client.post('/admin/trash', { intent, kind: 'post', id: post.id });
      expect(answer.status, intent).toBe(403);
      expect(answer.text).toContain('Ask an editor');
      expect(answer.text).not.toContain('belongs to another person');
    }
    expect(await app.db.post.count({ where: { id: post.id, status: 'trashed' } })).toBe(1);
  });

  it('a contributor is offered no change of a file that a draft in a scheduled release shows', async () => {
    const { client, id } = people.contributor;
    const mine = await createMedia(app, { uploadedById: id });
    const post = await createPost(app, { authorId: id, coverMediaId: mine.id });
    const page = async () => (await client.get(`/admin/media/${mine.id}`)).text;
    expect(await page()).toContain('multipart/form-data');
    const release = { name: 'Sunday', add: post.id, publishAt: tomorrow(), intent: 'schedule' };
    expect((await people.editor.client.post('/admin/releases/new', release)).status).toBe(302);
    expect(await page()).not.toContain('multipart/form-data');
  });

  it.each(['author', 'contributor'] as const)("%s changes another's posts by no bulk form", async (role) => {
    const post = await createPost(app, { authorId: somebody.id, status: 'scheduled' });
    for (const action of ['publish', 'draft', 'archive', 'delete', 'tag', 'shift', 'schedule']) {
      const fields = { action, ids: post.id, confirmed: 'yes', tags: 'x', days: '1', hours: '0' };
      await people[role].client.post('/admin/posts/bulk', {
        ...fields,
        publishedAt: tomorrow(),
        everyDays: '0',
      });
    }
    expect(await app.db.post.findUnique({ where: { id: post.id } })).toMatchObject({
      status: 'scheduled',
      version: 1,
    });
  });

  it.each(['author', 'contributor'] as const)("%s changes another's file by no form", async (role) => {
    const { client, id } = people[role];
    const theirs = await createMedia(app, { uploadedById: somebody.id, alt: 'Before' });
    for (const fields of [
      { intent: 'save', alt: 'After' },
      { intent: 'delete', alt: '' },
    ])
      expect((await client.post(`/admin/media/${theirs.id}`, fields)).status).toBe(403);
    expect(await app.db.media.findUnique({ where: { id: theirs.id } })).toMatchObject({ alt: 'Before' });
    // One's own file in somebody else's post is part of that post.
    const mine = await createMedia(app, { uploadedById: id });
    await createPost(app, {
      authorId: somebody.id,
      coverMediaId: mine.id,
      title: 'What only its author knows',
    });
    const answer = await client.post(`/admin/media/${mine.id}`, { intent: 'delete' });
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('What only its author knows');
    const upload = new FormData();
    upload.append('file', new Blob(['x']), 'x.png');
    expect((await client.upload(`/admin/media/${mine.id}`, upload)).status).toBe(403);
  });

  it("nobody ends another's session", async () => {
    const { id } = await app.db.session.findFirstOrThrow({ where: { userId: people.editor.id } });
    await people.author.client.post('/admin/account', { intent: 'end-session', sessionId: id });
    expect(await app.db.session.count({ where: { id } })).toBe(1);
  });
});
