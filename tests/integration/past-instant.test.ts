// The site at a past instant, after changes that no release made.
import { expect, it } from 'vitest';
import { byCommand } from '#app/auth/audit.server.ts';
import { findRedirect } from '#app/posts/redirects.server.ts';
import { changeSettings } from '#app/publishing/change-settings.server.ts';
import { createAdministrator } from '#app/publishing/create-administrator.server.ts';
import { mergeTags } from '#app/publishing/merge-tags.server.ts';
import { saveProfile } from '#app/publishing/save-account.server.ts';
import { createPost as writePost, editPost } from '#app/publishing/save-post.server.ts';
import { createTerm, saveTerm } from '#app/publishing/save-term.server.ts';
import { forgetTextChanges } from '#app/publishing/text-changes.server.ts';
import { purgeTerm, restoreTerm, trashTerm } from '#app/publishing/trash-term.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { openScratchSite } from '#tests/support/scratch-site.ts';

const HOUR = 3_600_000;

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
    const site = await openScratchSite(app, instant);
    try {
      const { db } = site.app;
      const { site_title, posts_path, old_posts_paths } = await readSettings(site.app);
      expect({ site_title, posts_path, old_posts_paths }).toEqual({
        site_title: 'Before',
        posts_path: '/',
        old_posts_paths: [],
      });
      expect(await db.tag.findMany({ select: { id: true, slug: true, name: true } })).toEqual([
        { id: tagId, slug: 'harbour', name: 'Harbour' },
      ]);
      expect(await db.user.findUnique({ where: { id: userId } })).toMatchObject({ displayName: 'Ada' });
      expect(await db.redirect.count()).toBe(0);
    } finally {
      await site.close();
    }
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
    const site = await openScratchSite(app, instant);
    try {
      expect(await site.app.db.user.findUnique({ where: { username: 'ada' } })).toMatchObject({ id });
    } finally {
      await site.close();
    }
  });

  it('has the categories and tags that were put into the trash since, with their posts and addresses', async () => {
    const app = getApp();
    const heir = { name: 'Heir', slug: 'heir', description: '', picture: '' };
    const { id: heirId } = await createTerm(app, 'category', heir);
    const category = { name: 'Sea', slug: 'sea', description: 'Deep', picture: '/uploads/sea.png' };
    const { id: categoryId } = await createTerm(app, 'category', category);
    const { id: tagId } = await createTerm(app, 'tag', { ...heir, name: 'Harbour', slug: 'harbour' });
    const fields = { title: 'Kept', body: 'Text.', categoryId, tags: ['Harbour'] };
    const { id: postId } = await writePost(app, { intent: 'publish', fields, editorId: null });
    const gone = await createTerm(app, 'tag', { ...heir, name: 'Gone', slug: 'gone' });
    app.clock.advance(HOUR);
    await trashTerm(app, byCommand, { kind: 'tag', id: gone.id });
    app.clock.advance(HOUR);
    const instant = app.clock.now();
    app.clock.advance(HOUR);
    await saveTerm(app, 'category', categoryId, { ...category, slug: 'ocean' });
    await trashTerm(app, byCommand, { kind: 'category', id: categoryId, heirId });
    await trashTerm(app, byCommand, { kind: 'tag', id: tagId });
    const { id: laterId } = await createTerm(app, 'tag', { ...heir, name: 'Later', slug: 'later' });
    await trashTerm(app, byCommand, { kind: 'tag', id: laterId });
    const site = await openScratchSite(app, instant);
    try {
      const { db } = site.app;
      expect(await db.category.findUnique({ where: { id: categoryId } })).toMatchObject(category);
      expect((await db.tag.findMany()).map(({ id }) => id)).toEqual([tagId]);
      expect(await db.post.findUnique({ where: { id: postId } })).toMatchObject({ categoryId });
      expect(await db.postTag.count({ where: { postId, tagId } })).toBe(1);
      expect(await db.redirect.count()).toBe(0);
    } finally {
      await site.close();
    }
  });

  it('has what a post had of terms that were in the trash then, were restored or left it for good since', async () => {
    const app = getApp();
    const term = (name: string) => ({ name, slug: name.toLowerCase(), description: '', picture: '' });
    const { id: tagId } = await createTerm(app, 'tag', term('Harbour'));
    const { id: heirId } = await createTerm(app, 'category', term('Shore'));
    const { id: categoryId } = await createTerm(app, 'category', term('Sea'));
    const fields = { title: 'Post', body: 'Text.', categoryId, tags: ['Port', 'Harbour', 'Tide'] };
    const publish = async () => (await writePost(app, { intent: 'publish', fields, editorId: null })).id;
    const ids = [await publish(), await publish()];
    const [edited] = ids;
    const editOne = (fields: { title: string; tags?: string[]; categoryId?: null }) =>
      editPost(app, { postId: edited!, intent: 'save', fields, editorId: null });
    const termsOf = async ({ db }: Pick<typeof app, 'db'>) => {
      const posts = await db.post.findMany({
        where: { id: { in: ids } },
        orderBy: { id: 'asc' },
        select: {
          category: { select: { name: true } },
          tags: { orderBy: { position: 'asc' }, select: { tag: { select: { name: true } } } },
        },
      });
      const posted = posts.map(({ category, tags }) => [category?.name, ...tags.map(({ tag }) => tag.name)]);
      const redirects = await db.redirect.findMany({ select: { path: true }, orderBy: { path: 'asc' } });
      return { posted, redirects, tags: (await db.tag.findMany()).map(({ name }) => name).sort() };
    };
    const moments: { at: Date; terms: Awaited<ReturnType<typeof termsOf>> }[] = [];
    const look = async () => {
      app.clock.advance(HOUR);
      moments.push({ at: app.clock.now(), terms: await termsOf(app) });
      app.clock.advance(HOUR);
    };
    await look();
    await trashTerm(app, byCommand, { kind: 'tag', id: tagId });
    await trashTerm(app, byCommand, { kind: 'category', id: categoryId, heirId });
    await look();
    await restoreTerm(app, byCommand, { kind: 'tag', id: tagId });
    await restoreTerm(app, byCommand, { kind: 'category', id: categoryId });
    await look();
    await editOne({ title: 'Again' });
    await trashTerm(app, byCommand, { kind: 'tag', id: tagId });
    await trashTerm(app, byCommand, { kind: 'category', id: categoryId });
    await look();
    await purgeTerm(app, byCommand, { kind: 'tag', id: tagId });
    await look();
    await editOne({ title: 'Last', tags: ['Port'], categoryId: null });
    for (const { at, terms } of moments) {
      const site = await openScratchSite(app, at);
      try {
        expect(await termsOf(site.app), `at ${at.toISOString()}`).toEqual(terms);
      } finally {
        await site.close();
      }
    }
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

  it('has the tags that were merged since, at their places in their posts, and their addresses', async () => {
    const app = getApp();
    const term = (name: string) => ({
      name,
      slug: name.toLowerCase(),
      description: `On ${name}`,
      picture: '',
    });
    const harbour = await createTerm(app, 'tag', term('Harbour'));
    const port = await createTerm(app, 'tag', term('Port'));
    const publish = async (title: string, tags: string[]) => {
      const fields = { title, body: 'Text.', tags };
      const { id } = await writePost(app, { intent: 'publish', fields, editorId: null });
      return id;
    };
    const ids = [
      await publish('One', ['Sea', 'Harbour']),
      await publish('Both', ['Harbour', 'Sea', 'Port']),
      await publish('Other', ['Port']),
    ];
    await saveTerm(app, 'tag', harbour.id, { ...term('Harbour'), slug: 'haven' });
    const tagsIn = async ({ db }: Pick<typeof app, 'db'>) => {
      const posts = await db.post.findMany({
        where: { id: { in: ids } },
        orderBy: { id: 'asc' },
        select: { tags: { orderBy: { position: 'asc' }, select: { tag: { select: { name: true } } } } },
      });
      return posts.map(({ tags }) => tags.map(({ tag }) => tag.name));
    };
    const instant = app.clock.now();
    const tags = await tagsIn(app);
    app.clock.advance(HOUR);
    await mergeTags(app, byCommand, { id: harbour.id, intoId: port.id });
    const between = app.clock.now();
    app.clock.advance(HOUR);
    const merged = await tagsIn(app);
    await saveTerm(app, 'tag', port.id, { ...term('Port'), name: 'Docks' });
    const { id: laterId } = await createTerm(app, 'tag', { ...term('Haven'), name: 'Later' });
    // What is changed since goes back by its revision, which was written before the merge.
    for (const postId of ids) {
      const { version } = await app.db.post.findUniqueOrThrow({ where: { id: postId } });
      const fields = { title: 'Again', tags: ['Fresh'] };
      await editPost(app, { postId, version, intent: 'save', fields, editorId: null });
    }
    const site = await openScratchSite(app, instant);
    try {
      expect(await tagsIn(site.app)).toEqual(tags);
      expect(await site.app.db.tag.findUnique({ where: { id: harbour.id } })).toMatchObject({
        ...term('Harbour'),
        slug: 'haven',
      });
      expect(await site.app.db.tag.findUnique({ where: { id: laterId } })).toBeNull();
      expect(await findRedirect(site.app, '/tags/harbour')).toBe('/tags/haven');
      expect(await findRedirect(site.app, '/tags/haven')).toBeNull();
    } finally {
      await site.close();
    }
    const after = await openScratchSite(app, between);
    try {
      expect(await tagsIn(after.app)).toEqual(merged);
      expect(await findRedirect(after.app, '/tags/haven')).toBe('/tags/port');
    } finally {
      await after.close();
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
