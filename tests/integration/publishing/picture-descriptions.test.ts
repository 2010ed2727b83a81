import { expect, it } from 'vitest';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import { migrationsOf } from '#app/platform/database/migrations.server.ts';
import { findPost } from '#app/posts/lists/queries.server.ts';
import { describeMedia } from '#app/publishing/media/change.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createMedia, createPost as insertPost } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';

const nobody = { editorId: null };

async function publish(app: TestApp, coverMediaId: string, coverAlt = '') {
  const fields = { title: 'Harbour', coverMediaId, coverAlt };
  return createPost(app, { intent: 'publish', fields, ...nobody });
}
const coverOf = async (app: TestApp, slug: string) => (await findPost(app, slug))!.cover!.alt;
const edit = (app: TestApp, postId: string, fields: object) =>
  editPost(app, { postId, intent: 'save', fields, ...nobody });

describeWithApp('a picture’s description', (getApp, dialect) => {
  it('belongs to its use in a post: changing the library’s changes no post', async () => {
    const app = getApp();
    const media = await createMedia(app, { alt: 'Boats' });
    const post = await publish(app, media.id);
    expect(await coverOf(app, post.slug)).toBe('Boats');
    await describeMedia(app, media.id, 'Something else');
    expect(await coverOf(app, post.slug)).toBe('Boats');
    expect(await coverOf(app, (await publish(app, media.id)).slug)).toBe('Something else');
    expect(await coverOf(app, (await publish(app, media.id, 'My words')).slug)).toBe('My words');
  });

  it('is not changed by a second upload of the same picture', async () => {
    const app = getApp();
    const upload = { bytes: await picture(), originalName: 'a.jpg', uploadedById: null };
    const media = await storeMedia(app, upload);
    const post = await publish(app, media.id);
    await storeMedia(app, { ...upload, alt: 'A passage from another source' });
    expect(await coverOf(app, post.slug)).toBe('');
  });

  it('can be cleared, and a saved form does not bring the library’s back', async () => {
    const app = getApp();
    const media = await createMedia(app, { alt: 'Boats' });
    const post = await publish(app, media.id);
    await edit(app, post.id, { coverAlt: '', coverMediaId: media.id });
    await edit(app, post.id, { title: 'Harbour again', coverAlt: '', coverMediaId: media.id });
    expect(await coverOf(app, post.slug)).toBe('');
  });

  it('of a new cover is the library’s, also when the form still holds the old cover’s', async () => {
    const app = getApp();
    const [boats, hills] = [
      await createMedia(app, { alt: 'Boats' }),
      await createMedia(app, { alt: 'Hills' }),
    ];
    const post = await publish(app, boats.id);
    await edit(app, post.id, { coverMediaId: hills.id, coverAlt: 'Boats' });
    expect(await coverOf(app, post.slug)).toBe('Hills');
    await edit(app, post.id, { coverMediaId: boats.id, coverAlt: 'Boats at dawn' });
    expect(await coverOf(app, post.slug)).toBe('Boats at dawn');
  });

  it('comes with the cover of a scheduled update', async () => {
    const app = getApp();
    const [boats, hills] = [
      await createMedia(app, { alt: 'Boats' }),
      await createMedia(app, { alt: 'Hills' }),
    ];
    const post = await publish(app, boats.id);
    const changeAt = new Date(app.clock.now().getTime() + 60_000);
    const fields = { coverMediaId: hills.id };
    await scheduleUpdate(app, { postId: post.id, version: 1, fields, changeAt, ...nobody });
    await describeMedia(app, hills.id, 'Changed meanwhile');
    app.clock.advance(60_000);
    await publishDue(app, 'command');
    expect(await coverOf(app, post.slug)).toBe('Hills');
  });

  it('stays what readers saw when an older database is migrated', async () => {
    const app = getApp();
    const media = await createMedia(app, { alt: 'Boats' });
    const own = { status: 'published', coverMediaId: media.id };
    const bare = await insertPost(app, { ...own, title: 'A' });
    const described = await insertPost(app, { ...own, title: 'B', coverAlt: 'Mine' });
    const without = await insertPost(app, { title: 'C', status: 'published' });
    const { sql } = migrationsOf(dialect).find(({ name }) => name.endsWith('_descriptions_of_covers'))!;
    await app.db.$executeRawUnsafe(sql);
    const alts = await app.db.post.findMany({
      where: { id: { in: [bare.id, described.id, without.id] } },
      select: { coverAlt: true },
      orderBy: { title: 'asc' },
    });
    expect(alts.map(({ coverAlt }) => coverAlt)).toEqual(['Boats', 'Mine', '']);
  });
});
