import type { App } from '#app/app.ts';

/** A reader's comment as the post's page shows it. */
export interface PublicComment {
  id: string;
  name: string;
  /** Sanitised. */
  html: string;
  writtenAt: Date;
  /** Comments that answer it. */
  answers: PublicComment[];
}

/** Beyond it a page would be megabytes long. */
const SHOWN = 1_000;
/** Threads are shown this deep; deeper answers stand below the one that they belong to. */
const DEPTH = 5;

/** The comments of a post in threads, in the order of their source. The post's own page key covers them. */
export async function listComments(app: Pick<App, 'db'>, postId: string): Promise<PublicComment[]> {
  const rows = await app.db.comment.findMany({
    where: { postId },
    orderBy: { position: 'asc' },
    take: SHOWN,
    select: { id: true, parentId: true, name: true, html: true, writtenAt: true },
  });
  const places = new Map<string, { list: PublicComment[]; depth: number }>();
  const threads: PublicComment[] = [];
  for (const { parentId, ...row } of rows) {
    const comment = { ...row, answers: [] };
    // A comment stands after the one that it answers.
    const place = (parentId !== null && places.get(parentId)) || { list: threads, depth: 1 };
    place.list.push(comment);
    const isDeepest = place.depth === DEPTH;
    places.set(row.id, isDeepest ? place : { list: comment.answers, depth: place.depth + 1 });
  }
  return threads;
}
