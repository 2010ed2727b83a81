import type { PostSummary } from '#app/posts/lists/public-post.ts';
import { readingMinutes } from '#app/posts/markdown/reading-time.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { CoverImage, showsCovers } from '#app/site/covers/cover-image.tsx';
import { DrawnCover } from '#app/site/covers/drawn-cover.tsx';
import { CategoryLink, PostDate } from '#app/site/posts/meta.tsx';
import type { SiteFrame } from '#app/site/shell/frame.ts';
import { useSite } from '#app/site/shell/use-site.ts';

/**
 * Posts with their beginnings, newest first. `lead`: the first one may be larger, depending on the appearance.
 * `namesCategory`: false if all have the same category.
 */
export function PostList({
  posts,
  lead = false,
  namesCategory = true,
}: {
  posts: PostSummary[];
  lead?: boolean;
  namesCategory?: boolean;
}) {
  const { messages, listStyle } = useSite();
  if (posts.length === 0) return <p className="empty">{messages.lists.empty}</p>;
  // If one person wrote all posts, as on that person's page, the name says nothing.
  const namesAuthors = new Set(posts.map(namesOf)).size > 1;
  const firstCover = posts.findIndex(({ cover }) => cover !== null);
  const drawsCovers = listStyle === 'cards' && firstCover !== -1;
  return (
    <ol className={lead ? 'post-list post-list-lead' : 'post-list'}>
      {posts.map((post, index) => (
        <li key={post.id}>
          <PostTeaser
            post={post}
            isLead={lead && index === 0}
            drawsCover={drawsCovers && !(lead && index === 0)}
            namesAuthors={namesAuthors}
            namesCategory={namesCategory}
            place={index > 2 ? 'far' : index === firstCover ? 'lead' : 'near'}
          />
        </li>
      ))}
    </ol>
  );
}

function namesOf({ authors }: PostSummary): string {
  return authors.map(({ displayName }) => displayName).join(', ');
}

// As wide as the stylesheets of `appearance/styles` draw them; media queries count a rem as 16 pixels.
const sizes = {
  lead: '(min-width: 72rem) 1080px, 100vw',
  leadCard: '(min-width: 72rem) 670px, (min-width: 44rem) 55vw, 100vw',
  cards: '(min-width: 72rem) 400px, (min-width: 47rem) 50vw, 100vw',
  list: '(min-width: 44rem) 260px, 100vw',
};

function sizeOf(listStyle: SiteFrame['listStyle'], { isLead }: { isLead: boolean }): keyof typeof sizes {
  if (listStyle === 'cards') return isLead ? 'leadCard' : 'cards';
  return isLead && listStyle === 'lead' ? 'lead' : 'list';
}

function PostTeaser({
  post,
  isLead,
  drawsCover,
  namesAuthors,
  namesCategory,
  place,
}: {
  post: PostSummary;
  isLead: boolean;
  /** Draws a cover for a post without one. */
  drawsCover: boolean;
  namesAuthors: boolean;
  namesCategory: boolean;
  place: 'lead' | 'near' | 'far';
}) {
  const { messages, listStyle } = useSite();
  const cover = showsCovers({ listStyle }) ? post.cover : null;
  return (
    <article className={cover ? 'teaser teaser-with-cover' : 'teaser'}>
      <p className="teaser-meta">
        <PostDate date={post.publishedAt} />
        {namesCategory && post.category ? <CategoryLink category={post.category} /> : null}
        {namesAuthors && post.authors.length > 0 ? <span>{namesOf(post)}</span> : null}
        <span>{messages.post.readingTime(readingMinutes(post.wordCount))}</span>
      </p>
      <div className="teaser-text">
        <h2>
          <a href={encodePath(postPath(post.slug))}>{post.title}</a>
        </h2>
        {post.excerpt ? <p className="teaser-excerpt">{post.excerpt}</p> : null}
      </div>
      {cover ? (
        <CoverImage
          image={cover}
          focus={post.coverFocus}
          sizes={sizes[sizeOf(listStyle, { isLead })]}
          place={place}
        />
      ) : drawsCover ? (
        <DrawnCover title={post.title} group={(namesCategory && post.category?.slug) || post.slug} />
      ) : null}
    </article>
  );
}
