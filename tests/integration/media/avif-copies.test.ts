import { beforeAll, expect, it } from 'vitest';
import { isTrashedFile, pathsOf } from '#app/media/library/queries.server.ts';
import { storeMedia, type Media } from '#app/media/library/store-media.server.ts';
import { sweepRemovedMedia } from '#app/media/library/sweep.server.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { publicImage } from '#app/posts/pictures/public-image.ts';
import { makeAvifCopies } from '#app/publishing/media/make-avif-copies.server.ts';
import { trashMedia } from '#app/publishing/media/trash.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';

const upload = async (app: TestApp, seed: number, format: 'jpeg' | 'png' = 'jpeg') =>
  storeMedia(app, {
    originalName: `${seed}.${format}`,
    bytes: await picture({ width: 1_000, height: 500, seed, format }),
    uploadedById: null,
  });

const publish = async (app: TestApp, fields: { slug: string; body: string; coverMediaId?: string }) => {
  const { id: editorId } = await createUser(app, { role: 'admin' });
  return createPost(app, { intent: 'publish', fields: { title: fields.slug, ...fields }, editorId });
};

const reload = (app: TestApp, { id }: Media) => app.db.media.findUniqueOrThrow({ where: { id } });
const exists = async (app: TestApp, path: string) => (await app.mediaStore.head(path)) !== null;

/** The keys of the changes since a version. */
async function keysSince(app: TestApp, version: number): Promise<string[]> {
  const rows = await app.db.contentChange.findMany({ where: { version: { gt: version } } });
  return rows.flatMap(({ keys }) => JSON.parse(keys) as string[]).sort();
}

const findPost = (app: TestApp, id: string) => app.db.post.findUniqueOrThrow({ where: { id } });
const versionOf = async (app: TestApp) =>
  (await app.db.siteState.findUniqueOrThrow({ where: { id: 1 } })).contentVersion;

describeWithOneApp('AVIF copies', (getApp) => {
  let body: string;
  let shown: Media;
  let covered: { id: string };
  /** The post that shows the picture, before copies were made. */
  let before: Awaited<ReturnType<typeof findPost>>;
  let contentVersion: number;
  let revisions: number;

  beforeAll(async () => {
    const app = getApp();
    shown = await upload(app, 1);
    const [cover, screenshot] = [await upload(app, 2), await upload(app, 3, 'png')];
    body = `Words.\n\n![A "boat" > 1](/uploads/${shown.path})\n\n![Screen](/uploads/${screenshot.path})`;
    const { id } = await publish(app, { slug: 'text', body });
    covered = await publish(app, { slug: 'covered', body: 'x', coverMediaId: cover.id });
    await publish(app, { slug: 'other', body: 'y' });
    before = await findPost(app, id);
    contentVersion = await versionOf(app);
    revisions = await app.db.revision.count();
    const made = await makeAvifCopies(app, { seconds: 60 });
    expect(made).toMatchObject({ pictures: 2, failed: 0, waiting: 0 });
  });

  it('are made of photographs in each width', async () => {
    const app = getApp();
    const paths = pathsOf(await reload(app, shown)).filter((path) => path.endsWith('.avif'));
    expect(paths.map((path) => path.replace(/^.*-/, ''))).toEqual(['480.avif', '1000.avif']);
    for (const path of paths) expect(await exists(app, path)).toBe(true);
    expect(await app.db.mediaRemoval.count()).toBe(0);
  });

  it('are offered by the pages that show the picture, and change nothing else', async () => {
    const app = getApp();
    const after = await findPost(app, before.id);
    const { avifSrcSet, srcSet } = publicImage(await reload(app, shown));
    expect(srcSet).toBe(publicImage(shown).srcSet);
    const img = /<img [^]*?srcset="[^"]*" sizes="([^"]*)"[^>]*>/.exec(before.bodyHtml)!;
    const source = `<source type="image/avif" srcset="${avifSrcSet}" sizes="${img[1]}">`;
    expect(after.bodyHtml).toBe(before.bodyHtml.replace(img[0], `<picture>${source}${img[0]}</picture>`));
    expect({ ...after, bodyHtml: '' }).toEqual({ ...before, bodyHtml: '' });
    expect(await app.db.revision.count()).toBe(revisions);
    expect(await keysSince(app, contentVersion)).toEqual(
      [covered.id, before.id].flatMap((id) => [`post:${id}`, `teaser:${id}`]).sort(),
    );
  });

  it('are rendered by a later save too, and a second run finds nothing', async () => {
    const app = getApp();
    const { bodyHtml, version } = await findPost(app, before.id);
    const { id: editorId } = await createUser(app, { role: 'admin' });
    const fields = { body: `${body}\n` };
    await editPost(app, { postId: before.id, version, intent: 'save', fields, editorId });
    expect((await findPost(app, before.id)).bodyHtml).toBe(bodyHtml);
    const nothing = { pictures: 0, bytes: 0, failed: 0, waiting: 0 };
    expect(await makeAvifCopies(app, { seconds: 60 })).toEqual(nothing);
    expect(await versionOf(app)).toBe(contentVersion + 2);
  });
});

describeWithApp('AVIF copies', (getApp) => {
  it('go to the trash and leave with their picture', async () => {
    const app = getApp();
    const media = await upload(app, 4);
    await makeAvifCopies(app, { seconds: 60 });
    const path = pathsOf(await reload(app, media)).find((name) => name.endsWith('.avif'))!;
    await trashMedia(app, byCommand, media.id);
    expect(await isTrashedFile(app, path)).toBe(true);
    await upload(app, 4);
    expect(await isTrashedFile(app, path)).toBe(false);
    expect(await exists(app, path)).toBe(true);
  });

  it('are made by one of two runs at the same time, and all files have a row', async () => {
    const app = getApp();
    for (const seed of [5, 6, 7]) await upload(app, seed);
    const runs = await Promise.all([1, 2].map(() => makeAvifCopies(app, { seconds: 60 })));
    expect(runs[0]!.pictures + runs[1]!.pictures).toBe(3);
    app.clock.advance(2 * 3_600_000);
    await sweepRemovedMedia(app);
    const named = (await app.db.media.findMany()).flatMap(pathsOf).sort();
    const stored: string[] = [];
    for await (const { path } of app.mediaStore.list()) stored.push(path);
    expect(stored.sort()).toEqual(named);
  });

  it('wait for a later run when the time is up; a picture without its file stops no other', async () => {
    const app = getApp();
    const [lost, good] = [await upload(app, 8), await upload(app, 9)];
    expect(await makeAvifCopies(app, { seconds: 0 })).toMatchObject({ pictures: 0, waiting: 2 });
    await app.mediaStore.delete(lost.path);
    expect(await makeAvifCopies(app, { seconds: 60 })).toMatchObject({ pictures: 1, failed: 1, waiting: 0 });
    expect(publicImage(await reload(app, good)).avifSrcSet).not.toBe('');
  });

  it('of a category’s picture concern every page', async () => {
    const app = getApp();
    const media = await upload(app, 10);
    const times = { createdAt: app.clock.now(), updatedAt: app.clock.now() };
    const picture = `/uploads/${media.path}`;
    await app.db.category.create({ data: { id: 'c', slug: 'sea', name: 'Sea', picture, ...times } });
    await makeAvifCopies(app, { seconds: 60 });
    expect(await keysSince(app, 0)).toEqual(['*']);
  });
});
