import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { hasPodcast } from '#app/feeds/podcast.server.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { listPosts } from '#app/posts/lists/queries.server.ts';
import { listLanguages } from '#app/posts/lists/translations.server.ts';
import { categoryPath, encodePath } from '#app/posts/paths.ts';
import { findCategory } from '#app/posts/terms/queries.server.ts';
import { readPageSize } from '#app/settings/queries.server.ts';
import { termAlternates } from '#app/site/posts/article-head.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { readPageNumber, readSlug, languageOf, placeOf } from '#app/site/shell/address.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { withFirstPictures } from './posts.server.ts';
import { ListPage, pageHref } from './pages.tsx';

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  const url = new URL(request.url);
  const slug = readSlug(params.slug);
  const { listedIn, prefix } = placeOf(context);
  const category = slug === null ? null : await findCategory(app, slug, listedIn);
  if (!category) {
    const moved = await findRedirect(app, url.pathname, listedIn);
    if (moved) throw redirect(moved, 301);
    // Menus link here in each language. Without posts in this one, readers get the main list.
    const inMain = listedIn && slug !== null && (await findCategory(app, slug));
    throw inMain ? redirect(encodePath(categoryPath(inMain.slug))) : await notFound(app);
  }
  const page = readPageNumber(url);
  const pageSize = await readPageSize(app);
  const list =
    page && (await listPosts(app, { scope: { categoryId: category.id, listedIn }, page, pageSize }));
  if (!list) throw await notFound(app);
  const path = encodePath(prefix + categoryPath(category.slug));
  const podcastHref = (await hasPodcast(app, { categoryId: category.id, listedIn }))
    ? `${path}/podcast.xml`
    : null;
  const languages = page === 1 ? await listLanguages(app, { categoryId: category.id }) : [];
  const shown = await withFirstPictures(app, context, list);
  return { category, list: shown, path, podcastHref, languages, language: languageOf(context) };
}

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { category, list, path } = data;
  const site = siteOf(matches);
  const head = pageMeta(site, {
    title: category.name,
    description: category.description || `${category.name} · ${site.title}`,
    path: pageHref(path, list.page),
    image: category.picture,
    feed: { title: `${category.name} · ${site.title}`, href: `${path}/rss.xml` },
  });
  return [...head, ...termAlternates(site, data)];
};

export default function Category() {
  const { category, list, path, podcastHref } = useLoaderData<typeof loader>();
  const { messages } = useSite();
  return (
    <ListPage
      kind={messages.lists.category}
      name={category.name}
      description={category.description}
      picture={category.picture}
      path={path}
      feedHref={`${path}/rss.xml`}
      podcastHref={podcastHref}
      list={list}
      namesCategory={false}
    />
  );
}
