import { isAppError } from '#app/platform/errors.ts';
import { inSteps, ROWS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import { about, messageOfIssue, say, translated, type Message } from '#app/platform/message.ts';
import { trashEntries, trashedId } from '#app/platform/trash-key.ts';
import { checkSiteAddresses } from '#app/posts/addresses/check-site-addresses.server.ts';
import { termPath } from '#app/posts/paths.ts';
import { termTable, type TermKind } from '#app/posts/terms/find.server.ts';
import { definitionOf } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { checkPosts } from './check-posts.server.ts';
import { readTexts, type ItemProblem, type ReleaseItemRow, readTextUndo } from './items.ts';
import { addressOfTarget, holderOf, readLiveTexts, type TextReader } from './live-texts.server.ts';
import { isReleasable, isSettingKey } from './release.ts';

/**
 * The problems that prevent publishing these changes now.
 * @param publishAt when they are published; null: the times of posts are not checked
 */
export async function checkItems(
  db: TextReader,
  items: readonly ReleaseItemRow[],
  publishAt: Date | null,
): Promise<ItemProblem[]> {
  const problems = [
    ...(await checkPosts(db, ofKind(items, 'post'), publishAt, readRedirects(items))),
    ...(await checkSettings(db, ofKind(items, 'setting'))),
    ...(await checkTerms(db, 'category', ofKind(items, 'category'))),
    ...(await checkTerms(db, 'tag', ofKind(items, 'tag'))),
    ...(await checkAuthors(db, ofKind(items, 'author'))),
    ...(await checkRedirects(db, ofKind(items, 'redirect'))),
  ];
  const order = new Map(items.map(({ id }, index) => [id, index]));
  return problems.sort((a, b) => order.get(a.itemId)! - order.get(b.itemId)!);
}

/** The problems as one line of text; `''` for no problems. */
export function summariseProblems(problems: readonly ItemProblem[]): Message {
  const [first, ...others] = problems;
  if (!first) return '';
  return others.length === 0
    ? first.problem
    : say('{problem} And {number} more.', { problem: translated(first.problem), number: others.length });
}

export function ofKind(items: readonly ReleaseItemRow[], ...kinds: string[]): ReleaseItemRow[] {
  return items.filter(({ kind }) => kinds.includes(kind));
}

async function checkSettings(db: TextReader, items: ReleaseItemRow[]): Promise<ItemProblem[]> {
  const problems: ItemProblem[] = [];
  const texts = new Map<string, string>();
  for (const { id: itemId, subjectId, fields, action } of items) {
    if (action === 'restore') continue;
    const value = readTexts(fields)?.value;
    if (!isSettingKey(subjectId) || !isReleasable(subjectId) || typeof value !== 'string') {
      const problem = say('The setting {key} can’t be changed by a release.', { key: subjectId });
      problems.push({ itemId, problem });
      continue;
    }
    const { schema, label } = definitionOf(subjectId);
    const parsed = schema.safeParse(value);
    if (parsed.success) texts.set(subjectId, value);
    else problems.push({ itemId, problem: about(say(label), messageOfIssue(parsed.error.issues[0]!)) });
  }
  if (texts.size === 0) return problems;
  try {
    await checkSiteAddresses(db, await readSettings({ db }), Object.fromEntries(texts));
  } catch (error) {
    if (!isAppError(error) || error.code !== 'invalid_input') throw error;
    // The settings must still fit the pages and each other: the home page may be deleted, an address taken.
    for (const [key, [message]] of Object.entries(error.fields)) {
      const item = items.find(({ subjectId }) => subjectId === key);
      const label = isSettingKey(key) ? say(definitionOf(key).label) : key;
      if (item) problems.push({ itemId: item.id, problem: about(label, message!) });
    }
  }
  return problems;
}

async function checkAuthors(db: TextReader, items: ReleaseItemRow[]): Promise<ItemProblem[]> {
  const problems: ItemProblem[] = [];
  for (const { id: itemId, subjectId, action } of items)
    if (action !== 'restore' && !(await readLiveTexts(db, 'author', subjectId)))
      problems.push({ itemId, problem: 'An account in this release was deleted.' });
  return problems;
}

/** The redirects that the items change, by their paths: true for one that leads somewhere. */
function readRedirects(items: readonly ReleaseItemRow[]): Map<string, boolean> {
  return new Map(
    ofKind(items, 'redirect')
      .filter(({ action }) => action !== 'restore')
      .map((item) => [item.subjectId, targetOf(item) !== null]),
  );
}

/** Where a redirect leads after the change; null when it ends, or goes back with a rollback. */
function targetOf({ action, fields }: ReleaseItemRow): string | null {
  return action === 'restore' ? null : (readTexts(fields)?.to ?? null);
}

async function checkRedirects(db: TextReader, items: ReleaseItemRow[]): Promise<ItemProblem[]> {
  const problems: ItemProblem[] = [];
  for (const item of items) {
    const { id: itemId, subjectId: path } = item;
    const to = targetOf(item);
    if (to === null) continue;
    const report = (problem: Message) => problems.push({ itemId, problem });
    const holder = await holderOf(db, path);
    if (holder) report(say('The address {path} is used by “{title}”.', { path, title: holder.title }));
    else if ((await addressOfTarget(db, to)) === null)
      report(say('The target of the redirect from {path} was deleted.', { path }));
  }
  return problems;
}

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
async function checkTerms(
  db: TextReader,
  kind: TermKind,
  items: readonly ReleaseItemRow[],
): Promise<ItemProblem[]> {
  const rows = await inSteps(items, ROWS_A_STEP, (batch) =>
    termTable(db, kind).findMany({
      where: { id: { in: batch.map(({ subjectId }) => subjectId) } },
      select: { id: true, slug: true, name: true },
    }),
  );
  const terms = new Map(rows.map((row) => [row.id, row]));
  const missing = items.map(({ subjectId }) => subjectId).filter((id) => !terms.has(id));
  const inTrashNow = await inSteps(missing, ROWS_A_STEP, (batch) =>
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
  const pathOf = termPath[kind];
  const slugs = newSlugs.map(({ slug }) => slug);
  const holders = await inSteps(slugs, ROWS_A_STEP, (batch) =>
    termTable(db, kind).findMany({ where: { slug: { in: batch } }, select: { slug: true, name: true } }),
  );
  const redirects = await inSteps(slugs, ROWS_A_STEP, (batch) =>
    db.redirect.findMany({ where: { path: { in: batch.map(pathOf) } } }),
  );
  const reserved = await inSteps(slugs, ROWS_A_STEP, (batch) =>
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
    const { name } = term;
    const path = pathOf(slug);
    const report = (problem: Message) => problems.push({ itemId: item.id, problem });
    const [holder, inTrash, earlier] = [holderOf.get(slug), trashedAt.get(path), firstOf.get(slug)];
    const redirect = redirectAt.get(path);
    firstOf.set(slug, earlier ?? name);
    if (holder !== undefined)
      report(say('“{name}”: the slug is used by “{other}”.', { name, other: holder }));
    else if (inTrash !== undefined)
      report(
        say('“{name}”: the slug is used by “{other}”, which is in the trash.', { name, other: inTrash }),
      );
    else if (redirect && redirect[`${kind}Id`] !== term.id && isNewer(redirect, item))
      report(say('“{name}”: the address {path} already redirects to something else.', { name, path }));
    else if (earlier !== undefined)
      report(
        say('“{title}”: the address {path} is also used by “{other}” in this release.', {
          title: name,
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
