// The copy that shows the site at an instant leaves everything of the site as it is.
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import nodePath from 'node:path';
import { expect, it } from 'vitest';
import { openScratchSite } from '#app/time-travel/scratch-site.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';

const HOUR = 3_600_000;

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
