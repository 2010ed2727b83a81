import { redirect, type AppLoadContext, type LoaderFunctionArgs } from '@remix-run/node';
import type { Reading } from '#app/platform/services.ts';
import type { App } from '#app/app.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { type PostSummary, type Named, summaryColumns } from '#app/posts/lists/public-post.ts';
import { listPosts, summarise } from '#app/posts/lists/queries.server.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { categoryPath, decodePath, encodePath, postPath, tagPath } from '#app/posts/paths.ts';
import {
  readFirstPictures,
  withThumbnails,
  type CoverRow,
  type WithThumbnail,
} from '#app/posts/pictures/queries.server.ts';
import type { TermKind } from '#app/posts/terms/find.server.ts';
import { findTerm, type Term } from '#app/posts/terms/queries.server.ts';
import { readSetting, readPageSize } from '#app/settings/queries.server.ts';
import { showsCovers } from '#app/site/covers/cover-image.tsx';
import { placeOf, readPageNumber, readSlug } from '#app/site/shell/address.ts';
import { siteFrameOf } from '#app/site/shell/frame.server.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';

/** The posts of a list with their covers. Reads none if the site's lists have no pictures. */
export async function withShownCovers<Row extends CoverRow>(
  app: App,
  context: Pick<AppLoadContext, 'appearance'>,
  posts: Row[],
): Promise<WithThumbnail<Row>[]> {
  const isShown = showsCovers(await siteFrameOf(app, context));
  return withThumbnails(app, isShown ? posts : posts.map((post) => ({ ...post, coverMediaId: null })));
}

/** The posts of a list, those without a cover with the first picture of their text, if the site's lists have pictures. */
export async function withFirstPictures<List extends { posts: PostSummary[] }>(
  app: App,
  context: Pick<AppLoadContext, 'appearance'>,
  list: List,
): Promise<List> {
  if (!showsCovers(await siteFrameOf(app, context))) return list;
  const bare = list.posts.filter(({ cover }) => cover === null).map(({ id }) => id);
  const pictures = await readFirstPictures(app, bare);
  const posts = list.posts.map((post) => ({ ...post, cover: post.cover ?? pictures.get(post.id) ?? null }));
  return { ...list, posts };
}

const POSTS_PER_SECTION = 3;

/** A category below the list of posts, with its newest ones. */
export interface HomeSection {
  category: Named;
  posts: PostSummary[];
}

/** The sections that the site has chosen. A category without published posts in this list is left out. */
async function readHomeSections(app: Reading, listedIn: string): Promise<HomeSection[]> {
  const sections: HomeSection[] = [];
  for (const slug of await readSetting(app, 'home_sections')) {
    // The category may have another address by now.
    const moved = await app.db.redirect.findUnique({
      where: { path: categoryPath(slug) },
      select: { category: { select: { slug: true } } },
    });
    const category = await findTerm(app, 'category', moved?.category?.slug ?? slug, listedIn);
    if (!category) continue;
    const scope = { categoryId: category.id, listedIn };
    const list = await listPosts(app, { scope, page: 1, pageSize: POSTS_PER_SECTION });
    if (list) sections.push({ category: { slug: category.slug, name: category.name }, posts: list.posts });
  }
  return sections;
}

/**
 * One page of a list of posts; the first one with the sections below it.
 * @throws the 404 page for a page that does not exist.
 */
export async function readPostsPage(
  app: App,
  { request, context, listedIn }: { request: Request; context: AppLoadContext; listedIn: string },
) {
  const page = readPageNumber(new URL(request.url));
  const pageSize = await readPageSize(app);
  const list = page && (await listPosts(app, { scope: { listedIn }, page, pageSize }));
  if (!list) throw await notFound(app);
  if (page !== 1) return { ...(await withFirstPictures(app, context, list)), sections: [] };
  const [pinned, sections] = await Promise.all([findPinned(app, listedIn), readHomeSections(app, listedIn)]);
  const posts = pinned ? [pinned, ...list.posts.filter(({ id }) => id !== pinned.id)] : list.posts;
  return { ...(await withFirstPictures(app, context, { ...list, posts })), sections };
}

/** The pinned post, if it is public and of this list. It is found by a former address too. */
async function findPinned(app: App, listedIn: string) {
  const slug = decodePath((await readSetting(app, 'pinned_post')).replace(/\/*(?:[?#].*)?$/, ''));
  if (!slug) return null;
  const moved = await app.db.redirect.findUnique({
    where: { path: postPath(slug) },
    select: { postId: true },
  });
  const where = { ...(moved?.postId ? { id: moved.postId } : { slug }), listedIn, ...isPublic };
  const row = await app.db.post.findFirst({ where, select: summaryColumns });
  return row ? (await summarise(app, [row]))[0]! : null;
}

/**
 * The category or tag that a route's slug names. Throws a redirect to its new address, or to its main list where this
 * language has no posts of it (menus link here in each language), or a 404.
 */
export async function termOf(
  app: App,
  { request, params, context }: LoaderFunctionArgs,
  kind: TermKind,
): Promise<Omit<Term, 'postCount'>> {
  const { listedIn } = placeOf(context);
  const slug = readSlug(params.slug);
  const term = slug === null ? null : await findTerm(app, kind, slug, listedIn);
  if (term) return term;
  const moved = await findRedirect(app, new URL(request.url).pathname, listedIn);
  if (moved) throw redirect(moved, 301);
  const inMain = listedIn && slug !== null && (await findTerm(app, kind, slug));
  const pathOf = kind === 'category' ? categoryPath : tagPath;
  throw inMain ? redirect(encodePath(pathOf(inMain.slug))) : await notFound(app);
}
