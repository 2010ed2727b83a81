import { data } from '@remix-run/node';
import type { Reading } from '#app/platform/services.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import type { PostLink } from '#app/posts/lists/public-post.ts';
import { listNewestLinks } from '#app/posts/lists/queries.server.ts';

type RecentReader = Reading;

/** Recent posts for pages without other content. */
export function readRecentLinks(app: RecentReader): Promise<PostLink[]> {
  return readShared(app, 'newest', (reader) => listNewestLinks(reader, 5));
}

/**
 * Makes the 404 page that a loader throws for every unknown address: the same for all, with some recent posts.
 */
export async function notFound(app: RecentReader) {
  return data({ recent: await readRecentLinks(app) }, { status: 404 });
}
