// A page chooses the id of a new post: a post with the id of something else must not get in the way of that.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { purgeExpiredTrash } from '#app/publishing/trash/purge.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { createCategory, createMedia, createTag } from '#tests/support/factories.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { createPeople } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const MONTH_MS = 31 * 24 * 60 * 60 * 1000;

describeOnBothDatabases('a draft with the id of', (dialect) => {
  let app: TestApp;
  let server: TestServer;
  let contributor: Client;
  let administrator: Client;
  let administratorId: string;

  beforeAll(async () => {
    app = await createTestApp({ now: new Date(), dialect });
    server = await startServer({ env: app.variables });
    const people = await createPeople(app, server);
    contributor = people.contributor.client;
    ({ client: administrator, id: administratorId } = people.administrator);
  });
  afterAll(async () => {
    await server?.stop();
    await app?.close();
  });

  let number = 0;
  const kinds = [
    { kind: 'media', path: 'media', create: () => createMedia(app) },
    {
      kind: 'category',
      path: 'categories',
      create: () => createCategory(app, { name: `C${(number += 1)}`, slug: `c-${number}` }),
    },
    {
      kind: 'tag',
      path: 'tags',
      create: () => createTag(app, { name: `T${(number += 1)}`, slug: `t-${number}` }),
    },
  ] as const;

  const status = async (client: Client, path: string, fields: Fields) =>
    (await client.post(`/admin/${path}`, fields, { accept: 'application/json' })).status;
  const draft = (id: string) =>
    status(contributor, 'posts/new', { id, intent: 'autosave', title: 'Mine', body: 'Text' });
  const trashDraft = async (id: string) => {
    const { version } = await app.db.post.findUniqueOrThrow({ where: { id } });
    return status(contributor, `posts/${id}`, { intent: 'delete', version: String(version) });
  };
  const entries = async () =>
    (await app.db.trashItem.findMany({ orderBy: { kind: 'asc' } })).map(({ kind }) => kind);

  for (const { kind, path, create } of kinds) {
    const remove = (id: string) => status(administrator, `${path}/${id}`, { intent: 'delete' });
    const formKind = kind === 'media' ? 'media' : 'term';
    const trash = (client: Client, id: string, which: 'post' | typeof kind, intent: string) =>
      status(client, 'trash', { id, intent, kind: which === 'post' ? 'post' : formKind });

    it(`a ${kind} does not keep it from being deleted, restored and purged`, async () => {
      const { id } = await create();
      expect([await draft(id), await trashDraft(id), await remove(id)]).toEqual([200, 200, 200]);
      expect(await entries()).toEqual([kind, 'post'].sort());
      const list = (await administrator.get('/admin/trash')).text;
      expect(list.split(`value="${id}"`).length - 1).toBeGreaterThanOrEqual(2);
      // Who may not act on the one does not get it by the id of the other.
      expect(await trash(contributor, id, kind, 'purge')).toBe(403);
      expect(await trash(administrator, id, kind, 'restore')).toBe(200);
      expect(await entries()).toEqual(['post']);
      expect([await remove(id), await trash(administrator, id, kind, 'purge')]).toEqual([200, 200]);
      expect(await entries()).toEqual(['post']);
      expect(await trash(contributor, id, 'post', 'restore')).toBe(200);
      expect(await entries()).toEqual([]);
      expect(await app.db.post.findUnique({ where: { id } })).toMatchObject({ status: 'draft' });
    });

    it(`a ${kind} that is in the trash can be deleted too, and both end after 30 days`, async () => {
      const { id } = await create();
      expect([await remove(id), await draft(id), await trashDraft(id)]).toEqual([200, 200, 200]);
      expect(await entries()).toEqual([kind, 'post'].sort());
      expect(await trash(contributor, id, 'post', 'restore')).toBe(200);
      expect(await entries()).toEqual([kind]);
      expect(await trashDraft(id)).toBe(200);
      app.clock.advance(MONTH_MS);
      await purgeExpiredTrash(app);
      app.clock.advance(-MONTH_MS);
      expect(await entries()).toEqual([]);
      expect(await app.db.post.count({ where: { id } })).toBe(0);
    });

    it(`a ${kind} can be deleted at the same moment`, async () => {
      const { id } = await create();
      expect(await draft(id)).toBe(200);
      expect(await Promise.all([trashDraft(id), remove(id)])).toEqual([200, 200]);
      expect(await entries()).toEqual([kind, 'post'].sort());
      expect(await trash(administrator, id, kind, 'purge')).toBe(200);
      expect(await trash(administrator, id, 'post', 'purge')).toBe(200);
      expect(await entries()).toEqual([]);
    });
  }

  it('an account changes nothing about the account', async () => {
    expect(await draft(administratorId)).toBe(200);
    expect(await trashDraft(administratorId)).toBe(200);
    const user = await app.db.user.findUnique({ where: { id: administratorId } });
    expect(user).toMatchObject({ role: 'administrator', disabledAt: null });
    expect((await administrator.get('/admin/posts')).status).toBe(200);
  });
});
