import { beforeAll, expect, it } from 'vitest';
import { listMediaUses, listSomeMediaUses } from '#app/media/library/queries.server.ts';
import { storeMedia } from '#app/media/library/store-media.server.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { checkCounts } from '#app/publishing/change/rebuild-counts.server.ts';
import { replaceMedia } from '#app/publishing/media/change.server.ts';
import { purgeMedia, trashMedia } from '#app/publishing/media/trash.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { siteFrameOf } from '#app/site/shell/frame.server.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { createPost as createRow, createUser } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';
import { at, keepChange, publishPost, scheduleRelease } from '#tests/support/releases.ts';

const file = async (seed: number, height = 300) => ({
  originalName: `${seed}.jpg`,
  bytes: await picture({ width: 600, height, seed }),
  uploadedById: null,
});
const upload = async (app: TestApp, seed: number) => storeMedia(app, await file(seed));

describeWithOneApp('the uses of a picture', (getApp) => {
  let shown: Awaited<ReturnType<typeof upload>>;
  let prepared: typeof shown;
  let posts: Record<'first' | 'second' | 'cover', { id: string }>;
  const uses = async (media: typeof shown) =>
    (await listMediaUses(getApp(), media)).map(({ title }) => title).sort();
  const setStatus = (id: string, status: string) =>
    getApp().db.post.updateMany({ where: { id }, data: { status } });

  beforeAll(async () => {
    const app = getApp();
    [shown, prepared] = [await upload(app, 1), await upload(app, 2)];
    const copy = `/uploads/${shown.path.replace(/\.\w+$/, '-320.webp')}`;
    const made = { status: 'published', body: `![Boats](/uploads/${shown.path})` };
    posts = {
      first: await createRow(app, { ...made, title: 'First' }),
      second: await createRow(app, { ...made, title: 'Second', body: `[Boats](${copy}?v=1#top)` }),
      cover: await createRow(app, { title: 'Cover', coverMediaId: shown.id }),
    };
    await createRow(app, { title: 'Other', body: `![Boats](/uploads/${shown.path.replace('/', '/9')})` });
  });

  it('are the posts whose text or cover it is, of which a list names the first', async () => {
    expect(await uses(shown)).toEqual(['Cover', 'First', 'Second']);
    const all = await listMediaUses(getApp(), shown);
    expect(await listSomeMediaUses(getApp(), shown, 2)).toEqual({ uses: all.slice(0, 2), isCut: true });
    expect(await listSomeMediaUses(getApp(), shown, 3)).toEqual({ uses: all, isCut: false });
  });

  it('follow a scheduled update', async () => {
    const { db, clock } = getApp();
    const body = `"quoted" ![](/uploads/${prepared.path})`;
    const fields = JSON.stringify({ body, coverMediaId: shown.id });
    const [postId, at] = [posts.first.id, clock.now()];
    await db.scheduledUpdate.create({ data: { postId, fields, dueAt: at, createdAt: at } });
    await db.post.update({ where: { id: postId }, data: { body: '', bodyHtml: '' } });
    expect([await uses(shown), await uses(prepared)]).toEqual([['Cover', 'First', 'Second'], ['First']]);
    await db.scheduledUpdate.update({ where: { postId }, data: { fields: '{"body' } });
    expect([await uses(shown), await uses(prepared)]).toEqual([['Cover', 'Second'], []]);
  });

  it('follow a post into the trash and back', async () => {
    await setStatus(posts.second.id, 'trashed');
    expect([await uses(shown), await uses(prepared)]).toEqual([['Cover'], []]);
    await setStatus(posts.second.id, 'draft');
    expect(await uses(shown)).toEqual(['Cover', 'Second']);
    expect(await checkCounts(getApp(), { repair: false })).toMatchObject({ misplaced: 0 });
  });

  it('are repaired where they are wrong, and go with the posts', async () => {
    const { db } = getApp();
    await db.fileMention.updateMany({ where: { owner: posts.second.id }, data: { file: '2026/11/other' } });
    expect(await checkCounts(getApp(), { repair: true })).toMatchObject({ misplaced: 2, repaired: true });
    expect(await uses(shown)).toEqual(['Cover', 'Second']);
    await db.post.deleteMany({ where: { id: { not: posts.cover.id } } });
    expect(await db.fileMention.count()).toBe(0);
  });
});

describeWithApp('a picture in use', (getApp) => {
  it('as the logo stands in every page with its size, and can be replaced but not deleted', async () => {
    const app = getApp();
    const old = await upload(app, 1);
    await changeSettings(app, { site_logo: `/uploads/${old.path}` });
    expect((await siteFrameOf(app, {})).logo).toMatchObject({
      src: `/uploads/${old.path}`,
      width: 600,
      height: 300,
    });
    await expect(trashMedia(app, byCommand, old.id)).rejects.toThrow(/the site’s logo/);

    const successor = await replaceMedia(app, byCommand, old.id, await file(2, 500));
    expect((await siteFrameOf(app, {})).logo).toMatchObject({
      src: `/uploads/${successor.path}`,
      height: 500,
    });
    await changeSettings(app, { site_logo: '' });
    await trashMedia(app, byCommand, successor.id);
    expect((await siteFrameOf(app, {})).logo).toBeNull();
  });

  it.each(['../../etc/passwd', 'https://cdn.example/logo.png', '/uploads/../x.png', 'javascript:alert(1)'])(
    'a logo can only be a picture of the library, not %s',
    async (address) => {
      await expect(changeSettings(getApp(), { site_logo: address })).rejects.toMatchObject({
        code: 'invalid_input',
        fields: { site_logo: [expect.stringContaining('Logo must be')] },
      });
    },
  );

  it('of a category, tag or author is not deleted, and is replaced there too', async () => {
    const app = getApp();
    const term = { slug: 'sea', name: 'Sea', createdAt: app.clock.now(), updatedAt: app.clock.now() };
    const shown = await upload(app, 1);
    const picture = `/uploads/${shown.path}`;
    const { id } = await app.db.category.create({ data: { ...term, id: 'category-1', picture } });
    await expect(trashMedia(app, byCommand, shown.id)).rejects.toThrow(/the category “Sea”/);
    const successor = await replaceMedia(app, byCommand, shown.id, await file(2, 500));
    const { picture: now } = await app.db.category.findUniqueOrThrow({ where: { id } });
    expect(now).toBe(`/uploads/${successor.path}`);
    await app.db.category.update({ where: { id }, data: { picture: '' } });
    await app.db.tag.create({ data: { ...term, id: 'tag-1', picture: now } });
    await expect(trashMedia(app, byCommand, successor.id)).rejects.toThrow(/the tag “Sea”/);
    await app.db.tag.update({ where: { id: 'tag-1' }, data: { picture: '' } });
    const author = await createUser(app, { displayName: 'Ada' });
    await app.db.user.update({ where: { id: author.id }, data: { picture: now } });
    await expect(trashMedia(app, byCommand, successor.id)).rejects.toThrow(/the author “Ada”/);
    await app.db.user.update({ where: { id: author.id }, data: { picture: '' } });
    await trashMedia(app, byCommand, successor.id);
  });

  it('of an embedded film is not deleted while a text has the film, and never replaced', async () => {
    const app = getApp();
    const shown = await upload(app, 1);
    const url = 'https://www.youtube.com/watch?v=abcdefghijk';
    const frame = 'https://www.youtube-nocookie.com/embed/abcdefghijk';
    const facade = {
      provider: 'YouTube',
      title: 'A film',
      frame,
      picture: { src: `/uploads/${shown.path}`, width: 600, height: 300 },
    };
    const details = JSON.stringify(facade);
    await app.db.embed.create({ data: { url, details, fetchedAt: app.clock.now() } });
    const post = await createPost(app, {
      intent: 'publish',
      fields: { title: 'With a film', body: url },
      editorId: null,
    });
    await expect(trashMedia(app, byCommand, shown.id)).rejects.toThrow(/“With a film”/);
    await expect(replaceMedia(app, byCommand, shown.id, await file(2))).rejects.toThrow(/embedded film/);
    await editPost(app, { postId: post.id, intent: 'save', fields: { body: 'Some text' }, editorId: null });
    await trashMedia(app, byCommand, shown.id);
    // A text that names the film again gets another picture.
    expect(await app.db.embed.findUnique({ where: { url } })).toMatchObject({ details: '' });
  });

  it('by a post or its scheduled update is not deleted, and gets its size where it is shown', async () => {
    const app = getApp();
    const [inBody, prepared, cover] = [await upload(app, 1), await upload(app, 2), await upload(app, 3)];
    const body = `![Boats](/uploads/${inBody.path})`;
    const post = await createPost(app, {
      intent: 'publish',
      fields: { title: 'With a picture', body },
      editorId: null,
    });
    const { bodyHtml } = await app.db.post.findUniqueOrThrow({ where: { id: post.id } });
    expect(bodyHtml).toMatch(/<img [^>]*width="600" height="300"/);
    await scheduleUpdate(app, {
      postId: post.id,
      version: 1,
      fields: { body: `![Boats](/uploads/${prepared.path})`, coverMediaId: cover.id },
      editorId: null,
      changeAt: new Date(app.clock.now().getTime() + 3_600_000),
    });
    for (const { id } of [inBody, prepared, cover])
      await expect(trashMedia(app, byCommand, id)).rejects.toThrow('Posts use this file: “With a picture”');
    expect(await app.db.media.count()).toBe(3);
  });

  it('leaves the trash when a text that was being written meanwhile is saved with it', async () => {
    const app = getApp();
    const [first, second, other] = [await upload(app, 1), await upload(app, 2), await upload(app, 3)];
    for (const { id } of [first, second, other]) await trashMedia(app, byCommand, id);
    const naming = ({ path }: typeof first) => ({
      body: `![Boats](/uploads/${path.replace('.jpg', '-480.webp')})`,
    });
    const inTrash = async () => (await app.db.trashItem.findMany()).map(({ id }) => id).sort();
    const fields = { title: 'Boats', body: `![Boats](/uploads/${first.path})` };
    const { id: postId } = await createPost(app, { intent: 'save', fields, editorId: null });
    expect(await inTrash()).toEqual([second.id, other.id].sort());
    await editPost(app, { postId, intent: 'publish', fields: naming(second), editorId: null });
    expect(await inTrash()).toEqual([other.id]);
    const trashed = await app.db.media.findMany({ where: { trashedAt: { not: null } } });
    expect(trashed.map(({ id }) => id)).toEqual([other.id]);
    const entries = await app.db.auditLog.findMany({ where: { action: 'media.restored' } });
    expect(entries.map(({ subject }) => subject)).toEqual(['1.jpg', '2.jpg']);
  });

  it('leaves the trash for a release and a scheduled update, and is never deleted while something names it', async () => {
    const app = getApp();
    const [kept, dated, named] = [await upload(app, 1), await upload(app, 2), await upload(app, 3)];
    const post = await publishPost(app, 'boats');
    const release = await scheduleRelease(app, 60);
    const editorId = null;
    const naming = ({ path }: typeof kept) => ({ body: `![Boats](/uploads/${path})` });
    for (const { id } of [kept, dated, named]) await trashMedia(app, byCommand, id);
    await keepChange(app, release.id, post, naming(kept));
    const update = { postId: post.id, version: post.version, fields: naming(dated), editorId };
    await scheduleUpdate(app, { ...update, changeAt: at(90) });
    expect((await app.db.trashItem.findMany()).map(({ id }) => id)).toEqual([named.id]);
    // As a version of Dateline left it that did not restore named files.
    await app.db.post.update({ where: { id: post.id }, data: { coverMediaId: named.id } });
    await expect(purgeMedia(app, byCommand, named.id)).rejects.toThrow('Posts use this file: “boats”');
    await app.db.post.update({ where: { id: post.id }, data: { coverMediaId: null } });
    await purgeMedia(app, byCommand, named.id);
    expect(await app.db.media.count()).toBe(2);
  });
});
