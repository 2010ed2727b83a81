// A release that moves a page moves the pages below it, too. What is in their way is known before the publication.
import { expect, it } from 'vitest';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { blockedOf, listScheduledReleases } from '#app/releases/status.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import {
  keepChange,
  publish,
  publishPost,
  readPost,
  rollBack,
  scheduleRelease,
} from '#tests/support/releases.ts';
import { said } from '#tests/support/texts/said.ts';

const page = (app: TestApp, slug: string, fields: Partial<PostFields> = {}) =>
  createPost(app, {
    intent: 'publish',
    fields: { type: 'page', title: slug, slug, ...fields },
    editorId: null,
  });
const blocked = async (app: TestApp) =>
  blockedOf(await listScheduledReleases(app)).map(({ problem }) => problem);

/** `/old/team`, and a release that moves `/old` to `/new`. */
async function movedPage(app: TestApp) {
  const old = await page(app, 'old');
  const team = await page(app, 'team', { parentId: old.id });
  const release = await scheduleRelease(app, 5);
  await keepChange(app, release.id, old, { slug: 'new' });
  return { old, team, release };
}

describeWithApp('a release that moves a page with pages below it', (getApp) => {
  it('is blocked while another post has the address of one of these', async () => {
    const app = getApp();
    const { release, team } = await movedPage(app);
    expect(await blocked(app)).toEqual([]);
    const taken = { slug: '/new/team', type: 'page', title: 'In the way' };
    await app.db.post.update({ where: { id: (await page(app, 'elsewhere')).id }, data: taken });
    const problem = '“old”: “team” below it would get the address /new/team of “In the way”.';
    expect(await blocked(app)).toEqual([problem]);
    await expect(publish(app, release.id)).rejects.toThrow(problem);
    expect((await readPost(app, team))!.slug).toBe('/old/team');
  });

  it('is blocked while the address is an old one of a post in the trash', async () => {
    const app = getApp();
    const { release } = await movedPage(app);
    const former = await page(app, 'former');
    await editPost(app, { postId: former.id, intent: 'save', fields: { slug: 'later' }, editorId: null });
    await app.db.redirect.update({ where: { path: '/former' }, data: { path: '/new/team' } });
    expect(await blocked(app)).toEqual([]);
    await trashPost(app, { postId: former.id, editorId: null });
    const problem =
      '“old”: “team” can’t move to /new/team: that address redirects to “former”, which is in the trash.';
    expect(await blocked(app)).toEqual([problem]);
    await expect(publish(app, release.id)).rejects.toThrow(problem);
  });

  it('is not blocked by what moves with it', async () => {
    const app = getApp();
    const { release, old, team } = await movedPage(app);
    await addPostsToRelease(app, { releaseId: release.id, postIds: [team.id], editorId: null });
    await publish(app, release.id);
    const slugs = await Promise.all([old, team].map(async (post) => (await readPost(app, post))!.slug));
    expect(slugs).toEqual(['/new', '/new/team']);
  });

  it('is not blocked by a text that it changes on a page below, nor by an old address there', async () => {
    const app = getApp();
    const { release, team } = await movedPage(app);
    await keepChange(app, release.id, team, { body: 'Who we are' });
    const former = await page(app, 'former');
    await editPost(app, { postId: former.id, intent: 'save', fields: { slug: 'later' }, editorId: null });
    await app.db.redirect.update({ where: { path: '/former' }, data: { path: '/new/team' } });
    expect(await blocked(app)).toEqual([]);
    await publish(app, release.id);
    expect(await readPost(app, team)).toMatchObject({ slug: '/new/team', body: 'Who we are' });
  });

  it('refuses another page at the address of a page below, also when it changes a text of this one', async () => {
    const app = getApp();
    const { release, old, team } = await movedPage(app);
    const rival = await page(app, 'rival');
    const problem = '“rival”: the address /new/team is also used by “team” in this release.';
    const takeIt = () => keepChange(app, release.id, rival, { parentId: old.id, slug: 'team' });
    await expect(takeIt()).rejects.toThrow(problem);
    await keepChange(app, release.id, team, { body: 'Who we are' });
    await expect(takeIt()).rejects.toThrow(problem);
  });

  it('that puts a page below another names what is at its new address', async () => {
    const app = getApp();
    const [parent, child] = [await page(app, 'parent'), await page(app, 'child')];
    await page(app, 'child', { parentId: parent.id, title: 'First child' });
    const release = await scheduleRelease(app, 5);
    await expect(keepChange(app, release.id, child, { parentId: parent.id })).rejects.toMatchObject({
      fields: { parentId: [said('/parent/child is used by “First child”')] },
    });
    const other = await page(app, 'other');
    await keepChange(app, release.id, other, { parentId: parent.id });
    expect(await blocked(app)).toEqual([]);
    await publish(app, release.id);
    expect((await readPost(app, other))!.slug).toBe('/parent/other');
  });
});

describeWithApp('a release that moves a page below a page that it moves, too', (getApp) => {
  /** `/parent` moves to `/new`, and `/child` below it. */
  async function movedBoth(app: TestApp) {
    const [child, parent] = [await page(app, 'child'), await page(app, 'parent')];
    const release = await scheduleRelease(app, 5);
    await keepChange(app, release.id, child, { parentId: parent.id });
    await keepChange(app, release.id, parent, { slug: 'new' });
    return { child, parent, release };
  }

  /** `/a/b/c` and `/x/y`. */
  async function pageTree(app: TestApp) {
    const [a, x] = [await page(app, 'a'), await page(app, 'x')];
    const [b, y] = [await page(app, 'b', { parentId: a.id }), await page(app, 'y', { parentId: x.id })];
    return { a, b, c: await page(app, 'c', { parentId: b.id }), x, y };
  }
  /** As if a text of the page was changed in the release before the others moved. */
  const putFirst = (app: TestApp, { id }: { id: string }) =>
    app.db.releaseItem.updateMany({ where: { subjectId: id }, data: { createdAt: new Date(0) } });
  const slugsOf = (app: TestApp, posts: { id: string }[]) =>
    Promise.all(posts.map(async (post) => (await readPost(app, post))!.slug));

  it('is blocked before its time while something has the address', async () => {
    const app = getApp();
    const { child, release } = await movedBoth(app);
    expect(await blocked(app)).toEqual([]);
    const taken = { slug: '/new/child', type: 'page', title: 'In the way' };
    await app.db.post.update({ where: { id: (await page(app, 'elsewhere')).id }, data: taken });
    const problem = '“child”: the address /new/child is used by “In the way”.';
    expect(await blocked(app)).toEqual([problem]);
    await expect(publish(app, release.id)).rejects.toThrow(problem);
    expect((await readPost(app, child))!.slug).toBe('/child');
  });

  it('is blocked before its time while a page is below itself, or too deep', async () => {
    const app = getApp();
    const [one, two] = [await page(app, 'one'), await page(app, 'two')];
    const release = await scheduleRelease(app, 5);
    await keepChange(app, release.id, one, { parentId: two.id });
    await expect(keepChange(app, release.id, two, { parentId: one.id })).rejects.toMatchObject({
      fields: { parentId: [said('can’t be its own parent')] },
    });
    const three = await page(app, 'three', { parentId: one.id });
    await page(app, 'four', { parentId: three.id });
    expect(await blocked(app)).toEqual(['“one”: “four” below it would be too deep at /two/one/three/four.']);
  });

  it('may turn two pages round', async () => {
    const app = getApp();
    const above = await page(app, 'above');
    const below = await page(app, 'below', { parentId: above.id });
    const release = await scheduleRelease(app, 5);
    await keepChange(app, release.id, below, { parentId: null });
    await keepChange(app, release.id, above, { parentId: below.id });
    const order = await app.db.releaseItem.findMany({ orderBy: { createdAt: 'asc' } });
    // The page that goes down was added first.
    await app.db.releaseItem.update({ where: { id: order[1]!.id }, data: { createdAt: new Date(0) } });
    await publish(app, release.id);
    const slugs = await Promise.all([above, below].map(async (post) => (await readPost(app, post))!.slug));
    expect(slugs).toEqual(['/below/above', '/below']);
  });

  it('lets a page leave before the one above gets deeper', async () => {
    const app = getApp();
    const { a, b, c, y } = await pageTree(app);
    const release = await scheduleRelease(app, 5);
    await keepChange(app, release.id, b, { parentId: null });
    await keepChange(app, release.id, a, { parentId: y.id });
    await putFirst(app, a);
    expect(await blocked(app)).toEqual([]);
    await publish(app, release.id);
    expect(await slugsOf(app, [a, b, c])).toEqual(['/x/y/a', '/b', '/b/c']);
  });

  it('puts a page below one that was two below it', async () => {
    const app = getApp();
    const { a, b, c } = await pageTree(app);
    const release = await scheduleRelease(app, 5);
    await keepChange(app, release.id, b, { parentId: null });
    await keepChange(app, release.id, a, { parentId: c.id });
    await putFirst(app, a);
    expect(await blocked(app)).toEqual([]);
    await publish(app, release.id);
    expect(await slugsOf(app, [a, b, c])).toEqual(['/b/c/a', '/b', '/b/c']);
  });

  it('does not count pages below that leave for a place as deep', async () => {
    const app = getApp();
    const { a, b, c, x, y } = await pageTree(app);
    const release = await scheduleRelease(app, 5);
    await keepChange(app, release.id, c, { parentId: y.id });
    await keepChange(app, release.id, a, { parentId: x.id });
    await putFirst(app, a);
    expect(await blocked(app)).toEqual([]);
    await publish(app, release.id);
    expect(await slugsOf(app, [a, b, c])).toEqual(['/x/a', '/x/a/b', '/x/y/c']);
    // Nothing leads there from an address that the page never had.
    const redirects = await app.db.redirect.findMany({ orderBy: { path: 'asc' } });
    expect(redirects.map(({ path }) => path)).toEqual(['/a', '/a/b', '/a/b/c']);
  });

  it('puts a page where another one would be that leaves', async () => {
    const app = getApp();
    const { x, y } = await pageTree(app);
    const above = await page(app, 'above');
    const below = await page(app, 'below', { parentId: above.id });
    const other = await page(app, 'other');
    const release = await scheduleRelease(app, 5);
    await keepChange(app, release.id, above, { parentId: x.id });
    await keepChange(app, release.id, below, { parentId: y.id });
    await keepChange(app, release.id, other, { parentId: above.id, slug: 'below' });
    await putFirst(app, other);
    expect(await blocked(app)).toEqual([]);
    await publish(app, release.id);
    expect(await slugsOf(app, [above, below, other])).toEqual(['/x/above', '/x/y/below', '/x/above/below']);
  });

  it.each([{}, { slug: 'other' }])(
    'is blocked before its time while a page stays below one that becomes a post (%o)',
    async (address) => {
      const app = getApp();
      const { x } = await pageTree(app);
      const release = await scheduleRelease(app, 5);
      await keepChange(app, release.id, x, { type: 'post', ...address });
      expect(await blocked(app)).toEqual([
        '“y” is below this page, so this page can’t become a post. Move it first.',
      ]);
    },
  );

  it('refuses a page beside the slug where a post becomes it and another page is there', async () => {
    const app = getApp();
    await page(app, 'about');
    const post = await publishPost(app, 'about');
    const release = await scheduleRelease(app, 5);
    await expect(keepChange(app, release.id, post, { type: 'page' })).rejects.toMatchObject({
      fields: { slug: [said('“about”: the address /about is used by “about”.')] },
    });
  });

  it('turns a page into a post after the page below has left', async () => {
    const app = getApp();
    const { x, y } = await pageTree(app);
    const release = await scheduleRelease(app, 5);
    await keepChange(app, release.id, x, { type: 'post' });
    await keepChange(app, release.id, y, { parentId: null });
    await putFirst(app, x);
    expect(await blocked(app)).toEqual([]);
    await publish(app, release.id);
    expect(await slugsOf(app, [x, y])).toEqual(['x', '/y']);
  });

  it.each([{ parentId: null }, {}])(
    'turns a page and the one below it into posts (%o), and back',
    async (place) => {
      const app = getApp();
      const { x, y } = await pageTree(app);
      const release = await scheduleRelease(app, 5);
      await keepChange(app, release.id, x, { type: 'post' });
      await keepChange(app, release.id, y, { type: 'post', ...place });
      await putFirst(app, x);
      expect(await blocked(app)).toEqual([]);
      await publish(app, release.id);
      expect(await slugsOf(app, [x, y])).toEqual(['x', 'y']);
      await rollBack(app, release.id);
      expect(await slugsOf(app, [x, y])).toEqual(['/x', '/x/y']);
    },
  );

  it('refuses the address of a route', async () => {
    const app = getApp();
    const release = await scheduleRelease(app, 5);
    await expect(keepChange(app, release.id, await page(app, 'find'), { slug: 'search' })).rejects.toThrow(
      'used by the site itself',
    );
  });
});
