// The copy that shows the site at an instant leaves everything of the site as it is.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import nodePath from 'node:path';
import { expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { createPost as writePost, editPost } from '#app/publishing/posts/save.server.ts';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { loader } from '#app/site/previews/site-preview.route.ts';
import { SCRATCH_PREFIX, type ScratchSite } from '#app/time-travel/scratch-site.server.ts';
import { KEPT_SITES } from '#app/time-travel/scratch-sites.server.ts';
import { createSitePreview } from '#app/time-travel/site-previews.server.ts';
import { createWorkers, type Workers } from '#app/workers/workers.server.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { openScratchSite } from '#tests/support/scratch-site.ts';

const HOUR = 3_600_000;

/** Opens a site, which is kept then, and adds a file. @returns its folder */
async function keepLargeSite(app: TestApp, instant: Date, megabytes: number): Promise<string> {
  const folder = await app.scratchSites.use(app, instant, ({ plan }) => Promise.resolve(plan.folder));
  const file = nodePath.join(folder, 'large');
  await writeFile(file, '');
  await truncate(file, megabytes * 1024 ** 2);
  return folder;
}

describeWithApp('the site at a future instant', (getApp) => {
  it('removes no file: neither one that is being uploaded nor one whose hour is not over', async () => {
    const app = getApp();
    const path = '2026/11/uploaded-now.webp';
    const file = nodePath.join(app.env.uploadsDir, path);
    const half = nodePath.join(app.env.uploadsDir, '.unfinished-half');
    await mkdir(nodePath.dirname(file), { recursive: true });
    for (const name of [file, half]) {
      await writeFile(name, 'bytes');
      await utimes(name, app.clock.now(), app.clock.now());
    }
    const removeAfter = new Date(app.clock.now().getTime() + HOUR);
    await app.db.mediaRemoval.create({ data: { path, removeAfter } });
    await createPost(app, { title: 'Later', slug: 'later', status: 'scheduled' });
    const site = await openScratchSite(app, new Date(app.clock.now().getTime() + 60 * 24 * HOUR));
    expect(await site.app.db.post.findFirst({ select: { status: true } })).toEqual({ status: 'published' });
    await site.close();
    for (const name of [file, half]) expect(await readFile(name, 'utf8')).toBe('bytes');
    expect(await app.db.mediaRemoval.count()).toBe(1);
    expect(await app.db.publishRun.count()).toBe(0);
  });
});

describeWithApp('the site at any instant', (getApp) => {
  it('is removed at once when the server stops, which has little time', async () => {
    const app = getApp();
    // In steps of 4 MB, 5 ms apart, it takes more than five seconds.
    const folder = await keepLargeSite(app, app.clock.now(), 4 * 1024);
    const began = performance.now();
    await app.scratchSites.close();
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(existsSync(folder)).toBe(false);
  });

  it('is removed before the process stops where newer ones have replaced it', async () => {
    const app = getApp();
    const folder = await keepLargeSite(app, app.clock.now(), 400);
    for (let hours = 1; hours <= KEPT_SITES; hours += 1)
      await keepLargeSite(app, new Date(app.clock.now().getTime() + hours * HOUR), 0);
    await app.scratchSites.close();
    expect(existsSync(folder)).toBe(false);
  });

  it('makes room for a newer one that is ready, unless one was used less recently', async () => {
    const app = getApp();
    const show = (hours: number, whenReady = () => {}) =>
      app.scratchSites.use(app, new Date(app.clock.now().getTime() + hours * HOUR), ({ plan }) => {
        whenReady();
        return Promise.resolve(plan.folder);
      });
    const folders: string[] = [];
    for (let hours = 1; hours <= KEPT_SITES; hours += 1) folders.push(await show(hours));
    const [first, second] = folders as [string, string];
    expect(await show(1)).toBe(first);
    let wasThere = false;
    await show(KEPT_SITES + 1, () => void (wasThere = existsSync(second)));
    expect(wasThere).toBe(true);
    await expect.poll(() => existsSync(second)).toBe(false);
    expect(await show(1)).toBe(first);
  });

  it('is removed before the process stops where it was forgotten while in use', async () => {
    const app = getApp();
    await app.scratchSites.use(app, app.clock.now(), async ({ plan }) => {
      app.scratchSites.forget();
      await app.scratchSites.close();
      expect(existsSync(plan.folder)).toBe(false);
    });
  });

  it('stays kept when an older one, which was forgotten while it was made, fails', async () => {
    const app = getApp();
    let fail!: (error: Error) => void;
    const prepareSite = () => new Promise<void>((_, reject) => (fail = reject));
    const folderOf = (other: App) =>
      app.scratchSites.use(other, app.clock.now(), ({ plan }) => Promise.resolve(plan.folder));
    const older = folderOf({ ...app, workers: { ...app.workers, prepareSite } });
    await expect.poll(() => fail).toBeDefined();
    app.scratchSites.forget();
    const folder = await folderOf(app);
    fail(new Error('No space is left.'));
    await expect(older).rejects.toThrow('No space is left.');
    expect(await folderOf(app)).toBe(folder);
  });

  it('gives its database client to the next site while it rests, and shows its own content again', async () => {
    const app = getApp();
    const now = app.clock.now();
    const publishedAt = new Date(now.getTime() + 2 * HOUR);
    await createPost(app, { slug: 'later', status: 'scheduled', publishedAt });
    const openIn = (hours: number) => openScratchSite(app, new Date(now.getTime() + hours * HOUR));
    const before = await openIn(1);
    const { db: client } = before.app;
    const countPublished = async (site: ScratchSite<App>) =>
      (await site.open()).db.post.count({ where: { status: 'published' } });
    expect(await countPublished(before)).toBe(0);
    await before.closeDatabase();
    const after = await openIn(3);
    expect(after.app.db).toBe(client);
    expect(await countPublished(after)).toBe(1);
    expect(await countPublished(before)).toBe(0);
    for (const site of [before, after]) await site.close();
  });

  it('knows which old addresses of an imported blog lead on, and what lies in the trash', async () => {
    const app = getApp();
    const { id } = await createPost(app, { slug: 'hello', status: 'published', version: 1 });
    const now = app.clock.now();
    const times = { createdAt: now, updatedAt: now };
    const itemKey = 'https://old.example.org/?p=207';
    await app.db.importItem.create({
      data: { source: 'wordpress', itemKey, contentHash: '', postId: id, ...times },
    });
    const gone = await createPost(app, { slug: 'gone', version: 1 });
    await trashPost(app, { postId: gone.id, version: 1, editorId: null });
    const trashed = await app.db.trashItem.count();
    for (const ahead of [-HOUR, HOUR]) {
      const site = await openScratchSite(app, new Date(now.getTime() + ahead));
      expect(await findRedirect(site.app, '/feed')).toBe('/rss.xml');
      expect(await site.app.db.trashItem.count()).toBe(trashed);
      await site.close();
    }
  });
});

describeWithApp('the site at an instant, made in a worker thread', (getApp) => {
  it('is there with its search, and the thread sees what this process has committed', async () => {
    const app = getApp();
    await createPost(app, { title: 'Harbour', slug: 'harbour', status: 'scheduled' });
    const workers = createWorkers();
    const later = new Date(app.clock.now().getTime() + 60 * 24 * HOUR);
    const site = await openScratchSite({ ...app, workers }, later);
    try {
      expect(await site.app.db.post.findFirst({ select: { status: true } })).toEqual({ status: 'published' });
      const query = { text: 'harbour', categoryId: null, tagId: null, excludedIds: [], offset: 0, limit: 10 };
      const [post] = await site.app.db.post.findMany({ select: { id: true } });
      await site.prepareSearch();
      expect(await site.app.search.search(query)).toMatchObject({ ids: [post!.id] });
    } finally {
      await site.close();
      await workers.close();
    }
  });

  it('is given up when the server stops, and leaves no file', async () => {
    const app = getApp();
    const before = await foldersOfSites();
    const workers = createWorkers();
    // The server stops while a thread makes the copy; a moment later a small one might be ready.
    const prepareSite: Workers['prepareSite'] = async (plan) => {
      expect(await foldersOfSites()).not.toEqual(before);
      await Promise.all([workers.prepareSite(plan), workers.close()]);
    };
    const opening = openScratchSite({ ...app, workers: { ...workers, prepareSite } }, app.clock.now());
    await expect(opening).rejects.toMatchObject({ code: 'unavailable' });
    expect(await foldersOfSites()).toEqual(before);
  });
});

describeWithApp('a link to the site at an instant', (getApp) => {
  it('says that it has to wait, and is kept by nobody then', async () => {
    const app = getApp();
    const { id: createdById } = await createUser(app);
    const instant = new Date(app.clock.now().getTime() + HOUR);
    const { path } = await createSitePreview(app, { instant, isShared: true, createdById });
    const prepareSite = () =>
      Promise.reject(new AppError('unavailable', 'Too many wait.', { retryAfter: 60 }));
    const answer = await loader({
      request: new Request(`https://blog.example.org${path}de/feed.json`),
      params: { token: path.split('/').at(-2)! },
      context: {
        app: { ...app, workers: { ...app.workers, prepareSite } },
        renderSiteView: () => Promise.reject(new Error('There is no site to show.')),
      },
    });
    expect(answer.status).toBe(503);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'retry-after': '60',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    });
  });
});

describeWithApp('the site at a past instant', (getApp) => {
  it('says that posts were updated when they had been by then', async () => {
    const app = getApp();
    const fields = { title: 'Kept', body: 'Text.' };
    const { id: postId } = await writePost(app, { intent: 'publish', fields, editorId: null });
    const written = app.clock.now();
    const edit = async (intent: 'save' | 'archive' | 'publish') => {
      app.clock.advance(HOUR);
      const { version } = await app.db.post.findUniqueOrThrow({ where: { id: postId } });
      await editPost(app, { postId, version, intent, fields, editorId: null });
    };
    await edit('save');
    const instant = app.clock.now();
    await edit('archive');
    await edit('publish');
    const site = await openScratchSite(app, instant);
    try {
      expect(await site.app.db.post.findFirst()).toMatchObject({
        status: 'published',
        contentUpdatedAt: written,
      });
    } finally {
      await site.close();
    }
  });
});

async function foldersOfSites(): Promise<string[]> {
  const own = `${SCRATCH_PREFIX}${process.pid}-`;
  return (await readdir(tmpdir())).filter((name) => name.startsWith(own));
}
