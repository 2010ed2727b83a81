import {
  data,
  redirect,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { findPreview } from '#app/posts/previews/links.server.ts';
import { ArticleView } from '#app/site/posts/article.tsx';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { useSite } from '#app/site/shell/use-site.ts';

// The token is a secret in the address: no cache keeps the page, and no linked site is told (see `meta`).
const secretPage = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' };

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { shownPost } = context;
  if (shownPost)
    return data({ post: shownPost, dated: shownPost.publishedAt.getTime() > 0, isShared: false });
  const app = await appOf(context);
  const preview = await findPreview(app, params.token ?? '');
  if (!preview) throw await notFound(app);
  const { post, status } = preview;
  if (status === 'published')
    throw redirect(encodePath(postPath(post.slug)), { status: 302, headers: secretPage });
  return data({ post, dated: status === 'scheduled', isShared: true }, { headers: secretPage });
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: loaded, matches }) => {
  if (!loaded) return [];
  const { title, excerpt } = loaded.post;
  const head = { title, description: excerpt, path: '/', noIndex: true };
  return [...pageMeta(siteOf(matches), head), { name: 'referrer', content: 'no-referrer' }];
};

export default function Preview() {
  const { post, dated, isShared } = useLoaderData<typeof loader>();
  const { messages } = useSite();
  return (
    <>
      {isShared ? (
        <p className="notice" role="note">
          {messages.post.preview}
        </p>
      ) : null}
      <ArticleView post={post} dated={dated} />
    </>
  );
}
