import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import type { PostLink } from '#app/posts/lists/public-post.ts';
import { encodePath, postPath, prefixOf } from '#app/posts/paths.ts';
import type { WithThumbnail } from '#app/posts/pictures/queries.server.ts';
import type { TextSegment } from '#app/search/highlight.ts';
import { type Facet, type PostHit, type PostSearchResult, searchPosts } from '#app/search/posts.server.ts';
import { readPageSize } from '#app/settings/queries.server.ts';
import { Thumbnail } from '#app/site/covers/cover-image.tsx';
import { Pagination } from '#app/site/lists/pages.tsx';
import { withShownCovers } from '#app/site/lists/posts.server.ts';
import { PostDate, CategoryLink } from '#app/site/posts/cards.tsx';
import { readPageNumber, readQuery, readSlug, languageOf } from '#app/site/shell/address.ts';
import { wordsLanguage } from '#app/site/shell/frame.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { messagesFor } from '#app/site/shell/messages.ts';
import { notFound, readRecentLinks } from '#app/site/shell/not-found.server.ts';
import { RecentPosts, SearchForm } from '#app/site/shell/shell.tsx';
import { useSite } from '#app/site/shell/use-site.ts';

/** A hit with the post's cover, if lists have pictures. */
type ShownHit = Omit<PostHit, 'post'> & { post: WithThumbnail<PostHit['post']> };

/** What was asked, and what `searchPosts` found. */
export interface SearchView {
  /** `''` before a search. */
  query: string;
  /** Slugs; `null` for no filter. */
  category: string | null;
  tag: string | null;
  page: number;
  found: Omit<PostSearchResult, 'hits'> & { hits: ShownHit[] };
  /** Posts to read before a search; empty for a search, even one without results. */
  recent: PostLink[];
}

/** Everything below `/search`. */
export function SearchPage({ view }: { view: SearchView }) {
  const { search } = useSite().messages;
  return (
    <div className="list-page search-page">
      <header className="page-heading">
        <h1>{search.heading}</h1>
        <SearchForm query={view.query} />
      </header>
      {view.found.fallback ? (
        <p className="notice" role="status">
          {search.degraded}
        </p>
      ) : null}
      {view.query === '' ? <p className="empty">{search.prompt}</p> : <Results view={view} />}
      <RecentPosts posts={view.recent} />
    </div>
  );
}

function Results({ view }: { view: SearchView }) {
  const { language, messages, prefix } = useSite();
  const hrefWith = (change: SearchChange) => searchHref(prefix, view, change);
  const { archive, search } = messages;
  const { hits, total, isCut, pages, categories, tags, correctedQuery } = view.found;
  const shown = isCut ? `${total.toLocaleString(language)}+` : String(total);
  return (
    <>
      <p className="search-summary" role="status">
        {total === 0
          ? search.nothing(view.query)
          : search.results(total, correctedQuery ?? view.query, shown)}
        {correctedQuery ? ` ${search.notAsTyped(view.query)}` : null}
      </p>
      {total === 0 ? (
        <p className="empty">
          {search.nothingHint} <a href={`${prefix}/archive`}>{archive}</a>
        </p>
      ) : null}
      <Facets label={search.category} name="category" facets={categories} view={view} />
      <Facets label={search.tag} name="tag" facets={tags} view={view} />
      {hits.length > 0 ? (
        <ol className="search-hits">
          {hits.map((hit) => (
            <li key={hit.post.id}>
              <Hit hit={hit} />
            </li>
          ))}
        </ol>
      ) : null}
      <Pagination page={view.page} pageCount={pages} hrefOf={(page) => hrefWith({ page })} />
    </>
  );
}

function Hit({ hit: { post, title, snippet } }: { hit: ShownHit }) {
  const { cover } = post;
  const ofWords = wordsLanguage(post.language, useSite());
  return (
    <article className={cover ? 'search-hit search-hit-with-cover' : 'search-hit'}>
      <h2 {...ofWords}>
        <a href={encodePath(postPath(post.slug))}>
          <Marked segments={title} />
        </a>
      </h2>
      <p className="teaser-excerpt" {...ofWords}>
        {snippet.length > 0 ? <Marked segments={snippet} /> : post.excerpt}
      </p>
      <p className="search-hit-meta">
        <PostDate date={post.publishedAt} />
        {post.category ? <CategoryLink category={post.category} /> : null}
      </p>
      {cover ? <Thumbnail image={cover} focus={post.coverFocus} /> : null}
    </article>
  );
}

function Marked({ segments }: { segments: TextSegment[] }) {
  return segments.map(({ text, marked }, index) => (marked ? <mark key={index}>{text}</mark> : text));
}

function Facets({
  label,
  name,
  facets,
  view,
}: {
  label: string;
  name: 'category' | 'tag';
  facets: Facet[];
  view: SearchView;
}) {
  const { messages, prefix } = useSite();
  const active = view[name];
  if (facets.length === 0 && !active) return null;
  return (
    <nav className="facets" aria-label={label}>
      <ul className="pills">
        {active ? (
          <li>
            <a href={searchHref(prefix, view, { [name]: null, page: 1 })}>{messages.search.inAll}</a>
          </li>
        ) : null}
        {facets.map(({ slug, name: title, count }) => (
          <li key={slug}>
            <a
              href={searchHref(prefix, view, { [name]: slug, page: 1 })}
              aria-current={slug === active ? 'true' : undefined}
            >
              {title}{' '}
              <span className="count">
                {count}
                {view.found.isCut ? '+' : null}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface SearchChange {
  category?: string | null;
  tag?: string | null;
  page?: number;
}

/** The address of this search with something changed. */
function searchHref(prefix: string, view: SearchView, change: SearchChange): string {
  const { query, category, tag, page } = { ...view, ...change };
  const params = new URLSearchParams({ q: query });
  if (category) params.set('category', category);
  if (tag) params.set('tag', tag);
  if (page > 1) params.set('page', String(page));
  return `${prefix}/search?${params}`;
}

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
