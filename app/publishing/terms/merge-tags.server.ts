import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import { fieldError } from '#app/platform/errors.ts';
import { changePublicContent, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { moveTermAddresses, publishedPostsOf, requireTerm } from './save.server.ts';
import { detailsOf } from './trash.server.ts';

/**
 * Merges one tag into another: the posts of the first get the second, at the same position, and the first's addresses
 * redirect to it.
 * @throws AppError `not_found`; `invalid_input` on `intoId`.
 */
export async function mergeTags(
  app: PublishingContext,
  by: By,
  input: { id: string; intoId: string },
): Promise<void> {
  const { id, intoId } = input;
  await changePublicContent(app, async (change) => {
    const { tx, affects, affectsEveryPage, recordTermChange } = change;
    const tag = await requireTerm(tx, 'tag', id);
    const into = await tx.tag.findUnique({ where: { id: intoId } });
    if (!into || intoId === id) {
      throw fieldError('intoId', 'Choose another tag to merge into.');
    }
    affects(...(await publishedPostsOf(tx, 'tag', id)));
    affectsEveryPage();
    const having = await tx.postTag.findMany({
      where: { tagId: id, post: { tags: { some: { tagId: intoId } } } },
      select: { postId: true },
    });
    const doubled = having.map(({ postId }) => postId);
    recordTermChange({
      kind: 'merged_tag',
      subjectId: id,
      tag: await detailsOf(tx, 'tag', tag, intoId),
      doubled,
      intoName: into.name,
    });
    await tx.postTag.deleteMany({ where: { tagId: id, postId: { in: doubled } } });
    await tx.postTag.updateMany({ where: { tagId: id }, data: { tagId: intoId } });
    await moveTermAddresses(change, 'tag', tag, intoId);
    await tx.tag.delete({ where: { id } });
    await writeAudit(tx, app.clock, {
      action: 'tag.merged',
      by,
      subject: tag.name,
      details: `into ${into.name}`,
    });
  });
}
