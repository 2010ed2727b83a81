import type { Db } from '#app/platform/services.ts';

/** A reader's comment as the post's page shows it. */
export interface PublicComment {
  id: string;
  name: string;
  /** Sanitised. */
  html: string;
  writtenAt: Date;
  /** Its replies. */
  answers: PublicComment[];
}

/** More would make a page megabytes long. */
const SHOWN = 1_000;
/** Levels of replies that are shown; deeper replies are shown at the last level. */
const DEPTH = 5;

/** The comments of a post in threads, in the order of their source. The post's own page key covers them. */
export async function listComments(app: Db, postId: string): Promise<PublicComment[]> {
  const rows = await app.db.comment.findMany({
    where: { postId },
    orderBy: { position: 'asc' },
    take: SHOWN,
    select: { id: true, parentId: true, name: true, html: true, writtenAt: true },
  });
  const replyLists = new Map<string, { list: PublicComment[]; depth: number }>();
  const threads: PublicComment[] = [];
  for (const { parentId, ...row } of rows) {
    const comment = { ...row, answers: [] };
    // The comment that it replies to is already in the map: a reply comes after its comment.
    const target = (parentId !== null && replyLists.get(parentId)) || { list: threads, depth: 1 };
    target.list.push(comment);
    const isDeepest = target.depth === DEPTH;
    replyLists.set(row.id, isDeepest ? target : { list: comment.answers, depth: target.depth + 1 });
  }
  return threads;
}
