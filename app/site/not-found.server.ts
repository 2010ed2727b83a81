import { data } from '@remix-run/node';
import type { App } from '#app/app.ts';
import { readShared } from '#app/platform/shared-reads.ts';
import { listNewestLinks } from '#app/posts/queries.server.ts';

/**
 * Makes the 404 page that a loader throws for every unknown address: the same for all, with some recent posts.
 */
export async function notFound(app: Pick<App, 'db' | 'recordKeys' | 'sharedReads'>) {
  const recent = await readShared(app, 'newest', (reader) => listNewestLinks(reader, 5));
  return data({ recent }, { status: 404 });
}
