import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import { createEmbeddedEngine } from '#app/search/embedded/embedded-engine.server.ts';
import type { SearchEngine } from '#app/search/engine.ts';
import { filesIn, type SitePlan } from './prepare-site.server.ts';

/** The search of a scratch site. Nothing is indexed before somebody searches. */
export function createScratchSearch({ workers }: Pick<App, 'workers'>, plan: SitePlan): SearchEngine {
  const inner = createEmbeddedEngine(filesIn(plan.folder).search);
  let made: Promise<void> | undefined;
  const notYet = () =>
    Promise.reject(new AppError('unavailable', 'Nothing is indexed before somebody searches.'));
  return {
    ...inner,
    describe: notYet,
    upsert: notYet,
    remove: notYet,
    createIndex: notYet,
    async search(...call) {
      made ??= workers.prepareSiteSearch(plan);
      await made.catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      return inner.search(...call);
    },
    close: () => inner.close(),
  };
}
