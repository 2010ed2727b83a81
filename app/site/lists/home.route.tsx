import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { findRedirectOfQuery } from '#app/posts/addresses/find-redirect.server.ts';
import { findPageById } from '#app/posts/lists/queries.server.ts';
import { encodePath, isHome } from '#app/posts/paths.ts';
import { redirectOfHome } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { cardImage } from '#app/site/cards/card.server.ts';
import { articleMeta, listAlternates, webSite } from '#app/site/posts/article-head.ts';
import { PageView } from '#app/site/posts/article.tsx';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { messagesFor } from '#app/site/shell/messages.ts';
import { pageHref, PostsPage } from './pages.tsx';
import { readPostsPage } from './posts.server.ts';

// Only for WordPress addresses (`/?p=1`): the page cache sets this header for all others.
export const headers = () => ({ 'Cache-Control': 'public, no-cache' });

/** The page that is the home, or the newest posts. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  const { search, searchParams } = new URL(request.url);
  const old = await findRedirectOfQuery(app, searchParams);
  if (old) throw redirect(old, { status: 301, headers: headers() });
  const settings = await readSettings(app);
  const found = settings.home_page === '' ? null : await findPageById(app, settings.home_page);
  const home = found && isHome(found, settings.home_page) ? found : null;
  const moved = redirectOfHome(settings, { hasHome: home !== null, isLater: searchParams.has('page') });
  if (moved !== null) throw redirect(encodePath(moved) + search, { status: 301, headers: headers() });
  if (home)
    return {
      home,
      card: await cardImage(app, home),
      list: null,
      language: home.language || undefined,
    };
  return {
    home: null,
    card: null,
    list: await readPostsPage(app, { request, context, listedIn: '' }),
    language: undefined,
  };
}

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const site = siteOf(matches);
  if (data.home) return articleMeta(site, data.home, { path: '/', card: data.card, data: [webSite(site)] });
  const { page } = data.list;
  const head = pageMeta(site, {
    title: page === 1 ? '' : messagesFor(site.language).lists.page(page),
    description: site.description,
    path: pageHref('/', page),
    data: page === 1 ? [webSite(site)] : [],
  });
  return page === 1 ? [...head, ...listAlternates(site)] : head;
};

export default function Home() {
  const { home, list } = useLoaderData<typeof loader>();
  return home ? <PageView page={home} /> : <PostsPage list={list} path="/" />;
}
