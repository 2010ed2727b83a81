import { inSteps } from '#app/platform/jobs/event-loop.server.ts';
import { say, type Message } from '#app/platform/message.ts';
import { trashEntries, trashedId } from '#app/platform/trash-key.ts';
import { categoryPath, tagPath } from '#app/posts/paths.ts';
import { termTable, type TermKind } from '#app/posts/terms/table.server.ts';
import { readTexts, readTextUndo } from './item-changes.ts';
import type { TextReader } from './live-texts.server.ts';
import type { ItemProblem, ReleaseItemRow } from './problem.ts';

/** Rows that are looked up in one turn of the event loop. */
const ROWS_READ = 100;

interface CheckedTerm {
  id: string;
  slug: string;
  name: string;
}

/** A term of a release and the slug that it gets. */
interface NewSlug {
  item: ReleaseItemRow;
  term: CheckedTerm;
  slug: string;
}

/** The changes of categories or tags that cannot be published: the term is gone, or its new slug is taken. */
export async function checkTerms(
  db: TextReader,
  kind: TermKind,
  items: readonly ReleaseItemRow[],
): Promise<ItemProblem[]> {
  const rows = await inSteps(items, ROWS_READ, (batch) =>
    termTable(db, kind).findMany({
      where: { id: { in: batch.map(({ subjectId }) => subjectId) } },
      select: { id: true, slug: true, name: true },
    }),
  );
  const terms = new Map(rows.map((row) => [row.id, row]));
  const missing = items.map(({ subjectId }) => subjectId).filter((id) => !terms.has(id));
  const inTrashNow = await inSteps(missing, ROWS_READ, (batch) =>
    db.trashItem.findMany({ where: trashEntries(kind, batch), select: { id: true, title: true } }),
  );
  const titleInTrash = new Map(inTrashNow.map(({ id, title }) => [trashedId(id), title]));
  const problems: ItemProblem[] = [];
  const newSlugs: NewSlug[] = [];
  for (const item of items) {
    const term = terms.get(item.subjectId);
    const inTrash = titleInTrash.get(item.subjectId);
    const slug = term && newSlugOf(item, term);
    if (slug && slug !== term.slug) newSlugs.push({ item, term, slug });
    else if (!term && item.action !== 'restore')
      problems.push({
        itemId: item.id,
        problem:
          inTrash === undefined
            ? `A ${kind} in this release was deleted.`
            : say('“{title}” is in the trash.', { title: inTrash }),
      });
  }
  return [...problems, ...(await checkSlugs(db, kind, newSlugs))];
}

/** The slug that a change sets. A rollback sets it only if nobody has changed the slug since the other release. */
function newSlugOf({ action, fields }: ReleaseItemRow, term: CheckedTerm): string | null | undefined {
  if (action === 'update') return readTexts(fields)?.slug;
  const undo = action === 'restore' ? readTextUndo(fields) : null;
  return undo?.before.slug === term.slug ? undo.after.slug : null;
}

async function checkSlugs(db: TextReader, kind: TermKind, newSlugs: NewSlug[]): Promise<ItemProblem[]> {
  const pathOf = kind === 'category' ? categoryPath : tagPath;
  const slugs = newSlugs.map(({ slug }) => slug);
  const holders = await inSteps(slugs, ROWS_READ, (batch) =>
    termTable(db, kind).findMany({ where: { slug: { in: batch } }, select: { slug: true, name: true } }),
  );
  const redirects = await inSteps(slugs, ROWS_READ, (batch) =>
    db.redirect.findMany({ where: { path: { in: batch.map(pathOf) } } }),
  );
  const reserved = await inSteps(slugs, ROWS_READ, (batch) =>
    db.trashItem.findMany({
      where: { path: { in: batch.map(pathOf) } },
      select: { path: true, title: true },
    }),
  );
  const holderOf = new Map(holders.map(({ slug, name }) => [slug, name]));
  const redirectAt = new Map(redirects.map((redirect) => [redirect.path, redirect]));
  const trashedAt = new Map(reserved.map(({ path, title }) => [path, title]));
  const firstOf = new Map<string, string>();
  const problems: ItemProblem[] = [];
  for (const { item, term, slug } of newSlugs) {
    const path = pathOf(slug);
    const report = (problem: Message) => problems.push({ itemId: item.id, problem });
    const [holder, inTrash, earlier] = [holderOf.get(slug), trashedAt.get(path), firstOf.get(slug)];
    const redirect = redirectAt.get(path);
    firstOf.set(slug, earlier ?? term.name);
    if (holder !== undefined)
      report(say('“{name}”: the slug is used by “{other}”.', { name: term.name, other: holder }));
    else if (inTrash !== undefined)
      report(
        say('“{name}”: the slug is used by “{other}”, which is in the trash.', {
          name: term.name,
          other: inTrash,
        }),
      );
    else if (redirect && redirect[`${kind}Id`] !== term.id && isNewer(redirect, item))
      report(
        say('“{name}”: the address {path} already redirects to something else.', {
          name: term.name,
          path,
        }),
      );
    else if (earlier !== undefined)
      report(
        say('“{title}”: the address {path} is also used by “{other}” in this release.', {
          title: term.name,
          path,
          other: earlier,
        }),
      );
  }
  return problems;
}

/**
 * Whether a redirect was created since the change was stored, or since the release that a rollback undoes. Otherwise the
 * editor took over an old address, as a term's form does without a release.
 */
function isNewer({ createdAt }: { createdAt: Date }, { action, updatedAt }: ReleaseItemRow): boolean {
  return action === 'restore' || createdAt >= updatedAt;
}
