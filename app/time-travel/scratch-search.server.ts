import type { App } from '#app/app.ts';
import { copySqlite } from '#app/platform/copy-sqlite.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { drainOutbox } from '#app/search/background-drain.server.ts';
import { createEmbeddedEngine } from '#app/search/embedded/embedded-engine.server.ts';
import type { SearchEngine } from '#app/search/engine.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';

/**
 * The search of a scratch site. Nothing is indexed before somebody searches: then the site's own index is copied and
 * follows what differs, or, where that is in another engine, all posts are indexed here.
 */
export function createScratchSearch(
  site: Pick<App, 'env'>,
  file: string,
): { engine: SearchEngine; follow(scratch: App): void } {
  const inner = createEmbeddedEngine(file);
  let scratch: App | undefined;
  let made: Promise<void> | undefined;
  const make = async () => {
    if (!scratch) throw new AppError('unavailable', 'The site at this instant is not ready.');
    const own = { ...scratch, search: inner };
    const { search } = site.env;
    const isCopied = search.kind === 'embedded' && (await copySqlite(search.file, file).then(yes, no));
    if (isCopied) await drainOutbox(own, 'command');
    else await reindexPosts(own, { batchSize: 200 });
  };
  const notYet = () =>
    Promise.reject(new AppError('unavailable', 'Nothing is indexed before somebody searches.'));
  return {
    engine: {
      ...inner,
      describe: notYet,
      upsert: notYet,
      remove: notYet,
      createIndex: notYet,
      async search(...call) {
        made ??= make();
        await made;
        return inner.search(...call);
      },
      close: () => inner.close(),
    },
    follow: (app) => (scratch = app),
  };
}

const yes = () => true;
const no = () => false;
