// The comparison of the site at a moment with now: which addresses appear, change and vanish.
import { expect, it } from 'vitest';
import { compareWithNow } from '#app/admin/time-travel/compare-sites.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { saveTerm } from '#app/publishing/terms/save.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createCategory, createPost as createRow, createUser } from '#tests/support/factories.ts';
import {
  archiveIn,
  at,
  keepChange,
  minute,
  publish,
  publishPost,
  rollBack,
  saveDraft,
  scheduleRelease,
} from '#tests/support/releases.ts';
import { openScratchSite } from '#tests/support/scratch-site.ts';

const reader = { user: { id: '', role: 'administrator' }, timeZone: 'UTC', language: 'en' } as const;

async function differencesAt(app: TestApp, minutes: number): Promise<string[]> {
  const instant = at(minutes);
  const site = await openScratchSite(app, instant);
  const { addresses } = await compareWithNow(app, site.app, { instant, ...reader });
  await site.close();
  return addresses.map(({ path, what }) => `${path} ${what}`).sort();
}

describeWithApp('the comparison of two moments', (getApp) => {
  it('lists the pages of terms and authors that appear and vanish with their posts', async () => {
    const app = getApp();
    const { id: authorId, username } = await createUser(app);
    const category = await createCategory(app, { slug: 'tides' });
    // Readers find it at neither moment.
    await createCategory(app, { slug: 'empty' });
    await publishPost(app, 'staying', { tags: ['Sea'] });
    const going = await publishPost(app, 'going', { tags: ['Sea', 'Ebb'] });
    const coming = await createPost(app, {
      intent: 'save',
      fields: { title: 'Coming', slug: 'coming', tags: ['Sea', 'Flood'], categoryId: category.id },
      editorId: authorId,
    });
    const { id } = await scheduleRelease(app, 10);
    await addPostsToRelease(app, { releaseId: id, postIds: [coming.id], editorId: null });
    await archiveIn(app, id, going);
    expect(await differencesAt(app, 9)).toEqual([]);
    expect(await differencesAt(app, 11)).toEqual([
      `/authors/${username} appears`,
      '/categories/tides appears',
      '/posts/coming appears',
      '/posts/going vanishes',
      '/tags/ebb vanishes',
      '/tags/flood appears',
    ]);
  });

  it('lists what a rollback takes back, before and after it, though the posts get their former time of change', async () => {
    const app = getApp();
    const moved = await publishPost(app, 'moved');
    const going = await publishPost(app, 'going');
    const coming = await saveDraft(app, 'coming');
    const { id } = await scheduleRelease(app, 60);
    await addPostsToRelease(app, { releaseId: id, postIds: [coming.id], editorId: null });
    await keepChange(app, id, moved, { slug: 'moved-on' });
    await archiveIn(app, id, going);
    app.clock.advance(10 * minute);
    await publish(app, id);
    app.clock.advance(10 * minute);
    const { id: rollbackId } = await rollBack(app, id, at(30));
    expect(await differencesAt(app, 29)).toEqual([]);
    expect(await differencesAt(app, 31)).toEqual([
      '/posts/coming vanishes',
      '/posts/going appears',
      '/posts/moved changes',
      '/posts/moved-on changes',
    ]);
    app.clock.advance(minute);
    await publish(app, rollbackId);
    app.clock.advance(minute);
    expect(await differencesAt(app, 15)).toEqual([
      '/posts/coming appears',
      '/posts/going vanishes',
      '/posts/moved changes',
      '/posts/moved-on changes',
    ]);
  });

  it('lists the old addresses of a post that moves or vanishes', async () => {
    const app = getApp();
    const save = async (saved: { id: string; version: number }, slug: string) => {
      app.clock.advance(minute);
      return editPost(app, {
        postId: saved.id,
        version: saved.version,
        intent: 'save',
        fields: { slug },
        editorId: null,
      });
    };
    const moving = await save(await publishPost(app, 'm1'), 'm2');
    const going = await save(await publishPost(app, 'g1'), 'g2');
    app.clock.advance(minute);
    const { id } = await scheduleRelease(app, 60);
    await keepChange(app, id, moving, { slug: 'm3' });
    await archiveIn(app, id, going);
    expect(await differencesAt(app, 61)).toEqual([
      '/posts/g1 vanishes',
      '/posts/g2 vanishes',
      '/posts/m1 changes',
      '/posts/m2 changes',
      '/posts/m3 appears',
    ]);
  });

  it('lists a post that is in the trash by now', async () => {
    const app = getApp();
    const { id: postId } = await publishPost(app, 'binned');
    app.clock.advance(10 * minute);
    await trashPost(app, { postId });
    app.clock.advance(minute);
    expect(await differencesAt(app, 5)).toEqual(['/posts/binned appears']);
  });

  it('lists the old addresses of a tag that moves', async () => {
    const app = getApp();
    await publishPost(app, 'one', { tags: ['Gulls'] });
    const tag = await app.db.tag.findFirstOrThrow({ where: { name: 'Gulls' } });
    const move = (slug: string) =>
      saveTerm(app, 'tag', tag.id, { name: 'Gulls', slug, description: '', picture: '' });
    app.clock.advance(minute);
    await move('seabirds');
    app.clock.advance(10 * minute);
    await move('birds');
    expect(await differencesAt(app, 5)).toEqual([
      '/tags/birds vanishes',
      '/tags/gulls changes',
      '/tags/seabirds changes',
    ]);
  });

  it('lists an imported post, which has the times of the old site', async () => {
    const app = getApp();
    app.clock.advance(10 * minute);
    const long = new Date('2014-01-01');
    const times = { publishedAt: long, contentUpdatedAt: long };
    await createRow(app, { status: 'published', slug: 'imported', ...times });
    expect(await differencesAt(app, 5)).toEqual(['/posts/imported vanishes']);
  });
});
