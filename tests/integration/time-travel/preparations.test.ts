import { expect, it } from 'vitest';
import { AppError } from '#app/platform/errors.ts';
import { ScratchSites } from '#app/time-travel/scratch-sites.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';

describeWithApp('a site that is being made', (getApp) => {
  it('is told with its step, and with the reason when it fails', async () => {
    const app = getApp();
    const instant = new Date(app.clock.now().getTime() - 60_000);
    // Changed since: the site at the instant gets its former text.
    await createPost(app, { slug: 'first', status: 'published', createdAt: new Date(0) });
    const { prepareSite } = app.workers;
    let fail: (error: Error) => void = () => {};
    let done: () => void = () => {};
    const isMade = new Promise<void>((resolve) => (done = resolve));
    const workers = {
      ...app.workers,
      async prepareSite(...plan: Parameters<typeof prepareSite>) {
        await prepareSite(...plan);
        done();
        await new Promise((_, reject) => (fail = reject));
      },
    };
    const sites = new ScratchSites<typeof app>();
    const shown = sites.use({ ...app, workers }, instant, async () => {});
    await isMade;
    expect(await sites.preparations(app)).toEqual([
      { instant, at: expect.any(Date), progress: { step: 'rewind', done: 0, total: 1 }, failure: null },
    ]);
    fail(new AppError('unavailable', 'It took too long.'));
    await expect(shown).rejects.toThrow('It took too long.');
    expect(await sites.preparations(app)).toEqual([
      { instant, at: expect.any(Date), progress: null, failure: 'It took too long.' },
    ]);
    // Made again, it is no failure any more.
    await sites.use(app, instant, async () => {});
    expect(await sites.preparations(app)).toEqual([]);
    await sites.close();
  });
});
