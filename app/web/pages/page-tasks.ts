import { LRUCache } from 'lru-cache';
import type { AppServices } from '#app/app.ts';
import { createServices } from '#app/compose.server.ts';
import { ReusedDatabases } from '#app/platform/database/reused.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import type { SitePlan } from '#app/time-travel/prepare-site.server.ts';
import { createScratchApp, type ScratchApp } from '#app/time-travel/scratch-site.server.ts';
import { AWAKE_MS, KEPT_SITES } from '#app/time-travel/scratch-sites.server.ts';
import { instantText } from '#app/ui/time.tsx';
import type { PageTasks } from '#app/workers/page-tasks.ts';
import { loadBuild } from './build.ts';
import { createRenderPublicPage } from './public-pages.ts';
import { createSiteViews, type ViewAnswer } from './site-views.ts';

/** The largest answer in bytes: several times the largest file of a sitemap. */
const BYTES_MAX = 32 * 1024 * 1024;

interface Kept {
  scratch: ScratchApp<AppServices>;
  resting?: NodeJS.Timeout;
}

/**
 * Renders the pages of scratch sites one after the other, in a process of its own. Uses the same build and the same
 * code for requests as the server.
 */
export async function createPageTasks(): Promise<PageTasks> {
  const viewsOf = createSiteViews(createRenderPublicPage(await loadBuild()));
  const databases = new ReusedDatabases();
  const sites = new LRUCache<string, Kept>({
    max: KEPT_SITES,
    dispose: ({ scratch, resting }) => {
      clearTimeout(resting);
      void scratch.close();
    },
  });
  let services: AppServices | undefined;

  function siteOf(plan: SitePlan): Kept {
    const known = sites.get(plan.folder);
    if (known) return known;
    services ??= createServices(plan.env);
    const site = { scratch: createScratchApp(services, databases, plan) };
    sites.set(plan.folder, site);
    return site;
  }

  return {
    async renderPage(plan, { address, base }) {
      const site = siteOf(plan);
      clearTimeout(site.resting);
      try {
        const app = await site.scratch.open();
        const { site_timezone: timeZone } = await readShared(app, 'settings', readSettings);
        const bar = previewBar({ instant: plan.instant, now: plan.now, timeZone });
        const answer = await viewsOf(app)(address, { base, bar, moves: 'everything' });
        const { status, headers, body } = answer;
        return { status, headers: [...headers], body: await readBody(body) };
      } finally {
        site.resting = setTimeout(() => void site.scratch.closeDatabase().catch(() => {}), AWAKE_MS).unref();
      }
    },
  };
}

/** @throws AppError `unavailable` for a body that is too large to be copied between processes */
async function readBody(body: ViewAnswer['body']): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const parts = typeof body === 'string' ? [Buffer.from(body)] : (body as AsyncIterable<Uint8Array> | null);
  for await (const chunk of parts ?? []) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new AppError('unavailable', 'This page is too large for a preview.');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, bytes));
}

/**
 * The bar above a page of a preview: the only element that readers' pages lack. The site's stylesheet has its styles.
 */
function previewBar(preview: { instant: Date; now: Date; timeZone: string }): string {
  const { instant, now, timeZone } = preview;
  const text = instantText(instant, { timeZone, language: 'en', style: 'full' });
  const words = instant > now ? 'This is the site as it will be on' : 'This is the site as it was on';
  const time = `<time datetime="${instant.toISOString()}">${text}</time>`;
  return `<aside id="site-preview" lang="en" aria-label="Preview">${words} ${time} (${timeZone}). Not public.</aside>`;
}
