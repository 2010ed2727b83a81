import type { Db } from '#app/platform/services.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import type { PostLink } from '#app/posts/lists/public-post.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { decodePath } from '../paths.ts';

/** No title is longer. */
const WORDS_MAX = 300;
/** Posts with the same title or a near slug, drafts too, of which a public one is named. */
const READ_MAX = 50;

/** A slug is near if it begins as the address does: with so many characters, and half of the longer one. */
const NEAR_CHARACTERS = 5;

/**
 * The public post or page whose slug or title consists of exactly the words at the end of an unknown address, or the post
 * whose slug begins almost as those. Look-ups in the indexes of slugs and titles, so the title is compared in the
 * usual spellings of its capitals only.
 */
export async function findNamedPost(
  { db }: Db,
  pathname: string,
): Promise<Pick<PostLink, 'slug' | 'title'> | null> {
  const last = decodePath(pathname)
    ?.split('/')
    .findLast((part) => part !== '')
    ?.replace(/\.(?:html?|php|aspx?)$/i, '');
  if (last === undefined || last.length > WORDS_MAX) return null;
  const slug = toSlug(last);
  if (slug === '') return null;
  const titles = spellings(last);
  const beginning = slug.slice(0, Math.max(NEAR_CHARACTERS, Math.ceil(slug.length / 2)));
  const near = { gte: beginning, lt: `${beginning}zzzz` };
  // No condition for the state: with one, SQLite reads the index of states with every published post.
  const rows = await db.post.findMany({
    where: {
      OR: [{ slug: { in: [slug, `/${slug}`] } }, { title: { in: titles } }, { slug: near }],
    },
    select: { slug: true, title: true, status: true },
    take: READ_MAX,
  });
  const found = rows.filter(({ status }) => status === isPublic.status);
  return (
    found.find((row) => row.slug.replace(/^\//, '') === slug) ??
    found.find(({ title }) => titles.includes(title)) ??
    nearestOf(found, slug)
  );
}

/** The row whose slug has the longest beginning in common with a slug that is nobody's. */
function nearestOf<Row extends { slug: string }>(rows: Row[], slug: string): Row | null {
  let nearest: Row | null = null;
  let most = NEAR_CHARACTERS - 1;
  for (const row of rows) {
    const shared = sharedBeginning(row.slug, slug);
    if (shared > most && shared * 2 >= Math.max(row.slug.length, slug.length))
      [nearest, most] = [row, shared];
  }
  return nearest;
}

function sharedBeginning(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** The words of an address as a title may spell them: as they are, as a sentence, each with a capital. */
function spellings(text: string): string[] {
  const words = text.replace(/[-_+\s]+/g, ' ').trim();
  const capital = (word: string) => word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return [...new Set([text, words, capital(words), words.split(' ').map(capital).join(' ')])];
}
