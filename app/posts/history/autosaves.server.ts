import type { Transaction } from '#app/platform/database/client.server.ts';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { newestFirst } from '#app/posts/fields/stored.ts';

/** An editor's unsaved changes of a post, without their text. */
export interface AutosaveSummary {
  id: string;
  createdAt: Date;
  /**
   * The release for which they were typed, or `SCHEDULED_TEXT`. Null: they are for the post itself, as are those for a
   * release that is public or deleted by now.
   */
  releaseId: string | null;
  releaseName: string | null;
  isReleaseDeleted: boolean;
}

/** An editor's unsaved changes of a post, newest first: at most one of each text that it has. */
export async function listAutosaves(
  { db }: { db: Pick<Transaction, 'revision' | 'release'> },
  { postId, editorId }: { postId: string; editorId: string },
): Promise<AutosaveSummary[]> {
  const rows = await db.revision.findMany({
    where: { postId, authorId: editorId, kind: 'autosave' },
    select: { id: true, createdAt: true, releaseId: true },
    orderBy: newestFirst,
  });
  const ids = rows.flatMap(({ releaseId }) => (releaseId === SCHEDULED_TEXT ? [] : (releaseId ?? [])));
  const releases =
    ids.length === 0
      ? []
      : await db.release.findMany({
          where: { id: { in: ids } },
          select: { id: true, name: true, status: true },
        });
  return rows.map(({ id, createdAt, releaseId }) => {
    const release = releases.find((each) => each.id === releaseId);
    const open = release?.status === 'published' ? undefined : release;
    return {
      id,
      createdAt,
      releaseId: releaseId === SCHEDULED_TEXT ? releaseId : (open?.id ?? null),
      releaseName: open?.name ?? null,
      isReleaseDeleted: releaseId !== null && releaseId !== SCHEDULED_TEXT && !release,
    };
  });
}

/** True for the unsaved changes that a form contains. `autosavedAt`: the time of these, from the form. */
export function isIncluded({ createdAt }: Pick<AutosaveSummary, 'createdAt'>, autosavedAt: Date | undefined) {
  return createdAt.getTime() === autosavedAt?.getTime();
}
