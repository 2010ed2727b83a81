import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { listComments } from '#app/posts/lists/comments.server.ts';
import { findNeighbours, findPost } from '#app/posts/lists/queries.server.ts';
import { findRelatedPosts } from '#app/posts/lists/related.server.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { cardImage } from '#app/site/cards/card.server.ts';
import { SubscribeForm } from '#app/site/newsletter/subscribe-form.tsx';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { readSlug } from '#app/site/shell/address.ts';
import { alternates, blogPosting, breadcrumbs } from './article-head.ts';
import { ArticleView, FurtherReading } from './article.tsx';
import { Comments } from './comments.tsx';

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  const slug = readSlug(params.slug);
  // A page has its path in the place of a slug, and no address here.
  const post = slug === null || slug.includes('/') ? null : await findPost(app, slug);
  if (!post) {
    const moved = await findRedirect(app, new URL(request.url).pathname);
    throw moved ? redirect(moved, 301) : await notFound(app);
  }
  const neighbours = await findNeighbours(app, post);
  const named = [neighbours.older, neighbours.newer].flatMap((neighbour) => neighbour?.slug ?? []);
  const [related, comments, card] = await Promise.all([
    findRelatedPosts(app, post, { limit: 3, besides: named }),
    post.hasComments ? listComments(app, post.id) : [],
    cardImage(app, post),
  ]);
  return { language: post.language || undefined, post, ...neighbours, related, comments, card };
}

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { post, card } = data;
  const site = siteOf(matches);
  const description = post.seoDescription || post.excerpt || post.title;
  return [
    ...pageMeta(site, {
      title: post.seoTitle || post.title,
      description,
      path: encodePath(postPath(post.slug)),
      canonicalUrl: post.canonicalUrl,
      image: post.cover ?? card,
      properties: [
        ['article:published_time', post.publishedAt.toISOString()],
        ['article:modified_time', post.updatedAt.toISOString()],
        ...(post.category ? [['article:section', post.category.name] as [string, string]] : []),
        ...post.tags.map(({ name }) => ['article:tag', name] as [string, string]),
      ],
      data: [blogPosting(site, post, description), breadcrumbs(site, post)],
    }),
    ...alternates(site, post),
  ];
};

export default function Post() {
  const { post, older, newer, related, comments } = useLoaderData<typeof loader>();
  return (
    <>
      <ArticleView post={post} />
      <SubscribeForm afterPost />
      <Comments threads={comments} />
      <FurtherReading older={older} newer={newer} related={related} />
    </>
  );
}
