import { encodePath, postPath } from '#app/posts/paths.ts';
import type { PostLink } from '#app/posts/public-post.ts';
import { useSite } from './use-site.ts';

/** Titles with their dates, one a line. */
export function PostLinks({ posts }: { posts: PostLink[] }) {
  const { longDate } = useSite();
  return (
    <ul className="post-links">
      {posts.map(({ slug, title, publishedAt }) => (
        <li key={slug}>
          <a href={encodePath(postPath(slug))}>{title}</a>{' '}
          <time dateTime={publishedAt.toISOString()}>{longDate(publishedAt)}</time>
        </li>
      ))}
    </ul>
  );
}
