import type { App } from '#app/app.ts';
import { openScratchSite as makeSite, type ScratchSite } from '#app/time-travel/scratch-site.server.ts';

/** Makes the site at an instant, and opens its database, as the process that renders its pages does. */
export async function openScratchSite(app: App, instant: Date): Promise<ScratchSite<App> & { app: App }> {
  const site = await makeSite(app, app.scratchSites.databases, instant);
  try {
    return { ...site, app: await site.open() };
  } catch (error) {
    await site.close();
    throw error;
  }
}
