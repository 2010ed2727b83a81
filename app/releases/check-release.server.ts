import { isAppError } from '#app/platform/errors.ts';
import { about, messageOfIssue, say, translated, type Message } from '#app/platform/message.ts';
import { checkSiteAddresses } from '#app/posts/addresses/check-site-addresses.server.ts';
import { definitionOf } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { checkPosts } from './check-posts.server.ts';
import { checkTerms } from './check-terms.server.ts';
import { readTexts } from './item-changes.ts';
import { addressOfTarget, holderOf, readLiveTexts, type TextReader } from './live-texts.server.ts';
import type { ItemProblem, ReleaseItemRow } from './problem.ts';
import { isReleasable, isSettingKey } from './setting-key.ts';

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
      problems.push({
        itemId,
        problem: say('The setting {key} can’t be changed by a release.', { key: subjectId }),
      });
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
    const holder = await holderOf(db, path);
    if (holder)
      problems.push({
        itemId,
        problem: say('The address {path} is used by “{title}”.', { path, title: holder.title }),
      });
    else if ((await addressOfTarget(db, to)) === null)
      problems.push({
        itemId,
        problem: say('The target of the redirect from {path} was deleted.', { path }),
      });
  }
  return problems;
}
