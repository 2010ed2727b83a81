import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { App } from '#app/app.ts';
import { appOf } from '#app/compose.server.ts';
import { findAuthor, listPosts, type ListScope } from '#app/posts/lists/queries.server.ts';
import { encodePath } from '#app/posts/paths.ts';
import { findTerm } from '#app/posts/terms/queries.server.ts';
import { readPageSize } from '#app/settings/queries.server.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { readSlug, languageOf, placeOf } from '#app/site/shell/address.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { withFirstPictures } from './posts.server.ts';
import { PostList } from './post-list.tsx';

/** What a browser shows at a feed's address (decision 028): what a feed is, its address, its newest posts. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  const { listedIn, prefix } = placeOf(context);
  const path = params['*'] ?? '';
  // A request without a place is for the route's own address.
  const subject = context.place ? await findSubject(app, path, listedIn) : null;
  const pageSize = await readPageSize(app);
  const list = subject && (await listPosts(app, { scope: subject.scope, page: 1, pageSize }));
  if (!list) throw await notFound(app);
  const feedPath = encodePath(`${prefix}/${path}`);
  const { posts } = await withFirstPictures(app, context, list);
  return { name: subject.name, posts, feedPath, language: languageOf(context) };
}

/**
 * The subject of a feed, by its path: the site, a category, a tag or an author; null without one. `name` is empty for
 * the site.
 */
async function findSubject(
  app: App,
  path: string,
  listedIn: string,
): Promise<{ name: string; scope: ListScope } | null> {
  const [kind, part, ...rest] = path.split('/');
  if (rest.length === 0) return { name: '', scope: { listedIn } };
  const slug = readSlug(part);
  if (slug === null) return null;
  if (kind === 'authors') {
    const author = await findAuthor(app, slug, listedIn);
    return author && { name: author.displayName, scope: { authorId: author.id, listedIn } };
  }
  const isCategory = kind === 'categories';
  const term = await findTerm(app, isCategory ? 'category' : 'tag', slug, listedIn);
  return term && { name: term.name, scope: { [isCategory ? 'categoryId' : 'tagId']: term.id, listedIn } };
}

// Feed readers get the feed at the same address, so no shared cache may keep this page.
export const headers = () => ({ 'Cache-Control': 'private, no-cache' });

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  const site = siteOf(matches);
  const title = data?.name || site.title;
  return pageMeta(site, { title, description: title, path: data?.feedPath ?? '', noIndex: true });
};

export default function FeedPage() {
  const { name, posts, feedPath } = useLoaderData<typeof loader>();
  const { title, origin, messages } = useSite();
  const { kind, text, address } = messages.feedPage;
  return (
    <div className="list-page">
      <header className="page-heading">
        <p className="kicker">{kind}</p>
        <h1>{name || title}</h1>
        <p className="lede">{text}</p>
        <input className="feed-address" type="url" aria-label={address} value={origin + feedPath} readOnly />
      </header>
      <PostList posts={posts} />
    </div>
  );
}
