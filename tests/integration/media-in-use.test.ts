import { expect, it } from 'vitest';
import { byCommand } from '#app/auth/audit.server.ts';
import { storeMedia } from '#app/media/store-media.server.ts';
import { replaceMedia } from '#app/publishing/change-media.server.ts';
import { trashMedia } from '#app/publishing/trash-media.server.ts';
import { changeSettings } from '#app/publishing/change-settings.server.ts';
import { preparePostChange } from '#app/publishing/schedule-update.server.ts';
import { createPost } from '#app/publishing/save-post.server.ts';
import { siteFrameOf } from '#app/site/frame.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { picture } from '#tests/support/images.ts';

const file = async (seed: number, height = 300) => ({
  originalName: `${seed}.jpg`,
  bytes: await picture({ width: 600, height, seed }),
  uploadedById: null,
});
const upload = async (app: TestApp, seed: number) => storeMedia(app, await file(seed));

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
    await preparePostChange(app, {
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
});
