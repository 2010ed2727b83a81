import { pathsLike, readTakenAddresses, type TakenAddresses } from '#app/import/addresses/taken.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { canRedirect, isReservedSegment } from '#app/platform/http/public-addresses.ts';
import { freeSlug, toSlug } from '#app/platform/text/slug.ts';
import { postPath } from '#app/posts/paths.ts';
import { pathBelow } from '#app/publishing/post-row/page-tree.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import type { ImportPlan, Reservations } from './import-plan.server.ts';
import { planAuthors, planTermRedirects, planTerms } from './plan-names.server.ts';
import type { ResolvedPost } from './resolved-post.ts';

type Reader = Pick<
  Transaction,
  'post' | 'redirect' | 'category' | 'tag' | 'user' | 'trashItem' | '$queryRaw'
>;

/** Finds free slugs, free old addresses, and the categories, tags and authors to create. Reads only. */
export async function planImport(
  db: Reader,
  sourcePosts: ResolvedPost[],
  { reservations, settings }: { reservations: Reservations; settings: Settings },
): Promise<ImportPlan> {
  const plan: ImportPlan = {
    posts: [],
    newCategories: [],
    newTags: [],
    newAuthors: [],
    newTermRedirects: [],
    warnings: [],
  };
  const adminPath = settings.admin_path;
  const posts = await planTerms(db, sourcePosts, reservations, plan);
  const taken = await readTaken(db, posts);
  for (const post of posts) {
    const address = await addressOf(db, post, { reservations, plan, settings, taken });
    reservations.paths.set(postPath(address), post.key);
    const newRedirects = redirectsOf(post, address, { reservations, plan, adminPath, taken });
    for (const path of newRedirects) reservations.paths.set(path, post.key);
    plan.posts.push({ ...post, address, newRedirects });
  }
  await planAuthors(db, posts, reservations, plan);
  await planTermRedirects(db, posts, reservations, plan, (path) => !canRedirect(path, adminPath));
  return plan;
}

/** What exists at the addresses that posts need for themselves and for their redirects. */
function readTaken(db: Reader, posts: ResolvedPost[]): Promise<TakenAddresses> {
  const slugs = new Set(posts.map(({ fields: { slug, type } }) => toSlug(slug) || type));
  const paths = new Set([...slugs].map(postPath));
  for (const path of posts.flatMap(({ aliases }) => aliases)) {
    paths.add(path);
    const slug = slugAt(path);
    if (slug !== undefined) slugs.add(slug);
  }
  return readTakenAddresses(db, { slugs, paths });
}

/** The address of a post. A page is below an existing parent, else at the top. */
async function addressOf(
  db: Reader,
  post: ResolvedPost,
  context: { reservations: Reservations; plan: ImportPlan; settings: Settings; taken: TakenAddresses },
): Promise<string> {
  const { reservations, plan, settings } = context;
  const { type } = post.fields;
  const preferredSlug = toSlug(post.fields.slug) || type;
  if (type === 'post' && isFree(preferredSlug, post, context)) return preferredSlug;
  const above = type === 'page' ? await pathAbove(db, post, reservations) : '';
  const taken = await pathsLike(db, above + preferredSlug, post.postId);
  const slug = freeSlug(preferredSlug, (candidate) => {
    const path = postPath(above + candidate);
    if (above === '/' && isReservedSegment(candidate, settings)) return true;
    return taken.has(path) || (reservations.paths.get(path) ?? post.key) !== post.key;
  });
  if (slug !== preferredSlug)
    plan.warnings.push({
      key: post.key,
      message: `The slug “${preferredSlug}” is taken; the post gets “${slug}”.`,
    });
  return above + slug;
}

/** The path above a page. In a dry run the parent may be one that is only planned. */
function pathAbove(
  db: Reader,
  { postId, parentPath, fields: { parentId } }: ResolvedPost,
  reservations: Reservations,
) {
  if (parentId === null && reservations.paths.has(parentPath)) return `${parentPath}/`;
  return pathBelow(db, { postId: postId ?? '', parentId });
}

/**
 * Whether no other post has this slug and no redirect to another target has its path, as for most slugs. Needs no
 * query.
 */
function isFree(
  slug: string,
  { key, postId }: ResolvedPost,
  { reservations, taken }: { reservations: Reservations; taken: TakenAddresses },
) {
  const path = postPath(slug);
  const redirectTarget = taken.redirects.get(path);
  return (
    (taken.posts.get(slug) ?? postId) === postId &&
    (redirectTarget === undefined || (redirectTarget !== null && redirectTarget === postId)) &&
    (reservations.paths.get(path) ?? key) === key
  );
}

function redirectsOf(
  post: ResolvedPost,
  slug: string,
  {
    reservations,
    plan,
    adminPath,
    taken,
  }: { reservations: Reservations; plan: ImportPlan; adminPath: string; taken: TakenAddresses },
): string[] {
  const freePaths: string[] = [];
  for (const path of new Set(post.aliases)) {
    if (path === postPath(slug)) continue;
    const redirectTarget = taken.redirects.get(path);
    if (redirectTarget && redirectTarget === post.postId) continue;
    const reservedBy = reservations.paths.get(path);
    const postAtPath = taken.posts.get(slugAt(path) ?? '');
    const isTaken =
      redirectTarget !== undefined ||
      (reservedBy !== undefined && reservedBy !== post.key) ||
      !canRedirect(path, adminPath) ||
      (postAtPath !== undefined && postAtPath !== post.postId);
    if (isTaken)
      plan.warnings.push({
        key: post.key,
        message: `The old address ${path} is taken and does not lead here.`,
      });
    else freePaths.push(path);
  }
  return freePaths;
}

function slugAt(path: string): string | undefined {
  return /^\/posts\/([^/]+)$/.exec(path)?.[1];
}
