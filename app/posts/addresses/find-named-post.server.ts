import type { Db } from '#app/platform/services.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import type { PostLink } from '#app/posts/lists/public-post.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { decodePath } from '../paths.ts';

/** No title is longer. */
const WORDS_MAX = 300;
/** Posts with the same title, drafts too, of which the first public one is named. */
const READ_MAX = 20;

/**
 * The public post or page whose slug or title consists of exactly the words at the end of an unknown address. One look-up
 * in the indexes of slugs and titles, so the title is compared in the usual spellings of its capitals only.
 */
export async function findNamedPost(
  { db }: Db,
  pathname: string,
): Promise<Omit<PostLink, 'publishedAt'> | null> {
  const last = decodePath(pathname)
    ?.split('/')
    .findLast((part) => part !== '')
    ?.replace(/\.(?:html?|php|aspx?)$/i, '');
  if (last === undefined || last.length > WORDS_MAX) return null;
  const slug = toSlug(last);
  if (slug === '') return null;
  // No condition for the state: with one, SQLite reads the index of states with every published post.
  const rows = await db.post.findMany({
    where: { OR: [{ slug: { in: [slug, `/${slug}`] } }, { title: { in: spellings(last) } }] },
    select: { slug: true, title: true, status: true },
    take: READ_MAX,
  });
  const found = rows.filter(({ status }) => status === isPublic.status);
  return found.find((row) => row.slug.replace(/^\//, '') === slug) ?? found[0] ?? null;
}

/** The words of an address as a title may spell them: as they are, as a sentence, each with a capital. */
function spellings(text: string): string[] {
  const words = text.replace(/[-_+\s]+/g, ' ').trim();
  const capital = (word: string) => word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return [...new Set([text, words, capital(words), words.split(' ').map(capital).join(' ')])];
}
