import { EVERY_PAGE } from '#app/platform/http/page-keys.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import type { Reading } from '#app/platform/services.ts';
import { findPicture } from '#app/posts/pictures/queries.server.ts';
import { articleColumns, authorColumns, type Named } from './public-post.ts';

/**
 * A category's name, shared by all pages that show it. Prisma joins several of these reads in one turn into one query.
 */
export function readCategoryName(app: Reading, id: string | null): Promise<Named | null> {
  return share(app, 'category', id, (where) =>
    app.db.category.findUnique({ where, ...articleColumns.category }),
  );
}

/** A tag's name, shared in the same way. */
export function readTagName(app: Reading, id: string): Promise<Named | null> {
  return share(app, 'tag', id, (where) =>
    app.db.tag.findUnique({ where, ...articleColumns.tags.select.tag }),
  );
}

/** An author as a post's own page shows one. */
export function readAuthor(app: Reading, id: string | null) {
  return share(app, 'author', id, async (where) => {
    const user = await app.db.user.findUnique({ where, ...authorColumns });
    return user && { ...user, picture: await findPicture(app, user.picture) };
  });
}

// So many pages show each name that a changed name concerns every page.
async function share<T>(
  app: Reading,
  kind: string,
  id: string | null,
  read: (where: { id: string }) => Promise<T | null>,
): Promise<T | null> {
  if (id === null) return null;
  return readShared(app, `${kind} ${id}`, (reader) => {
    reader.recordKeys?.(EVERY_PAGE);
    return read({ id });
  });
}
