import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { hasPodcast } from '#app/feeds/podcast.server.ts';
import { listPosts } from '#app/posts/lists/queries.server.ts';
import { listLanguages } from '#app/posts/lists/translations.server.ts';
import { categoryPath, encodePath } from '#app/posts/paths.ts';
import { readPageSize } from '#app/settings/queries.server.ts';
import { siteOf } from '#app/site/shell/head.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { readPageNumber, languageOf, placeOf } from '#app/site/shell/address.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { termOf, withFirstPictures } from './posts.server.ts';
import { listMeta, ListPage } from './pages.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  const app = await appOf(context);
  const { listedIn, prefix } = placeOf(context);
  const category = await termOf(app, args, 'category');
  const page = readPageNumber(new URL(request.url));
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

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  data ? listMeta(siteOf(matches), { ...data.category, image: data.category.picture }, data) : [];

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
