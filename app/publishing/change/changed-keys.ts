import {
  EVERY_PAGE,
  listKey,
  pathKey,
  postKey,
  SITEMAP_KEY,
  teaserKey,
  translationsKey,
  TERMS_KEY,
  type PageKey,
} from '#app/platform/http/page-keys.ts';
import { PAGES_LIST } from '#app/posts/lists/scope.ts';

/** What other pages show of a public post. The post's sitemap entry stores it after each change. */
export interface PostListing {
  /** Its address, decoded. */
  path: string;
  /** The list that shows it: `app/posts/lists/scope.ts`. */
  listedIn: string;
  /** Its position in lists, together with the id. ISO 8601 UTC. */
  publishedAt: string;
  language: string;
  translationOf: string | null;
  /** Sorted. */
  authorIds: string[];
  categoryId: string | null;
  /** Sorted. */
  tagIds: string[];
  /** Differs when anything but the language differs that a list or a link shows of the post. */
  teaser: string;
  /** Whether it is an episode of its category's podcast; absent if the text was not read. */
  isEpisode?: boolean;
}

/** A post that a change affected. Null: it was or is not public. `unknown`: its former state was not stored. */
export interface AffectedPost {
  id: string;
  before: PostListing | null | 'unknown';
  after: PostListing | null;
}

/** A change of more posts counts as a change of every page. */
export const POSTS_MAX = 50;

/** A position in the order of the public posts of a list. */
export interface ListPosition {
  id: string;
  listedIn: string;
  publishedAt: string;
}

/** The positions that posts left or took. Only the pages of the posts on both sides can show another neighbour. */
export function changedPositions(posts: readonly AffectedPost[]): ListPosition[] {
  if (posts.length > POSTS_MAX) return [];
  return posts.flatMap(({ id, before, after }) => {
    if (before === 'unknown' || (!isMoved(before, after) && before?.listedIn === after?.listedIn)) return [];
    return [before, after].flatMap((shown) =>
      shown && shown.listedIn !== PAGES_LIST
        ? [{ id, listedIn: shown.listedIn, publishedAt: shown.publishedAt }]
        : [],
    );
  });
}

/**
 * The keys of all pages that a change of posts may have made stale, except those of posts beside a changed position.
 */
export function changedKeys(posts: readonly AffectedPost[]): Set<PageKey> {
  const keys = new Set<PageKey>();
  if (posts.length > POSTS_MAX) return keys.add(EVERY_PAGE);
  for (const { id, before, after } of posts) {
    if (before === 'unknown') return keys.add(EVERY_PAGE);
    if (!before && !after) continue;
    keys.add(postKey(id)).add(SITEMAP_KEY);
    if (isAnotherTranslation(before, after))
      for (const shown of [before, after]) if (shown) keys.add(translationsKey(shown.translationOf ?? id));
    if (before?.path !== after?.path)
      for (const shown of [before, after])
        // A page also shows the pages below it: their key is its path with a slash.
        if (shown) keys.add(pathKey(shown.path)).add(pathKey(shown.path.replace(/[^/]*$/, '')));
    // Lists name the language of a title in another one than theirs.
    if (before?.teaser !== after?.teaser || before?.language !== after?.language) keys.add(teaserKey(id));
    for (const key of changedLists(before, after)) keys.add(key);
    // The category's page links to a podcast if there is an episode.
    if (after?.categoryId && before?.isEpisode !== after.isEpisode)
      keys.add(listKey({ categoryId: after.categoryId }));
  }
  return keys;
}

/** The keys of all pages that show pictures of these posts. */
export function picturedKeys(postIds: ReadonlySet<string>): PageKey[] {
  if (postIds.size > POSTS_MAX) return [EVERY_PAGE];
  return [...postIds].flatMap((id) => [postKey(id), teaserKey(id)]);
}

/** The lists that a post entered or left, or in which it moved. */
function changedLists(before: PostListing | null, after: PostListing | null): PageKey[] {
  const [left, entered] = [listsOf(before), listsOf(after)];
  // A term's or author's list has one key for all languages, so it changes with the post's language too.
  const isElsewhere = isMoved(before, after) || before?.listedIn !== after?.listedIn;
  const lists = isElsewhere ? [...left, ...entered] : differing(left, entered);
  return lists.length > 0 ? [...lists, TERMS_KEY] : [];
}

function isAnotherTranslation(before: PostListing | null, after: PostListing | null): boolean {
  return (['path', 'language', 'translationOf'] as const).some((name) => before?.[name] !== after?.[name]);
}

function isMoved(before: PostListing | null, after: PostListing | null): boolean {
  return before?.publishedAt !== after?.publishedAt;
}

function listsOf(post: PostListing | null): PageKey[] {
  if (!post || post.listedIn === PAGES_LIST) return [];
  const { listedIn, authorIds, categoryId, tagIds } = post;
  return [
    listKey({ listedIn }),
    ...authorIds.map((authorId) => listKey({ authorId })),
    ...(categoryId ? [listKey({ categoryId })] : []),
    ...tagIds.map((tagId) => listKey({ tagId })),
  ];
}

function differing(first: PageKey[], second: PageKey[]): PageKey[] {
  return [...first.filter((key) => !second.includes(key)), ...second.filter((key) => !first.includes(key))];
}
