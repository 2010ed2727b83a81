// Contract, section 8: what is deleted goes to the trash, comes back, or goes for good; actions can be undone.
import { beforeAll, describe, expect, it } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import type { TestApp } from '#tests/support/app.ts';
import { createCategory, createPost, createTag } from '#tests/support/factories.ts';
import { postForms } from '#tests/support/html-form.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { picture } from '#tests/support/images.ts';
import { createPeople } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;
let reader: Client;

beforeAll(async () => {
  ({ app, server, editor } = await openSite());
  reader = server.client();
});

const inJson = async (path: string, fields: Fields, client = editor) => {
  const answer = await client.post(`/admin/${path}`, fields, { accept: 'application/json' });
  return { status: answer.status, body: answer.json() };
};
const rowOf = (id: string) => app.db.post.findUnique({ where: { id } });
const status = async (path: string) => (await reader.get(path)).status;
/** A post that was published by the form, so that all of its consequences are there. */
async function published(title: string, fields: Fields = {}) {
  const { body } = await inJson('posts/new', {
    title,
    intent: 'publish',
    body: `All of ${title}`,
    ...fields,
  });
  const { id, slug } = await app.db.post.findUniqueOrThrow({ where: { id: body.id as string } });
  return { id, slug };
}
const trash = (kind: string, id: string, intent: string, client = editor) =>
  inJson('trash', { kind, id, intent }, client);

describe('a post in the trash', () => {
  describe('whose address was changed', () => {
    let id: string;
    let slug: string;
    beforeAll(async () => {
      ({ id, slug } = await published('Lighthouse keepers', { tags: 'Beacons' }));
      await inJson(`posts/${id}`, { version: '1', intent: 'save', slug: 'keepers' });
      // A page that was opened long ago, or says nothing of what it showed, deletes nothing.
      expect((await inJson(`posts/${id}`, { version: '1', intent: 'delete' })).status).toBe(409);
      expect((await inJson(`posts/${id}`, { intent: 'delete' })).status).toBe(400);
      const gone = await inJson(`posts/${id}`, { version: '2', intent: 'delete' });
      expect([gone.status, gone.body]).toMatchObject([200, { id, location: '/admin/posts' }]);
    });

    it.each(['/', '/archive', '/rss.xml', '/atom.xml', '/feed.json', '/sitemap.xml', '/search?q=lighthouse'])(
      'is gone from %s',
      async (place) => {
        expect((await reader.get(place)).text).not.toContain('Lighthouse keepers');
      },
    );

    it('is gone from its addresses and from the list of posts', async () => {
      for (const path of ['/posts/keepers', `/posts/${slug}`, '/tags/beacons'])
        expect(await status(path)).toBe(404);
      expect((await editor.get('/admin/posts?q=Lighthouse')).text).not.toContain(`/admin/posts/${id}`);
      expect((await editor.get(`/admin/posts/${id}`)).status).toBe(404);
      expect((await editor.get('/admin/trash')).text).toContain('Lighthouse keepers');
    });

    it('keeps both addresses', async () => {
      for (const taken of ['keepers', slug]) {
        const answer = await inJson('posts/new', { title: 'Another', slug: taken, takeOverSlug: 'yes' });
        expect([answer.status, answer.body.errors]).toMatchObject([
          400,
          { slug: expect.any(String) as string },
        ]);
      }
    });

    it('is restored as a draft, and has both addresses once it is published', async () => {
      const restored = await trash('post', id, 'restore');
      expect([restored.status, restored.body]).toMatchObject([200, { id, version: 4, status: 'draft' }]);
      const body = 'All of Lighthouse keepers';
      expect(await rowOf(id)).toMatchObject({ status: 'draft', slug: 'keepers', body });
      await inJson(`posts/${id}`, { version: '4', intent: 'publish' });
      expect([await status('/posts/keepers'), await status(`/posts/${slug}`)]).toEqual([200, 301]);
    });
  });

  it('goes for good with its revisions, and its address is free', async () => {
    const { id, slug } = await published('Short lived');
    expect((await trash('post', id, 'purge')).status).toBe(404);
    await inJson(`posts/${id}`, { version: '1', intent: 'delete' });
    expect((await trash('media', id, 'purge')).status).toBe(404);
    expect((await trash('post', id, 'purge')).status).toBe(200);
    expect([await rowOf(id), await app.db.revision.count({ where: { postId: id } })]).toEqual([null, 0]);
    expect((await inJson('posts/new', { title: 'Next', slug, intent: 'publish' })).status).toBe(200);
    expect(await status(`/posts/${slug}`)).toBe(200);
    for (const fields of [{ intent: 'burn' }, { kind: 'user' }, { id: '' }] as Fields[]) {
      const answer = await inJson('trash', { kind: 'post', id, intent: 'purge', ...fields });
      expect(answer.status).toBe('id' in fields ? 404 : 400);
    }
  });

  it('is purged by a trigger after 30 days, not before', async () => {
    const [old, young] = [await published('Old rubbish'), await published('Young rubbish')];
    for (const { id } of [old, young]) await inJson(`posts/${id}`, { version: '1', intent: 'delete' });
    const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
    await app.db.trashItem.update({ where: { id: old.id }, data: { trashedAt: days(30.01) } });
    await app.db.trashItem.update({ where: { id: young.id }, data: { trashedAt: days(29.9) } });
    await publishDue(app, 'command');
    expect([await rowOf(old.id), (await rowOf(young.id))?.status]).toEqual([null, 'trashed']);
    expect(await app.db.trashItem.count({ where: { id: old.id } })).toBe(0);
  });

  it('is no business of those who may not delete it', async () => {
    const people = await createPeople(app, server);
    const theirs = await createPost(app, { title: 'Kept', authorId: people.author.id });
    await inJson(`posts/${theirs.id}`, { version: '1', intent: 'delete' });
    for (const intent of ['restore', 'purge']) {
      expect((await trash('post', theirs.id, intent, people.contributor.client)).status).toBe(403);
      expect((await trash('post', theirs.id, intent, server.client())).status).toBe(401);
    }
    expect((await people.contributor.client.get('/admin/trash')).text).not.toContain('Kept');
    expect((await people.author.client.get('/admin/trash')).text).toContain('Kept');
    expect((await trash('post', theirs.id, 'restore', people.author.client)).status).toBe(200);
  });
});

it('a duplicate is a new draft with the same text, at an address of its own', async () => {
  const { id, slug } = await published('Original', {
    tags: 'One, Two',
    canonicalUrl: 'https://elsewhere.example/x',
  });
  const answer = await inJson(`posts/${id}/duplicate`, {});
  const copy = (await rowOf(answer.body.id as string))!;
  expect(answer).toEqual({
    status: 200,
    body: { id: copy.id, version: 1, status: 'draft', location: `/admin/posts/${copy.id}` },
  });
  const same = { title: 'Original (copy)', body: 'All of Original', publishedAt: null, canonicalUrl: '' };
  expect(copy).toMatchObject({ ...same, status: 'draft' });
  expect(copy.slug).not.toBe(slug);
  expect(await app.db.postTag.count({ where: { postId: copy.id } })).toBe(2);
  const page = await editor.post(`/admin/posts/${id}/duplicate`, {});
  expect([page.status, page.headers.location]).toEqual([
    302,
    expect.stringMatching(/^\/admin\/posts\/[0-9a-f-]{36}$/),
  ]);
});

describe('terms and files', () => {
  it.each(['categories', 'tags'])('%s come back with their posts and old addresses', async (segment) => {
    const isTag = segment === 'tags';
    const name = isTag ? 'Harbour lights' : 'Harbour life';
    const { id } = await (isTag ? createTag : createCategory)(app, { name, slug: 'harbours' });
    const post = await published(`About ${name}`, isTag ? { tags: name } : { categoryId: id });
    await inJson(`${segment}/${id}`, { name, slug: 'ports', intent: 'save' });
    expect(await status(`/${segment}/harbours`)).toBe(301);
    expect((await inJson(`${segment}/${id}`, { intent: 'delete' })).status).toBe(200);
    for (const path of ['harbours', 'ports']) expect(await status(`/${segment}/${path}`)).toBe(404);
    expect((await reader.get(`/posts/${post.slug}`)).text).not.toContain(`/${segment}/ports`);
    expect((await inJson(segment, { name: 'Other', slug: 'ports' })).status).toBe(400);
    expect((await trash('term', id, 'restore')).status).toBe(200);
    expect([await status(`/${segment}/ports`), await status(`/${segment}/harbours`)]).toEqual([200, 301]);
    expect((await reader.get(`/${segment}/ports`)).text).toContain(`About ${name}`);
    await inJson(`${segment}/${id}`, { intent: 'delete' });
    expect((await trash('term', id, 'purge')).status).toBe(200);
    expect((await inJson(segment, { name: 'Other', slug: 'ports' })).status).toBe(200);
  });

  it('a picture in use stays; one in the trash is served to nobody, and comes back with its post', async () => {
    const upload = new FormData();
    upload.append('file', new Blob([new Uint8Array(await picture({ seed: 3 }))]), 'boats.jpg');
    expect((await editor.upload('/admin/media', upload)).status).toBe(302);
    const media = await app.db.media.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const address = `/uploads/${media.path}`;
    const post = await published('With boats', { body: `![Boats](${address})` });
    const refused = await inJson(`media/${media.id}`, { intent: 'delete' });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { errors: { '': expect.stringContaining('With boats') as string } },
    ]);
    await inJson(`posts/${post.id}`, { version: '1', intent: 'delete' });
    expect((await inJson(`media/${media.id}`, { intent: 'delete' })).status).toBe(200);
    expect([await status(address), (await editor.get(`/admin/media/${media.id}`)).status]).toEqual([
      404, 404,
    ]);
    expect((await trash('post', post.id, 'restore')).status).toBe(200);
    expect(await status(address)).toBe(200);
    await inJson(`posts/${post.id}`, { version: '3', intent: 'save', body: '' });
    await inJson(`media/${media.id}`, { intent: 'delete' });
    expect((await trash('media', media.id, 'purge')).status).toBe(200);
    expect([await status(address), await app.db.media.count({ where: { id: media.id } })]).toEqual([404, 0]);
  });
});

describe('undo', () => {
  /** Presses the button of the message that a screen shows. */
  async function pressUndo(path: string) {
    const page = await editor.get(path);
    const form = postForms(page.text).find(({ action }) => action === '/admin/undo')!;
    const id = form.buttons.find(({ name }) => name === 'id')!.value;
    const done = await editor.post('/admin/undo', { id });
    expect(done.status).toBe(302);
    return { id, page: await editor.get(done.headers.location!) };
  }

  it('a deletion is undone from its message', async () => {
    const { id, slug } = await published('Undo one');
    await editor.post(`/admin/posts/${id}`, { version: '1', intent: 'delete' });
    await pressUndo('/admin/posts');
    expect([(await rowOf(id))?.status, await status(`/posts/${slug}`)]).toEqual(['published', 200]);
  });

  it('a bulk action is undone from its message, once; what changed since stays', async () => {
    const [first, second] = [await published('Undo two'), await published('Undo three')];
    const bulk = { action: 'draft', ids: [first.id, second.id], confirmed: 'yes' };
    const done = await editor.post('/admin/posts/bulk', bulk);
    expect([await status(`/posts/${first.slug}`), await status(`/posts/${second.slug}`)]).toEqual([404, 404]);
    for (const confirmed of ['', 'yes']) {
      const again = await editor.post('/admin/posts/bulk', { ...bulk, confirmed });
      expect([again.status, again.text.includes('<h1>Nothing to change</h1>')]).toEqual([200, true]);
      expect(again.text).toContain('2 posts need no change.');
      expect(again.text).not.toContain('name="confirmed"');
    }
    const { version } = (await rowOf(second.id))!;
    await inJson(`posts/${second.id}`, { version: String(version), intent: 'save', body: 'Newer' });
    const { id, page } = await pressUndo(done.headers.location!);
    expect(page.text).toContain('1 has changed since then');
    const statuses = [(await rowOf(first.id))?.status, (await rowOf(second.id))?.status];
    expect(statuses).toEqual(['published', 'draft']);
    const again = await editor.post('/admin/undo', { id });
    expect((await editor.get(again.headers.location!)).text).toContain('Nothing to undo');
  });

  it('posts that were added to a release leave it; what was in it or was changed there since stays', async () => {
    const of = await createRelease(app, { name: 'Summer', step: 'save', by: byCommand });
    const before = await createPost(app, { title: 'In it before' });
    const live = await published('Changed there since');
    const bulk = { action: 'release', confirmed: 'yes', releaseId: of.id };
    await editor.post('/admin/posts/bulk', { ...bulk, ids: [before.id] });
    const added = await createPost(app, { title: 'Added by chance' });
    const done = await editor.post('/admin/posts/bulk', { ...bulk, ids: [before.id, live.id, added.id] });
    const { version } = (await rowOf(live.id))!;
    const kept = { version: String(version), intent: 'save', releaseId: of.id, body: 'New words' };
    await inJson(`posts/${live.id}`, kept);
    expect((await editor.get(done.headers.location!)).text).toContain('2 posts added to the release.');
    const { page } = await pressUndo(done.headers.location!);
    expect(page.text).toContain('1 has changed since then');
    const items = await app.db.releaseItem.findMany({ where: { releaseId: of.id } });
    expect(new Set(items.map(({ subjectId }) => subjectId))).toEqual(new Set([before.id, live.id]));
    // The message of another action has its place elsewhere.
    await editor.post('/admin/posts/bulk', { action: 'archive', ids: [added.id], confirmed: 'yes' });
    expect((await editor.get(done.headers.location!)).text).not.toContain('/admin/undo');
  });

  it('a calendar move is undone', async () => {
    const publishedAt = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 4, 4, 10));
    const { id } = await createPost(app, { title: 'Moved', status: 'scheduled', publishedAt });
    const to = `${publishedAt.getUTCFullYear()}-05-20T10:00`;
    const moved = await editor.post('/admin/calendar', {
      intent: 'move',
      postId: id,
      version: '1',
      publishedAt: to,
    });
    await pressUndo(moved.headers.location!);
    expect(await rowOf(id)).toMatchObject({ publishedAt, status: 'scheduled' });
    // What was done elsewhere has its message there.
    const { id: tagId } = await createTag(app, { name: 'Gone' });
    await editor.post(`/admin/tags/${tagId}`, { intent: 'delete' });
    expect((await editor.get('/admin/calendar')).text).not.toContain('/admin/undo');
    expect((await editor.get('/admin/tags')).text).toContain('/admin/undo');
  });
});
