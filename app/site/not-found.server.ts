import { data } from '@remix-run/node';
import type { App } from '#app/app.ts';
import { sharedByVersion } from '#app/platform/versioned-cache.ts';
import { listNewestLinks } from '#app/posts/queries.server.ts';

/**
 * What a loader throws for every address with nothing behind it, so that all of them look the same: 404
 * with a few posts to go on with.
 */
export async function notFound(app: Pick<App, 'db'>, { contentVersion }: { contentVersion?: number }) {
  const recent = await sharedByVersion(app, contentVersion, 'newest', () => listNewestLinks(app, 5));
  return data({ recent }, { status: 404 });
}
