import { postStatuses, type PostStatus } from '#app/posts/fields/states.ts';
import { shorten } from '#app/posts/markdown/excerpt.ts';
import type { Fields } from './fields.ts';
import { meansHidden } from './hidden-words.ts';

interface Dated {
  /** Below the folder, with `/`. */
  path: string;
  date: Date | null;
  archiveAt: Date | null;
  isPage: boolean;
  isOwnExport: boolean;
  /** Names whose value is uncertain: it cannot be read, or the front matter has several. */
  uncertain: readonly string[];
  now: Date;
}

/** The state of a post, and its time. A post that the old site did not show to everybody becomes a draft. */
export function stateOf(
  fields: Fields,
  { path, date, archiveAt, isPage, isOwnExport, uncertain, now }: Dated,
  warnings: string[],
): { status: PostStatus; publishedAt: Date | null } {
  const written = writtenState(fields, warnings);
  const unclear = uncertain.find((name) => stateNames.has(name));
  const unclearReason = unclear === undefined ? null : `The front matter's “${unclear}” is not clear`;
  const hidden =
    written === 'draft'
      ? null
      : (unclearReason ?? reasonOfState(fields) ?? (isOwnExport ? null : reasonOfHidden(fields)));
  if (hidden !== null) warnings.push(`${hidden}: the post becomes a draft, it would be public.`);
  const requested = hidden !== null || (written === null && isDraftFolder.test(path)) ? 'draft' : written;
  if (date === null) {
    if (isPage && (requested ?? 'published') === 'published')
      return { status: 'published', publishedAt: now };
    // What was archived here may never have been published.
    if (requested === 'archived' && isOwnExport) return { status: requested, publishedAt: null };
    if (requested !== 'draft') warnings.push('No date: the post becomes a draft.');
    return { status: 'draft', publishedAt: null };
  }
  if (requested === 'published' && date > now) {
    warnings.push('Published, but its date is in the future: the post is scheduled.');
    return { status: 'scheduled', publishedAt: date };
  }
  const status = requested ?? (date <= now ? 'published' : 'scheduled');
  const isExpired = status === 'published' && !isOwnExport && archiveAt !== null && archiveAt <= now;
  return { status: isExpired ? 'archived' : status, publishedAt: date };
}

const hiddenIfTrue = [
  ...['unlisted', 'hidden', 'hide', 'encrypted', 'headless', 'unpublished', 'wip', 'isDraft', 'is_draft'],
];
const hiddenIfFalse = ['publish', 'public', 'listed', 'dg-publish', 'render', 'permalink'];

/** Drafts of Jekyll and Hexo, which never publish this folder. */
const isDraftFolder = /(^|\/)_drafts\//;

/** The state in the front matter; null without one, or if it is no state that exists here. */
function writtenState(fields: Fields, warnings: string[]): PostStatus | null {
  const status = fields.status();
  if (status !== null) return status;
  const texts = fields.texts('status');
  if (texts.length > 0 && !texts.some(meansHidden)) {
    fields.leaveOut('status', `one of ${postStatuses.join(', ')}`);
  }
  if (fields.flag('draft') === true || fields.flag('published') === false) return 'draft';
  if (!fields.isSet('draft') || fields.flag('draft') === false) return null;
  warnings.push("The front matter's “draft” is neither true nor false: the post becomes a draft.");
  return 'draft';
}

/** Why a state that does not exist here must not make a post public; null if nothing says so. */
function reasonOfState(fields: Fields): string | null {
  for (const name of ['status', 'published', 'visibility']) {
    const word = fields.texts(name).find(meansHidden);
    if (word !== undefined) return `The front matter's “${name}” says “${shorten(word, 100)}”`;
  }
  return null;
}

/** Names whose value decides whether a post is public. */
const stateNames: ReadonlySet<string> = new Set([
  ...['status', 'draft', 'published', 'visibility', 'password', 'private', ...hiddenIfTrue, ...hiddenIfFalse],
  ...['build', '_build'],
]);

/** Why the old site did not show a post to everybody; null for a public post. */
function reasonOfHidden(fields: Fields): string | null {
  if (fields.isSet('password') && fields.flag('password') !== false) return 'It has a password';
  if (fields.isSet('private') && fields.flag('private') !== false) return 'It is “private”';
  for (const name of hiddenIfTrue) if (fields.equals(name, true)) return `It is “${name}”`;
  for (const name of hiddenIfFalse) if (fields.equals(name, false)) return `It says “${name}: false”`;
  if (fields.equals('eleventyExcludeFromCollections', true)) return 'It is “eleventyExcludeFromCollections”';
  const build = [fields.table('build'), fields.table('_build')];
  const isLeftOut = build.some((table) => table.equals('render', 'never') || table.equals('render', false));
  if (isLeftOut) return 'The generator was told not to build it';
  const isUnlisted = build.some((table) => table.equals('list', 'never') || table.equals('list', false));
  return isUnlisted ? 'The generator was told not to list it' : null;
}
