import type { App } from '#app/app.ts';
import { EVERY_PAGE } from '#app/platform/page-keys.ts';
import { readShared } from '#app/platform/shared-reads.ts';
import { findPicture } from './find-picture.server.ts';
import { articleColumns, authorColumns, type Named } from './public-post.ts';

type Reader = Pick<App, 'db' | 'recordKeys' | 'sharedReads'>;

/** A category's name, shared by all pages that show it. Asked for several in one turn, Prisma reads them at once. */
export function readCategoryName(app: Reader, id: string | null): Promise<Named | null> {
  return share(app, 'category', id, (where) =>
    app.db.category.findUnique({ where, ...articleColumns.category }),
  );
}

/** The same for a tag. */
export function readTagName(app: Reader, id: string): Promise<Named | null> {
  return share(app, 'tag', id, (where) =>
    app.db.tag.findUnique({ where, ...articleColumns.tags.select.tag }),
  );
}

/** An author as a post's own page shows one. */
export function readAuthor(app: Reader, id: string | null) {
  return share(app, 'author', id, async (where) => {
    const user = await app.db.user.findUnique({ where, ...authorColumns });
    return user && { ...user, picture: await findPicture(app, user.picture) };
  });
}

// Names are on so many pages that a change of one concerns every page.
async function share<T>(
  app: Reader,
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
