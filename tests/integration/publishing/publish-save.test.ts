import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { changePublicContent } from '#app/publishing/change/public-change.server.ts';
import { changePosts } from '#app/publishing/posts/change-many.server.ts';
import { createPost, editPost, type EditPostInput } from '#app/publishing/posts/save.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { deletePost } from '#app/publishing/trash/purge.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { testNow } from '#tests/support/clock.ts';
import { createPost as insertPost } from '#tests/support/factories.ts';
import { said } from '#tests/support/texts/said.ts';

const hour = 3_600_000;
const at = (milliseconds: number) => new Date(new Date(testNow).getTime() + milliseconds);
const nobody = { editorId: null };

const edit = (
  app: App,
  postId: string,
  intent: EditPostInput['intent'],
  fields: EditPostInput['fields'] = {},
) => editPost(app, { postId, intent, fields, ...nobody });

describeWithApp('saving a post', (getApp) => {
  it('publishes now at a whole second that has begun', async () => {
    const app = getApp();
    app.clock.advance(37_456);
    const { id } = await createPost(app, { intent: 'publish', fields: { title: 'Now' }, ...nobody });
    expect(await row(app, id)).toMatchObject({ status: 'published', publishedAt: at(37_000) });
    const early = await createPost(app, {
      intent: 'publish',
      fields: { title: 'Early', publishedAt: at(hour) },
      ...nobody,
    });
    expect((await row(app, early.id)).publishedAt).toEqual(at(37_000));
    const past = await createPost(app, {
      intent: 'publish',
      fields: { title: 'Past', publishedAt: at(-hour) },
      ...nobody,
    });
    expect((await row(app, past.id)).publishedAt).toEqual(at(-hour));
  });

  it('does not move a post whose form gives back the minute that it had shown', async () => {
    const app = getApp();
    app.clock.advance(37_456);
    const { id } = await createPost(app, { intent: 'publish', fields: { title: 'Now' }, ...nobody });
    await edit(app, id, 'save', { body: 'x', publishedAt: at(0) });
    expect((await row(app, id)).publishedAt).toEqual(at(37_000));
    await edit(app, id, 'save', { publishedAt: at(-60_000) });
    expect((await row(app, id)).publishedAt).toEqual(at(-60_000));
  });

  it('refuses a scheduled time that is not in the future, on create and on edit', async () => {
    const app = getApp();
    const refusal = { fields: { publishedAt: ['Publication time must be in the future.'] } };
    const schedule = (publishedAt: Date | null) =>
      createPost(app, { intent: 'schedule', fields: { title: 'Later', publishedAt }, ...nobody });
    await expect(schedule(at(0))).rejects.toMatchObject(refusal);
    await expect(schedule(null)).rejects.toMatchObject(refusal);
    const { id } = await schedule(at(hour));
    app.clock.advance(hour);
    await expect(edit(app, id, 'save', { body: 'x' })).rejects.toMatchObject(refusal);
    await expect(edit(app, id, 'schedule')).rejects.toMatchObject(refusal);
    expect(await row(app, id)).toMatchObject({ version: 1, body: '', publishedAt: at(hour) });
    expect((await edit(app, id, 'schedule', { publishedAt: at(2 * hour) })).status).toBe('scheduled');
    expect((await edit(app, id, 'draft')).status).toBe('draft');
  });

  it('leaves the kept pages alone while only unpublished text changes', async () => {
    const app = getApp();
    const { id } = await createPost(app, { intent: 'draft', fields: { title: 'Quiet' }, ...nobody });
    await edit(app, id, 'schedule', { publishedAt: at(hour) });
    expect(await contentVersion(app)).toBe(0);
    expect(await app.db.searchOutbox.count()).toBe(0);
    await edit(app, id, 'publish');
    expect(await contentVersion(app)).toBe(1);
    await edit(app, id, 'draft');
    expect(await contentVersion(app)).toBe(2);
    expect(await app.db.sitemapEntry.count()).toBe(0);
  });
});

describeWithApp('addresses', (getApp) => {
  it('leave a redirect from every address that was public, straight to the current one', async () => {
    const app = getApp();
    const { id } = await createPost(app, {
      intent: 'publish',
      fields: { title: 'A', slug: 'a' },
      ...nobody,
    });
    await edit(app, id, 'save', { slug: 'b' });
    await edit(app, id, 'save', { slug: 'c' });
    expect(await findRedirect(app, '/posts/a')).toBe('/posts/c');
    expect(await findRedirect(app, '/posts/b')).toBe('/posts/c');
    await edit(app, id, 'save', { slug: 'a' });
    expect(await findRedirect(app, '/posts/a')).toBeNull();
    expect(await findRedirect(app, '/posts/c')).toBe('/posts/a');
    expect(await sitemapPaths(app)).toEqual(['/posts/a']);
  });

  it('are kept through a time as a draft, and none is left for what was never public', async () => {
    const app = getApp();
    const { id } = await createPost(app, { intent: 'publish', fields: { title: 'A', slug: 'a' }, ...nobody });
    await edit(app, id, 'draft');
    await edit(app, id, 'save', { slug: 'b' });
    expect(await findRedirect(app, '/posts/a')).toBeNull();
    await edit(app, id, 'publish');
    expect(await findRedirect(app, '/posts/a')).toBe('/posts/b');
    const shy = await createPost(app, { intent: 'draft', fields: { title: 'S', slug: 's' }, ...nobody });
    await edit(app, shy.id, 'save', { slug: 't' });
    expect(await app.db.redirect.count({ where: { path: '/posts/s' } })).toBe(0);
  });

  it('of a post in the trash stay its own when pages below another one move', async () => {
    const app = getApp();
    const page = async (slug: string, parentId: string | null = null) =>
      (
        await createPost(app, {
          intent: 'publish',
          fields: { title: slug, slug, type: 'page', parentId },
          ...nobody,
        })
      ).id;
    const [about, help] = [await page('about'), await page('help')];
    const team = await page('team', about);
    await edit(app, team, 'save', { slug: 'people' });
    await edit(app, about, 'save', { slug: 'us' });
    await trashPost(app, { postId: team, ...nobody });
    const below = await page('people', help);
    const fields = { slug: 'about' };
    const move = editPost(app, { postId: help, intent: 'save', fields, takeOverSlug: true, ...nobody });
    await expect(move).rejects.toMatchObject({ fields: { slug: [said('in the trash')] } });
    expect((await row(app, below)).slug).toBe('/help/people');
    expect(await app.db.redirect.findUnique({ where: { path: '/about/people' } })).toMatchObject({
      postId: team,
    });
  });

  it('of others are taken over only by a clear choice', async () => {
    const app = getApp();
    const old = await createPost(app, { intent: 'publish', fields: { title: 'Old', slug: 'x' }, ...nobody });
    await edit(app, old.id, 'save', { slug: 'y' });
    const fields = { title: 'New', slug: 'x' };
    await expect(createPost(app, { intent: 'publish', fields, ...nobody })).rejects.toMatchObject({
      fields: { slug: [said('old address of “Old”')] },
    });
    await expect(
      createPost(app, {
        intent: 'draft',
        fields: { title: 'New', slug: 'y' },
        takeOverSlug: true,
        ...nobody,
      }),
    ).rejects.toMatchObject({ fields: { slug: [said('used by “Old”')] } });
    const free = await createPost(app, { intent: 'draft', fields: { title: 'X', slug: '' }, ...nobody });
    expect(free.slug).toBe('x-2');
    const taken = await createPost(app, { intent: 'publish', fields, takeOverSlug: true, ...nobody });
    expect(taken.slug).toBe('x');
    expect(await findRedirect(app, '/posts/x')).toBeNull();
    expect(await sitemapPaths(app)).toEqual(['/posts/x', '/posts/y']);
  });

  it('of a deleted post are free again, with everything that hung on it gone', async () => {
    const app = getApp();
    const { id } = await createPost(app, { intent: 'publish', fields: { title: 'A', slug: 'a' }, ...nobody });
    await edit(app, id, 'save', { slug: 'b' });
    await deletePost(app, { postId: id });
    await expect(deletePost(app, { postId: id })).rejects.toMatchObject({ code: 'not_found' });
    expect(await sitemapPaths(app)).toEqual([]);
    expect(await app.db.redirect.count()).toBe(0);
    expect(await app.db.revision.count()).toBe(0);
    expect(await app.db.searchOutbox.count({ where: { postId: id } })).toBeLessThanOrEqual(1);
    for (const slug of ['a', 'b'])
      expect(
        (await createPost(app, { intent: 'publish', fields: { title: 'N', slug }, ...nobody })).slug,
      ).toBe(slug);
  });
});

describeWithApp('saves at the same moment', (getApp) => {
  it('make a new tag once, and each save succeeds', async () => {
    const app = getApp();
    const tags = ['Same', 'Other', 'Third'];
    const orders = [tags, [...tags].reverse()];
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        createPost(app, {
          intent: 'publish',
          fields: { title: `Post ${index}`, tags: orders[index % 2]! },
          ...nobody,
        }),
      ),
    );
    expect(await app.db.tag.count()).toBe(3);
    expect(await app.db.postTag.count()).toBe(24);
  });

  it('with the same title get addresses of their own', async () => {
    const app = getApp();
    const posts = await Promise.all(
      Array.from({ length: 4 }, () =>
        createPost(app, { intent: 'publish', fields: { title: 'Same title' }, ...nobody }),
      ),
    );
    expect(new Set(posts.map(({ slug }) => slug)).size).toBe(4);
  });

  it('with the same slug: one gets it, the others hear beside the field that it is used', async () => {
    const app = getApp();
    const results = await Promise.allSettled(
      ['A', 'B', 'C'].map((title) =>
        createPost(app, { intent: 'publish', fields: { title, slug: 'wanted' }, ...nobody }),
      ),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(2);
    for (const { reason } of refused)
      expect(reason).toMatchObject({
        code: 'invalid_input',
        fields: { slug: [said('used by')] },
      });
  });

  it('from one version: one is saved, the other hears of the conflict', async () => {
    const app = getApp();
    const { id, version } = await createPost(app, { intent: 'publish', fields: { title: 'A' }, ...nobody });
    const results = await Promise.allSettled(
      ['B', 'C', 'D'].map((title) =>
        editPost(app, { postId: id, version, intent: 'save', fields: { title }, ...nobody }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = results.filter((result) => result.status === 'rejected');
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'conflict' });
    expect((await row(app, id)).version).toBe(2);
    expect(await app.db.revision.count({ where: { kind: 'conflict' } })).toBe(2);
  });

  it('and a change from another room leave one sitemap row with the current address', async () => {
    const app = getApp();
    const { id } = await createPost(app, {
      intent: 'publish',
      fields: { title: 'A', slug: 's0' },
      ...nobody,
    });
    for (let round = 1; round <= 10; round += 1) {
      const fields = { slug: `s${round}` };
      await Promise.all([
        edit(app, id, 'save', fields),
        // As a renamed category does: it touches the post without writing it.
        changePublicContent(app, async ({ affects }) => Promise.resolve(affects(id))),
        changePublicContent(app, async ({ affects }) => Promise.resolve(affects(id))),
      ]);
      expect(await sitemapPaths(app)).toEqual([`/posts/s${round}`]);
    }
  });
});

describeWithApp('changing many posts', (getApp) => {
  it('publishes, takes back, archives and deletes', async () => {
    const app = getApp();
    const ids = [(await insertPost(app)).id, (await insertPost(app)).id];
    const run = (intent: 'publish' | 'draft' | 'archive' | 'delete') =>
      changePosts(app, { ids, intent, ...nobody });
    for (const [intent, status] of [
      ['publish', 'published'],
      ['archive', 'archived'],
      ['draft', 'draft'],
    ] as const) {
      expect(await run(intent)).toMatchObject({ changedIds: ids, refused: [] });
      expect((await app.db.post.findMany()).map((post) => post.status)).toEqual([status, status]);
    }
    await run('delete');
    expect(await app.db.post.count({ where: { status: 'trashed' } })).toBe(2);
  });
});

function row(app: App, id: string) {
  return app.db.post.findUniqueOrThrow({ where: { id } });
}

async function sitemapPaths(app: App) {
  const rows = await app.db.sitemapEntry.findMany({ orderBy: { path: 'asc' } });
  return rows.map(({ path }) => path);
}

async function contentVersion(app: App) {
  return (await app.db.siteState.findFirst())?.contentVersion ?? 0;
}
