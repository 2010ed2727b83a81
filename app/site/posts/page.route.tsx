import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { listPagesAround } from '#app/posts/lists/pages.server.ts';
import { findPost } from '#app/posts/lists/queries.server.ts';
import { encodePath } from '#app/posts/paths.ts';
import { cardImage } from '#app/site/cards/card.server.ts';
import { siteOf } from '#app/site/shell/head.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { articleMeta, pageBreadcrumbs } from './article-head.ts';
import { PageView } from './article.tsx';

/** A page at its own address. */
export async function loader({ context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  const page = context.place ? await findPost(app, context.place.path) : null;
  if (!page) throw await notFound(app);
  const [around, card] = await Promise.all([listPagesAround(app, page), cardImage(app, page)]);
  return { page, ...around, card, language: page.language || undefined };
}

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { page, above, card } = data;
  const site = siteOf(matches);
  return articleMeta(site, page, {
    path: encodePath(page.slug),
    card,
    data: above.length > 0 ? [pageBreadcrumbs(site, [...above, page])] : [],
  });
};

export default function Page() {
  const { page, above, below } = useLoaderData<typeof loader>();
  return <PageView page={page} above={above} below={below} />;
}
