import { encodePath, postPath } from '#app/posts/paths.ts';
import type { PostSummary } from '#app/posts/public-post.ts';
import { CoverImage } from './cover-image.tsx';
import { CategoryLink, PostDate } from './post-meta.tsx';
import { readingMinutes } from './reading-time.ts';
import { useSite } from './use-site.ts';

/** Posts with their beginnings, newest first. */
export function PostList({ posts }: { posts: PostSummary[] }) {
  const { messages } = useSite();
  if (posts.length === 0) return <p className="empty">{messages.lists.empty}</p>;
  return (
    <ol className="post-list">
      {posts.map((post, index) => (
        <li key={post.id}>
          <PostTeaser post={post} near={index < 3} />
        </li>
      ))}
    </ol>
  );
}

function PostTeaser({ post, near }: { post: PostSummary; near: boolean }) {
  const { messages } = useSite();
  return (
    <article className={post.cover ? 'teaser teaser-with-cover' : 'teaser'}>
      <p className="teaser-meta">
        <PostDate date={post.publishedAt} />
        {post.category ? <CategoryLink category={post.category} /> : null}
        <span>{messages.post.readingTime(readingMinutes(post.wordCount))}</span>
      </p>
      <div className="teaser-text">
        <h2>
          <a href={encodePath(postPath(post.slug))}>{post.title}</a>
        </h2>
        {post.excerpt ? <p className="teaser-excerpt">{post.excerpt}</p> : null}
      </div>
      {post.cover ? (
        <CoverImage
          image={post.cover}
          sizes="(min-width: 44rem) 13rem, 100vw"
          place={near ? 'near' : 'far'}
        />
      ) : null}
    </article>
  );
}
