import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { encodePath } from '#app/posts/paths.ts';
import { listAlternates } from '#app/site/posts/article-head.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { messagesFor } from '#app/site/shell/messages.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { languageOf } from '#app/site/shell/address.ts';
import { pageHref, PostsPage } from './pages.tsx';
import { readPostsPage } from './posts.server.ts';

/** The list of posts at its configured address, or the list of another language. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  if (!context.place) throw await notFound(app);
  const { listedIn, path } = context.place;
  const list = await readPostsPage(app, { request, context, listedIn });
  return { list, path: encodePath(path), language: languageOf(context) };
}

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { list, path } = data;
  const site = siteOf(matches);
  const { lists } = messagesFor(site.language);
  const head = pageMeta(site, {
    title: list.page === 1 ? lists.latest : lists.page(list.page),
    description: site.description,
    path: pageHref(path, list.page),
  });
  return list.page === 1 ? [...head, ...listAlternates(site)] : head;
};

export default function Posts() {
  const { list, path } = useLoaderData<typeof loader>();
  return <PostsPage list={list} path={path} />;
}
