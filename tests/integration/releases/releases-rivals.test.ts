// Two unpublished releases that want one address for different pages say so before either is published.
import { expect, it } from 'vitest';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { readRelease } from '#app/releases/queries.server.ts';
import { findRivals } from '#app/releases/rivals.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { keepChange, scheduleRelease } from '#tests/support/releases.ts';

const page = (app: TestApp, slug: string, fields: Partial<PostFields> = {}) =>
  createPost(app, {
    intent: 'publish',
    fields: { type: 'page', title: slug, slug, ...fields },
    editorId: null,
  });
const rivalsOf = async (app: TestApp, { id }: { id: string }) =>
  [...(await findRivals(app, await readRelease(app, id))).values()].flat();

describeWithApp('the rivals of a release', (getApp) => {
  it('include another one whose page gets the same address below a new parent', async () => {
    const app = getApp();
    const [about, team] = [await page(app, 'about'), await page(app, 'team')];
    const people = await page(app, 'people', { parentId: about.id });
    const [spring, autumn] = [
      await scheduleRelease(app, 5, 'Spring'),
      await scheduleRelease(app, 6, 'Autumn'),
    ];
    await keepChange(app, spring.id, team, { parentId: about.id });
    expect(await rivalsOf(app, spring)).toEqual([]);
    await keepChange(app, autumn.id, people, { slug: 'team' });
    expect(await rivalsOf(app, spring)).toMatchObject([
      { id: autumn.id, name: 'Autumn', address: '/about/team' },
    ]);
    expect(await rivalsOf(app, autumn)).toMatchObject([
      { id: spring.id, name: 'Spring', address: '/about/team' },
    ]);
  });

  it('are said to publish a draft only where both do', async () => {
    const app = getApp();
    const draft = await createPost(app, { intent: 'save', fields: { title: 'Draft' }, editorId: null });
    const live = await page(app, 'live');
    const [spring, autumn] = [await scheduleRelease(app, 5), await scheduleRelease(app, 6)];
    for (const { id: releaseId } of [spring, autumn])
      await addPostsToRelease(app, { releaseId, postIds: [draft.id, live.id], editorId: null });
    const rivals = await rivalsOf(app, spring);
    expect(rivals.map(({ bothPublish }) => bothPublish)).toEqual([true, false]);
  });

  it('are not those whose pages get the same slug below different parents', async () => {
    const app = getApp();
    const [one, two, a, b] = [
      await page(app, 'one'),
      await page(app, 'two'),
      await page(app, 'a'),
      await page(app, 'b'),
    ];
    const [spring, autumn] = [await scheduleRelease(app, 5), await scheduleRelease(app, 6)];
    await keepChange(app, spring.id, a, { slug: 'same', parentId: one.id });
    await keepChange(app, autumn.id, b, { slug: 'same', parentId: two.id });
    expect([await rivalsOf(app, spring), await rivalsOf(app, autumn)]).toEqual([[], []]);
  });
});
