import type { PostStatus } from '#app/posts/states.ts';
import type { Fields } from './front-matter-fields.ts';

interface Dated {
  /** Below the folder, with `/`. */
  path: string;
  date: Date | null;
  archiveAt: Date | null;
  isPage: boolean;
  isOwnExport: boolean;
  now: Date;
}

/** The state of a post, and its time. A post that the old site did not show to everybody becomes a draft. */
export function stateOf(
  fields: Fields,
  { path, date, archiveAt, isPage, isOwnExport, now }: Dated,
  warnings: string[],
): { status: PostStatus; publishedAt: Date | null } {
  const written = fields.status();
  const hidden = isOwnExport || written === 'draft' ? null : reasonOfHidden(fields);
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

/** Drafts of Jekyll and Hexo, which never publish this folder. */
const isDraftFolder = /(^|\/)_drafts\//;

/** Why the old site did not show a post to everybody; null for a public post. */
function reasonOfHidden(fields: Fields): string | null {
  if (fields.text('password') !== null) return 'It has a password';
  for (const name of ['private', 'unlisted', 'hidden', 'hide', 'encrypted', 'headless'])
    if (fields.equals(name, true)) return `It is “${name}”`;
  for (const name of ['publish', 'render', 'permalink'])
    if (fields.equals(name, false)) return `It says “${name}: false”`;
  const build = [fields.table('build'), fields.table('_build')];
  const isLeftOut = build.some((table) => table.equals('render', 'never') || table.equals('render', false));
  return isLeftOut ? 'The generator was told not to build it' : null;
}
