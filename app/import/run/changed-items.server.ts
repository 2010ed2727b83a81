import { differenceFrom, hasFewerFiles, hasOtherLocalFiles } from '#app/import/model/item-hash.server.ts';
import type { ValidItem } from '#app/import/model/post.ts';
import type { Database } from '#app/platform/database/client.server.ts';
import { TRASHED } from '#app/posts/fields/states.ts';
import { newestFirst, savedKinds } from '#app/posts/fields/stored.ts';
import { addressesOf } from '#app/posts/markdown/addresses.ts';
import type { ImportReport } from './report.ts';

/** The items that are to be written, with the posts of earlier runs. Reports the others as unchanged. */
export async function changedItems(
  db: Database,
  report: ImportReport,
  items: ValidItem[],
): Promise<{ item: ValidItem; postId: string | null }[]> {
  const importItems = await db.importItem.findMany({
    where: { source: report.result.source, itemKey: { in: items.map(({ key }) => key) } },
  });
  const posts = await db.post.findMany({
    where: { id: { in: importItems.map(({ postId }) => postId) } },
    select: { id: true, status: true },
  });
  // A post that was deleted permanently here is imported again.
  const statusOf = new Map(posts.map(({ id, status }) => [id, status]));
  const changed: { item: ValidItem; postId: string | null }[] = [];
  for (const item of items) {
    const earlier = importItems.find((row) => row.itemKey === item.key && statusOf.has(row.postId));
    const postId = earlier?.postId ?? null;
    if (earlier && (await stays(db, report, item, earlier, statusOf.get(earlier.postId)!)))
      await report.unchanged(item.key);
    else changed.push({ item, postId });
  }
  return changed;
}

async function stays(
  db: Database,
  report: ImportReport,
  item: ValidItem,
  { postId, contentHash }: { postId: string; contentHash: string },
  status: string,
): Promise<boolean> {
  const warn = (message: string) => report.warn(item.key, message);
  if (status === TRASHED) {
    warn('The post is in the trash and stays there. Restore it to import it again.');
    return true;
  }
  const difference = differenceFrom(contentHash, item);
  if (difference === 'none') return true;
  if (item.isPartial) {
    warn('The file is cut off before its tags and authors, so the post stays as an earlier run wrote it.');
    return true;
  }
  if (difference === 'source') {
    if (hasFewerFiles(contentHash, item))
      warn(
        'The post changed at the source, and this run found fewer of its files than an earlier one. Run it with the folder of its files (--media) to bring them back.',
      );
    return false;
  }
  // What was typed here is worth more than a file.
  if (difference === 'moreFiles' && !(await isChangedHere(db, postId))) return false;
  const lacking = await filesNotIn(db, postId, item);
  if (lacking.length > 0) {
    const reason = difference === 'moreFiles' ? 'was changed here' : 'has files that this run has not';
    warn(
      `The post ${reason}, so it stays as it is, without what was missing before: ${lacking.join(', ')}. Add it there by hand.`,
    );
  } else if (difference === 'otherFiles' && hasOtherLocalFiles(contentHash, item))
    warn('Some of its files are missing, so the post stays as it is, also where another one has changed.');
  return true;
}

/** True when the present text was not written by an import. */
async function isChangedHere(db: Database, postId: string): Promise<boolean> {
  const revision = await db.revision.findFirst({
    where: { postId, kind: { in: [...savedKinds] } },
    orderBy: newestFirst,
    select: { kind: true },
  });
  return revision?.kind !== 'import';
}

/** The files of the item that its post names by their old addresses. */
async function filesNotIn(db: Database, postId: string, { media, post }: ValidItem): Promise<string[]> {
  const { body, coverMediaId } = await db.post.findUniqueOrThrow({
    where: { id: postId },
    select: { body: true, coverMediaId: true },
  });
  const present = new Set(addressesOf(body));
  const inText = media.map(({ address }) => address).filter((address) => present.has(address));
  return post.cover !== null && coverMediaId === null ? [...inText, 'its cover'] : inText;
}
