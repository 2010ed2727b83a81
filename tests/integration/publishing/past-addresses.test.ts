// The site at a past instant, after posts and pages have changed their addresses and what they belong to.
import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { mergeTags } from '#app/publishing/terms/merge-tags.server.ts';
import { createTerm, saveTerm } from '#app/publishing/terms/save.server.ts';
import { deletePost } from '#app/publishing/trash/purge.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { openScratchSite } from '#tests/support/scratch-site.ts';

const HOUR = 3_600_000;

type Fields = Parameters<typeof createPost>[1]['fields'];

describeWithApp('the site at a past instant', (getApp) => {
  const publish = async (app: TestApp, fields: Fields) =>
    (await createPost(app, { intent: 'publish', fields, editorId: null })).id;
  const edit = (app: TestApp, postId: string, fields: Fields) =>
    editPost(app, { postId, intent: 'save', fields, editorId: null, takeOverSlug: true });

  /** Published posts by their addresses, at the present instant and then an hour later after a change. */
  async function pastAfter(app: TestApp, change: () => Promise<unknown>, look: (past: App) => Promise<void>) {
    app.clock.advance(HOUR);
    const instant = app.clock.now();
    const expected = await publicAddresses(app);
    app.clock.advance(HOUR);
    await change();
    const site = await openScratchSite(app, instant);
    try {
      expect(await publicAddresses(site.app)).toEqual(expected);
      await look(site.app);
    } finally {
      await site.close();
    }
  }

  const nothing = () => Promise.resolve();

  it('has a post at its former address, which another one has by now; its later one leads nowhere', async () => {
    const app = getApp();
    const id = await publish(app, { title: 'First', slug: 'news', body: 'One' });
    await pastAfter(
      app,
      async () => {
        await edit(app, id, { slug: 'old-news' });
        const second = await createPost(app, {
          intent: 'publish',
          fields: { title: 'Second', slug: 'news', body: 'Two' },
          editorId: null,
          takeOverSlug: true,
        });
        expect(second.slug).toBe('news');
      },
      async (past) => expect(await findRedirect(past, '/posts/old-news')).toBeNull(),
    );
  });

  it('has the addresses of two posts that have changed places, also of pages with pages below', async () => {
    const app = getApp();
    const [one, other] = [
      await publish(app, { title: 'One', slug: 'one' }),
      await publish(app, { title: 'Other', slug: 'other' }),
    ];
    const page = await publish(app, { title: 'About', slug: 'about', type: 'page' });
    const help = await publish(app, { title: 'Help', slug: 'help', type: 'page' });
    await publish(app, { title: 'Team', slug: 'team', type: 'page', parentId: page });
    await publish(app, { title: 'Forum', slug: 'forum', type: 'page', parentId: help });
    await pastAfter(
      app,
      async () => {
        for (const [a, b, names] of [
          [one, other, ['one', 'other']],
          [page, help, ['about', 'help']],
        ] as const) {
          await edit(app, a, { slug: 'meanwhile' });
          await edit(app, b, { slug: names[0] });
          await edit(app, a, { slug: names[1] });
        }
      },
      nothing,
    );
  });

  it('has pages that have been turned round', async () => {
    const app = getApp();
    const below = await publish(app, { title: 'Below', slug: 'below', type: 'page' });
    app.clock.advance(HOUR);
    const above = await publish(app, { title: 'Above', slug: 'above', type: 'page' });
    await edit(app, below, { parentId: above });
    await pastAfter(
      app,
      async () => {
        await edit(app, below, { parentId: null });
        await edit(app, above, { parentId: below });
      },
      nothing,
    );
  });

  it('has the old address of a post, which another post has taken over by now', async () => {
    const app = getApp();
    const id = await publish(app, { title: 'Moved', slug: 'before' });
    const other = await publish(app, { title: 'Other', slug: 'other' });
    await edit(app, id, { slug: 'after' });
    await pastAfter(
      app,
      () => edit(app, other, { slug: 'before' }),
      async (past) => expect(await findRedirect(past, '/posts/before')).toBe('/posts/after'),
    );
  });

  it('has the old address of a post that is there again by now', async () => {
    const app = getApp();
    const id = await publish(app, { title: 'Moved', slug: 'before' });
    await edit(app, id, { slug: 'after' });
    await pastAfter(
      app,
      () => edit(app, id, { slug: 'before' }),
      async (past) => expect(await findRedirect(past, '/posts/before')).toBe('/posts/after'),
    );
  });

  it('has no old address that its post left only later, gave up and left again', async () => {
    const app = getApp();
    const id = await publish(app, { title: 'Moved', slug: 'first' });
    await pastAfter(
      app,
      async () => {
        for (const slug of ['second', 'first', 'second']) {
          await edit(app, id, { slug });
          app.clock.advance(HOUR);
        }
      },
      async (past) => expect(await findRedirect(past, '/posts/second')).toBeNull(),
    );
  });

  it('has the old address of a post that was there again meanwhile', async () => {
    const app = getApp();
    const id = await publish(app, { title: 'Moved', slug: 'before' });
    await edit(app, id, { slug: 'after' });
    await pastAfter(
      app,
      async () => {
        for (const slug of ['before', 'after']) {
          await edit(app, id, { slug });
          app.clock.advance(HOUR);
        }
      },
      async (past) => expect(await findRedirect(past, '/posts/before')).toBe('/posts/after'),
    );
  });

  it('has the old address of a post, which another post has taken over and left by now', async () => {
    const app = getApp();
    const id = await publish(app, { title: 'Moved', slug: 'before' });
    const other = await publish(app, { title: 'Other', slug: 'other' });
    await edit(app, id, { slug: 'after' });
    await pastAfter(
      app,
      async () => {
        await edit(app, other, { slug: 'before' });
        await edit(app, other, { slug: 'elsewhere' });
        await edit(app, id, { body: 'Edited' });
      },
      async (past) => expect(await findRedirect(past, '/posts/before')).toBe('/posts/after'),
    );
  });

  it('has a page that was below one that is deleted since', async () => {
    const app = getApp();
    const above = await publish(app, { title: 'Above', slug: 'above', type: 'page' });
    const below = await publish(app, { title: 'Below', slug: 'below', type: 'page', parentId: above });
    app.clock.advance(HOUR);
    const instant = app.clock.now();
    app.clock.advance(HOUR);
    await edit(app, below, { parentId: null });
    await trashPost(app, { postId: above, editorId: null });
    await deletePost(app, { postId: above, editorId: null });
    const site = await openScratchSite(app, instant);
    const pages = await publicAddresses(site.app);
    await site.close();
    // The page above is gone for good, and with it the beginning of the former path.
    expect(pages).toEqual([{ slug: '/below', title: 'Below', translationOf: null }]);
  });

  it('has a translation whose original is its translation by now', async () => {
    const app = getApp();
    const english = await publish(app, { title: 'Harbour', slug: 'harbour', language: 'en' });
    const german = await publish(app, {
      title: 'Hafen',
      slug: 'hafen',
      language: 'de',
      translationOf: english,
    });
    await pastAfter(
      app,
      async () => {
        await edit(app, german, { translationOf: null });
        await edit(app, english, { translationOf: german });
      },
      nothing,
    );
  });

  it('leads from the former address of a tag to it, which a later tag had before it was merged', async () => {
    const app = getApp();
    const tag = (name: string) => ({ name, slug: name.toLowerCase(), description: '', picture: '' });
    const { id: intoId } = await createTerm(app, 'tag', tag('Quay'));
    const { id } = await createTerm(app, 'tag', tag('Harbour'));
    await publish(app, { title: 'A post', slug: 'a-post', tags: ['Harbour'] });
    await saveTerm(app, 'tag', id, tag('Port'));
    await pastAfter(
      app,
      async () => {
        await publish(app, { title: 'Another', slug: 'another', tags: ['Harbour'] });
        const later = await app.db.tag.findUniqueOrThrow({ where: { slug: 'harbour' } });
        app.clock.advance(HOUR);
        await mergeTags(app, byCommand, { id: later.id, intoId });
      },
      async (past) => expect(await findRedirect(past, '/tags/harbour')).toBe('/tags/port'),
    );
  });
});

async function publicAddresses({ db }: Pick<App, 'db'>) {
  return db.post.findMany({
    where: { status: 'published' },
    select: { slug: true, title: true, translationOf: true },
    orderBy: { slug: 'asc' },
  });
}
