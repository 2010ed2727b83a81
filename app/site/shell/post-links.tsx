import type { PostLink } from '#app/posts/lists/public-post.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { wordsLanguage } from './page-language.ts';
import { useSite } from './use-site.ts';

/** Recent posts, for a page without other content. */
export function RecentPosts({ posts }: { posts: PostLink[] }) {
  const { errors } = useSite().messages;
  if (posts.length === 0) return null;
  return (
    <section className="recent-posts" aria-labelledby="recent-posts">
      <h2 id="recent-posts">{errors.recent}</h2>
      <PostLinks posts={posts} />
    </section>
  );
}

/** Titles with their dates, one a line. */
function PostLinks({ posts }: { posts: PostLink[] }) {
  const site = useSite();
  return (
    <ul className="post-links">
      {posts.map(({ slug, title, language, publishedAt }) => (
        <li key={slug}>
          <a href={encodePath(postPath(slug))} {...wordsLanguage(language, site)}>
            {title}
          </a>{' '}
          <time dateTime={publishedAt.toISOString()}>{site.longDate(publishedAt)}</time>
        </li>
      ))}
    </ul>
  );
}
