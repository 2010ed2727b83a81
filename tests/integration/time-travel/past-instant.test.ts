// The site at a past instant, after changes that no release made.
import { beforeAll, expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { createAdministrator, saveProfile } from '#app/publishing/accounts/change.server.ts';
import { forgetTextChanges } from '#app/publishing/change/text-changes.server.ts';
import { createPost as writePost, editPost } from '#app/publishing/posts/save.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { mergeTags } from '#app/publishing/terms/merge-tags.server.ts';
import { createTerm, saveTerm } from '#app/publishing/terms/save.server.ts';
import { purgeTerm, restoreTerm, trashTerm } from '#app/publishing/terms/trash.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { openScratchSite } from '#tests/support/scratch-site.ts';

const HOUR = 3_600_000;

const term = (name: string) => ({ name, slug: name.toLowerCase(), description: `On ${name}`, picture: '' });

const publish = async (app: TestApp, fields: Parameters<typeof writePost>[1]['fields']) =>
  (await writePost(app, { intent: 'publish', fields, editorId: null })).id;

/** The category and the tags of each post in order, all redirects and all tags. */
async function termsOf({ db }: Pick<TestApp, 'db'>, postIds: string[]) {
  const posts = await db.post.findMany({
    where: { id: { in: postIds } },
    orderBy: { id: 'asc' },
    select: {
      category: { select: { name: true } },
      tags: { orderBy: { position: 'asc' }, select: { tag: { select: { name: true } } } },
    },
  });
  const posted = posts.map(({ category, tags }) => [category?.name, ...tags.map(({ tag }) => tag.name)]);
  const redirects = await db.redirect.findMany({ select: { path: true }, orderBy: { path: 'asc' } });
  return { posted, redirects, tags: (await db.tag.findMany()).map(({ name }) => name).sort() };
}

/** Looks at the site as it was at an instant. */
async function atInstant(app: TestApp, instant: Date, look: (past: App) => Promise<void>) {
  const site = await openScratchSite(app, instant);
  try {
    await look(site.app);
  } finally {
    await site.close();
  }
}

describeWithOneApp(
  'the site at a past instant, of terms that went into the trash, were restored or purged',
  (getApp) => {
    let postIds: string[];
    const moments: { at: Date; terms: Awaited<ReturnType<typeof termsOf>> }[] = [];

    /** Remembers what the posts have before the change. */
    async function change(run: () => Promise<unknown>): Promise<void> {
      const app = getApp();
      app.clock.advance(HOUR);
      moments.push({ at: app.clock.now(), terms: await termsOf(app, postIds) });
      app.clock.advance(HOUR);
      await run();
    }

    beforeAll(async () => {
      const app = getApp();
      const tag = { kind: 'tag', id: (await createTerm(app, 'tag', term('Harbour'))).id } as const;
      const { id: heirId } = await createTerm(app, 'category', term('Shore'));
      const { id: categoryId } = await createTerm(app, 'category', term('Sea'));
      const category = { kind: 'category', id: categoryId } as const;
      const fields = { title: 'Post', body: 'Text.', categoryId, tags: ['Port', 'Harbour', 'Tide'] };
      postIds = [await publish(app, fields), await publish(app, fields)];
      const editFirst = (changes: { title: string; tags?: string[]; categoryId?: null }) =>
        editPost(app, { postId: postIds[0]!, intent: 'save', fields: changes, editorId: null });
      await change(async () => {
        await trashTerm(app, byCommand, tag);
        await trashTerm(app, byCommand, { ...category, heirId });
      });
      await change(async () => {
        await restoreTerm(app, byCommand, tag);
        await restoreTerm(app, byCommand, category);
      });
      await change(async () => {
        await editFirst({ title: 'Again' });
        await trashTerm(app, byCommand, tag);
        await trashTerm(app, byCommand, category);
      });
      await change(() => purgeTerm(app, byCommand, tag));
      await change(() => editFirst({ title: 'Last', tags: ['Port'], categoryId: null }));
    });

    it.each([
      ['before they went into the trash', 0],
      ['while they were in it', 1],
      ['after they were restored', 2],
      ['while they were in it again', 3],
      ['after the tag was purged', 4],
    ])('has what the posts had of them %s', async (_when, index) => {
      const { at, terms } = moments[index]!;
      await atInstant(getApp(), at, async (past) => {
        expect(await termsOf(past, postIds)).toEqual(terms);
      });
    });
  },
);

describeWithApp('the site at a past instant, after changes that no release made', (getApp) => {
  it('has the settings, terms and profiles of then, and their addresses', async () => {
    const app = getApp();
    const { id: userId } = await createUser(app, { displayName: 'Ada' });
    const tag = { name: 'Harbour', slug: 'harbour', description: '' };
    const { id: tagId } = await createTerm(app, 'tag', tag);
    await changeSettings(app, { site_title: 'Before', smtp_host: 'old.example.org' });
    const instant = app.clock.now();
    app.clock.advance(HOUR);
    await changeSettings(app, { site_title: 'After', posts_path: '/stories', smtp_host: 'new.example.org' });
    await saveTerm(app, 'tag', tagId, { ...tag, name: 'Port', slug: 'port' });
    await saveProfile(app, byCommand, userId, { displayName: 'Grace' });
    app.clock.advance(HOUR);
    await createTerm(app, 'tag', tag);
    await atInstant(app, instant, async (past) => {
      const { site_title, posts_path, old_posts_paths } = await readSettings(past);
      expect([site_title, posts_path, old_posts_paths]).toEqual(['Before', '/', []]);
      const [found] = await past.db.tag.findMany();
      expect(found).toMatchObject({ id: tagId, slug: 'harbour', name: 'Harbour' });
      expect(await past.db.tag.count()).toBe(1);
      expect(await past.db.user.findUnique({ where: { id: userId } })).toMatchObject({ displayName: 'Ada' });
      expect(await past.db.redirect.count()).toBe(0);
    });
    // What readers never see is recorded nowhere.
    const recorded = await app.db.textChange.findMany();
    expect(JSON.stringify(recorded)).not.toContain('example.org');
  });

  it('has the usernames of then, also one that somebody else has by now', async () => {
    const app = getApp();
    const account = {
      email: 'ada@example.org',
      username: 'ada',
      displayName: 'Ada',
      password: 'x'.repeat(12),
    };
    const { id } = await createAdministrator(app, account);
    const instant = app.clock.now();
    app.clock.advance(HOUR);
    await createAdministrator(app, { ...account, username: 'countess' });
    await createAdministrator(app, { ...account, email: 'other@example.org' });
    await atInstant(app, instant, async ({ db }) => {
      expect(await db.user.findUnique({ where: { username: 'ada' } })).toMatchObject({ id });
    });
  });

  it('has the categories and tags that were put into the trash since, with their posts and addresses', async () => {
    const app = getApp();
    const { id: heirId } = await createTerm(app, 'category', term('Heir'));
    const category = { ...term('Sea'), picture: '/uploads/sea.png' };
    const { id: categoryId } = await createTerm(app, 'category', category);
    const { id: tagId } = await createTerm(app, 'tag', term('Harbour'));
    const postId = await publish(app, { title: 'Kept', body: 'Text.', categoryId, tags: ['Harbour'] });
    const gone = await createTerm(app, 'tag', term('Gone'));
    app.clock.advance(HOUR);
    await trashTerm(app, byCommand, { kind: 'tag', id: gone.id });
    app.clock.advance(HOUR);
    const instant = app.clock.now();
    app.clock.advance(HOUR);
    await saveTerm(app, 'category', categoryId, { ...category, slug: 'ocean' });
    await trashTerm(app, byCommand, { kind: 'category', id: categoryId, heirId });
    await trashTerm(app, byCommand, { kind: 'tag', id: tagId });
    const { id: laterId } = await createTerm(app, 'tag', term('Later'));
    await trashTerm(app, byCommand, { kind: 'tag', id: laterId });
    await atInstant(app, instant, async ({ db }) => {
      expect(await db.category.findUnique({ where: { id: categoryId } })).toMatchObject(category);
      expect((await db.tag.findMany()).map(({ id }) => id)).toEqual([tagId]);
      expect(await db.post.findUnique({ where: { id: postId } })).toMatchObject({ categoryId });
      expect(await db.postTag.count({ where: { postId, tagId } })).toBe(1);
      expect(await db.redirect.count()).toBe(0);
    });
  });

  it('has no post that was in the trash, also one whose category was deleted since', async () => {
    const app = getApp();
    const { id: categoryId } = await createTerm(app, 'category', term('Sea'));
    const postId = await publish(app, { title: 'Deleted', body: 'Text.', categoryId });
    app.clock.advance(HOUR);
    const before = app.clock.now();
    app.clock.advance(HOUR);
    await trashPost(app, { postId });
    const after = app.clock.now();
    app.clock.advance(HOUR);
    await trashTerm(app, byCommand, { kind: 'category', id: categoryId });
    const shown = { where: { id: postId, status: 'published' } };
    await atInstant(app, before, async ({ db }) => expect(await db.post.count(shown)).toBe(1));
    await atInstant(app, after, async ({ db }) => expect(await db.post.count(shown)).toBe(0));
  });

  it('has a tag that an older version put into the trash, which recorded nothing of it', async () => {
    const app = getApp();
    const { id } = await createTerm(app, 'tag', { name: 'Harbour', slug: 'harbour', description: '' });
    const fields = { title: 'Post', body: 'Text.', tags: ['Harbour'] };
    const { id: postId } = await writePost(app, { intent: 'publish', fields, editorId: null });
    const instant = app.clock.now();
    app.clock.advance(HOUR);
    await trashTerm(app, byCommand, { kind: 'tag', id });
    await app.db.textChange.deleteMany();
    const site = await openScratchSite(app, instant);
    try {
      expect(await site.app.db.postTag.findMany({ select: { postId: true, tagId: true } })).toEqual([
        { postId, tagId: id },
      ]);
    } finally {
      await site.close();
    }
  });

  it('is no longer known once it is older than the revisions that are kept', async () => {
    const app = getApp();
    await changeSettings(app, { site_title: 'Before', revision_keep_days: '2' });
    app.clock.advance(24 * HOUR);
    await changeSettings(app, { site_title: 'After' });
    app.clock.advance(24 * HOUR + 1);
    await forgetTextChanges(app);
    const kept = await app.db.textChange.findMany();
    expect(kept.map(({ changes }) => changes)).toEqual([expect.stringContaining('After')]);
  });
});

describeWithOneApp('the site at an instant around a merge of tags', (getApp) => {
  let ids: string[];
  let harbourId: string;
  let laterId: string;
  /** What the posts have, and when. */
  let before: { at: Date; posted: unknown };
  let after: { at: Date; posted: unknown };

  beforeAll(async () => {
    const app = getApp();
    const moment = async () => {
      const found = { at: app.clock.now(), posted: (await termsOf(app, ids)).posted };
      app.clock.advance(HOUR);
      return found;
    };
    const { id: intoId } = await createTerm(app, 'tag', term('Port'));
    harbourId = (await createTerm(app, 'tag', term('Harbour'))).id;
    ids = [
      await publish(app, { title: 'One', body: 'Text.', tags: ['Sea', 'Harbour'] }),
      await publish(app, { title: 'Both', body: 'Text.', tags: ['Harbour', 'Sea', 'Port'] }),
      await publish(app, { title: 'Other', body: 'Text.', tags: ['Port'] }),
    ];
    await saveTerm(app, 'tag', harbourId, { ...term('Harbour'), slug: 'haven' });
    before = await moment();
    await mergeTags(app, byCommand, { id: harbourId, intoId });
    after = await moment();
    await saveTerm(app, 'tag', intoId, { ...term('Port'), name: 'Docks' });
    laterId = (await createTerm(app, 'tag', { ...term('Haven'), name: 'Later' })).id;
    // What is changed since goes back by its revision, which was written before the merge.
    for (const postId of ids) {
      const { version } = await app.db.post.findUniqueOrThrow({ where: { id: postId } });
      const fields = { title: 'Again', tags: ['Fresh'] };
      await editPost(app, { postId, version, intent: 'save', fields, editorId: null });
    }
  });

  it('has the tags at their places in their posts, and their addresses', () =>
    atInstant(getApp(), before.at, async (past) => {
      expect((await termsOf(past, ids)).posted).toEqual(before.posted);
      expect(await past.db.tag.findUnique({ where: { id: harbourId } })).toMatchObject({
        ...term('Harbour'),
        slug: 'haven',
      });
      expect(await past.db.tag.findUnique({ where: { id: laterId } })).toBeNull();
      expect(await findRedirect(past, '/tags/harbour')).toBe('/tags/haven');
      expect(await findRedirect(past, '/tags/haven')).toBeNull();
    }));

  it('has one tag for both right after it, which the old address leads to', () =>
    atInstant(getApp(), after.at, async (past) => {
      expect((await termsOf(past, ids)).posted).toEqual(after.posted);
      expect(await findRedirect(past, '/tags/haven')).toBe('/tags/port');
    }));
});

describeWithApp('the site at an instant before most of its posts were there', (getApp) => {
  it('drops them together, hides what was not public yet, and finds only the others', async () => {
    const app = getApp();
    const words = (title: string) => ({ title, body: 'About boats.' });
    const old = [await publish(app, words('First')), await publish(app, words('Second'))].sort();
    const drafts: string[] = [];
    for (const title of ['Third', 'Fourth', 'Fifth'])
      drafts.push((await writePost(app, { intent: 'draft', fields: words(title), editorId: null })).id);
    app.clock.advance(HOUR);
    const before = app.clock.now();
    app.clock.advance(HOUR);
    const later: string[] = [];
    for (let number = 0; number < 12; number += 1) later.push(await publish(app, words(`Later ${number}`)));
    const trashed = await publish(app, words('Trashed'));
    await trashPost(app, { postId: trashed, editorId: null });
    app.clock.advance(HOUR);
    const between = app.clock.now();
    app.clock.advance(HOUR);
    for (const postId of drafts)
      await editPost(app, { postId, intent: 'publish', fields: {}, editorId: null });
    const { contentVersion } = await app.db.siteState.findFirstOrThrow();
    for (const [instant, expected, changes] of [
      [before, old, 2],
      [between, [...old, ...later].sort(), 1],
    ] as const) {
      const site = await openScratchSite(app, instant);
      try {
        const { db, search } = site.app;
        const published = await db.post.findMany({ where: { status: 'published' }, orderBy: { id: 'asc' } });
        expect(published.map(({ id }) => id)).toEqual(expected);
        expect(await db.sitemapEntry.count()).toBe(expected.length);
        expect(await db.post.count({ where: { id: { in: drafts }, status: 'draft' } })).toBe(drafts.length);
        // However many posts there are.
        const { contentVersion: rewound } = await db.siteState.findFirstOrThrow();
        expect(rewound - contentVersion).toBe(changes);
        await site.prepareSearch();
        const query = { text: 'boats', categoryId: null, tagId: null, excludedIds: [], offset: 0, limit: 50 };
        const { ids } = await search.search(query);
        expect([...ids].sort()).toEqual(expected);
      } finally {
        await site.close();
      }
    }
  });
});
