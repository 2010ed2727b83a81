import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { findOldSiteQuery } from '#app/posts/old-site.server.ts';
import { listPosts } from '#app/posts/queries.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { pageMeta, siteOf } from '#app/site/head.ts';
import { webSite } from '#app/site/json-ld.ts';
import { pageHref } from '#app/site/list-page.tsx';
import { messagesFor } from '#app/site/messages.ts';
import { notFound } from '#app/site/not-found.server.ts';
import { Pagination } from '#app/site/pagination.tsx';
import { readPageNumber } from '#app/site/params.ts';
import { PostList } from '#app/site/post-list.tsx';
import { useSite } from '#app/site/use-site.ts';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  const url = new URL(request.url);
  const moved = await findOldSiteQuery(app, url.searchParams);
  if (moved) throw redirect(moved, 301);
  const page = readPageNumber(url);
  const pageSize = await readSetting(app, 'posts_per_page');
  const list = page && (await listPosts(app, { page, pageSize }));
  if (!list) throw await notFound(app);
  return list;
}

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const site = siteOf(matches);
  return pageMeta(site, {
    title: data.page === 1 ? '' : messagesFor(site.language).lists.page(data.page),
    description: site.description,
    path: pageHref('/', data.page),
    data: data.page === 1 ? [webSite(site)] : [],
  });
};

export default function Home() {
  const { posts, page, pageCount } = useLoaderData<typeof loader>();
  const { title, description, messages } = useSite();
  return (
    <div className="list-page">
      <header className="page-heading">
        {page === 1 ? (
          <h1 className={description ? 'statement' : undefined}>{description || title}</h1>
        ) : (
          <h1>{messages.lists.latest}</h1>
        )}
      </header>
      <PostList posts={posts} lead={page === 1} />
      <Pagination page={page} pageCount={pageCount} hrefOf={(other) => pageHref('/', other)} />
    </div>
  );
}
