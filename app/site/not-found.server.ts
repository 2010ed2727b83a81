import { data } from '@remix-run/node';
import type { App } from '#app/app.ts';
import { readShared } from '#app/platform/shared-reads.ts';
import { listNewestLinks } from '#app/posts/queries.server.ts';

/**
 * What a loader throws for every address with nothing behind it, so that all of them look the same: 404
 * with a few posts to go on with.
 */
export async function notFound(app: Pick<App, 'db' | 'recordKeys' | 'sharedReads'>) {
  const recent = await readShared(app, 'newest', (reader) => listNewestLinks(reader, 5));
  return data({ recent }, { status: 404 });
}
