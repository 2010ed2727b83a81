import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import { isPublicAfter } from '#app/posts/queries.server.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import type { CallOptions } from './engine.ts';
import { enqueue } from './enqueue.server.ts';

const PAGE = 1_000;

/**
 * Where the engine has no index (it is new, its file was deleted or damaged, its data was lost), marks every
 * published post and then makes an empty one: killed in between, it is done again.
 * @param call makes a call of the engine that may take as long as there is time
 * @param options.anySize false in a save, which must not wait for more than a page of posts
 * @throws AppError `unavailable` when that is too much for a save; engine errors
 */
export async function makeLostIndex(
  app: Pick<App, 'db' | 'clock' | 'search'>,
  call: <T>(work: (options: CallOptions) => Promise<T>) => Promise<T>,
  { anySize }: { anySize: boolean },
): Promise<void> {
  if (await call((options) => app.search.hasIndex(options))) return;
  let after = '';
  for (;;) {
    const posts = await app.db.post.findMany({
      where: isPublicAfter(after),
      orderBy: { id: 'asc' },
      take: PAGE,
      select: { id: true },
    });
    if (posts.length === PAGE && !anySize)
      throw new AppError('unavailable', 'The search index is lost; the next trigger makes it again.');
    await inTransaction(app.db, (tx) =>
      enqueue(
        tx,
        app.clock,
        posts.map(({ id }) => id),
      ),
    );
    if (posts.length < PAGE) break;
    after = posts.at(-1)!.id;
  }
  await call((options) => app.search.createIndex(options));
}
