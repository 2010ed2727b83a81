import { newId } from '#app/platform/clock.ts';
import { fieldError } from '#app/platform/errors.ts';
import { isUniqueViolation } from '#app/platform/transaction.server.ts';
import type { TermFields } from '#app/taxonomy/term-form.ts';
import { forgetReleaseProblems } from './forget-release-problems.server.ts';
import { changePublicContent, type PublicChange, type PublishingContext } from './public-change.server.ts';
import { termTable, type TermKind } from '#app/taxonomy/term-table.server.ts';
import { claimTermSlug, redirectOldSlug, publishedPostsOf, requireTerm } from './terms.server.ts';

/** Creates a category or tag. @throws AppError `invalid_input` on `slug`. */
export async function createTerm(
  app: PublishingContext,
  kind: TermKind,
  fields: TermFields,
): Promise<{ id: string }> {
  return withTakenSlugRefused(() =>
    changePublicContent(app, async (change) => {
      const { tx, now } = change;
      const id = newId(app.clock);
      await claimTermSlug(change, kind, id, fields.slug);
      await termTable(tx, kind).create({ data: { ...fields, id, createdAt: now, updatedAt: now } });
      return { id };
    }),
  );
}

/**
 * Changes a category or tag. An old address redirects permanently.
 * @throws AppError `not_found`; `invalid_input` on `slug`.
 */
export async function saveTerm(
  app: PublishingContext,
  kind: TermKind,
  id: string,
  fields: TermFields,
): Promise<void> {
  await withTakenSlugRefused(() => changePublicContent(app, (change) => writeTerm(change, kind, id, fields)));
}

/**
 * Writes a category's or tag's fields with their consequences.
 * @throws AppError `not_found`; `invalid_input` on `slug`.
 */
export async function writeTerm(
  change: PublicChange,
  kind: TermKind,
  id: string,
  fields: TermFields,
): Promise<void> {
  const { tx, now, affects, affectsEveryPage, recordTexts } = change;
  const before = await requireTerm(tx, kind, id);
  await claimTermSlug(change, kind, id, fields.slug);
  await termTable(tx, kind).update({ where: { id }, data: { ...fields, updatedAt: now } });
  const { name, slug, description, picture } = before;
  recordTexts(kind, id, { name, slug, description, picture }, fields);
  if (slug !== fields.slug) {
    await redirectOldSlug(change, kind, id, slug);
    await forgetReleaseProblems(tx);
  }
  affectsEveryPage();
  // The search index contains the name.
  if (before.name !== fields.name) affects(...(await publishedPostsOf(tx, kind, id)));
}

async function withTakenSlugRefused<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw fieldError('slug', 'This slug was taken a moment ago. Choose another.');
  }
}
