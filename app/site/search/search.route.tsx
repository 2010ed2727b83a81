import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { prefixOf } from '#app/posts/paths.ts';
import { searchPosts } from '#app/search/search-posts.server.ts';
import { readPageSize } from '#app/settings/queries.server.ts';
import { withShownCovers } from '#app/site/lists/list-covers.server.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { messagesFor } from '#app/site/shell/messages.ts';
import { notFound, readRecentLinks } from '#app/site/shell/not-found.server.ts';
import { readPageNumber, readQuery, readSlug } from '#app/site/shell/params.ts';
import { languageOf } from '#app/site/shell/place.ts';
import { SearchPage, type SearchView } from './page.tsx';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  const url = new URL(request.url);
  const page = readPageNumber(url);
  if (page === null) throw await notFound(app);
  const searchInput = {
    query: readQuery(url),
    category: readSlug(url.searchParams.get('category')),
    tag: readSlug(url.searchParams.get('tag')),
    page,
  };
  const perPage = await readPageSize(app);
  const results = await searchPosts(app, { ...searchInput, perPage });
  if (page > results.pages) throw await notFound(app);
  const recent = searchInput.query === '' ? await readRecentLinks(app) : [];
  const covers = await withShownCovers(
    app,
    context,
    results.hits.map(({ post }) => post),
  );
  const hits = results.hits.map((hit, index) => ({ ...hit, post: covers[index]! }));
  const view: SearchView & { language?: string } = {
    ...searchInput,
    found: { ...results, hits },
    recent,
    language: languageOf(context),
  };
  // Results of the database are a fallback, only for as long as the engine is down.
  return data(view, results.fallback ? { headers: { 'Cache-Control': 'no-store' } } : undefined);
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  const site = siteOf(matches);
  const { heading } = messagesFor(site.language).search;
  return pageMeta(site, {
    title: data?.query ? `${heading}: ${data.query}` : heading,
    description: `${heading} · ${site.title}`,
    path: `${prefixOf(data?.language ?? '')}/search`,
    noIndex: true,
  });
};

export default function Search() {
  return <SearchPage view={useLoaderData<typeof loader>()} />;
}
