import type { PostSummary } from '#app/posts/lists/public-post.ts';
import { readingMinutes } from '#app/posts/markdown/reading-time.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { CoverImage, drawnClass, drawsCovers, showsCovers } from '#app/site/covers/cover-image.tsx';
import { CategoryLink, PostDate } from '#app/site/posts/cards.tsx';
import { yearOf } from '#app/site/shell/dates.ts';
import { type SiteFrame, wordsLanguage } from '#app/site/shell/frame.ts';
import { useSite } from '#app/site/shell/use-site.ts';

/** How a layout (`appearance/styles/list-….css`) uses pictures. Its widths count a rem as 16 pixels. */
interface Layout {
  /** The `sizes` of a picture, and of the first post's or of the only two. */
  sizes: string;
  leadSizes?: string;
  /** Places of a list with a lead that are side by side. The first pair with two pictures shows them, others none. */
  pairs?: readonly (readonly number[])[];
}

const layouts: Record<SiteFrame['listStyle'], Layout> = {
  lead: {
    sizes: '(min-width: 44rem) 240px, 130px',
    leadSizes: '(min-width: 60rem) 800px, 100vw',
  },
  list: { sizes: '(min-width: 44rem) 240px, 130px' },
  cards: {
    sizes: '(min-width: 72rem) 380px, (min-width: 47rem) 50vw, 100vw',
    leadSizes: '(min-width: 72rem) 780px, 100vw',
  },
  front: {
    sizes: '(min-width: 72rem) 370px, (min-width: 44rem) 45vw, 130px',
    leadSizes: '(min-width: 62rem) 560px, 100vw',
    pairs: [
      [1, 3],
      [2, 4],
    ],
  },
  magazine: {
    sizes: '(min-width: 72rem) 660px, (min-width: 44rem) 55vw, 100vw',
    leadSizes: '100vw',
  },
  compact: { sizes: '' },
  archive: { sizes: '' },
  letters: { sizes: '' },
};

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
  const { messages, listStyle, timeZone } = useSite();
  if (posts.length === 0) return <p className="empty">{messages.lists.empty}</p>;
  // If one person wrote all posts, as on that person's page, the name says nothing.
  const namesAuthors = new Set(posts.map(namesOf)).size > 1;
  const layout = layouts[listStyle];
  const covered = showsCovers({ listStyle }) ? posts.filter(({ cover }) => cover !== null).length : 0;
  const firstCover = posts.findIndex(({ cover }) => cover !== null);
  // Where most posts have no picture, the layout does without them.
  const isPlain = covered * 2 < posts.length;
  const picturedPair = layout.pairs?.find((pair) => pair.every((index) => posts[index]?.cover));
  const withoutPicture = lead ? layout.pairs?.filter((pair) => pair !== picturedPair).flat() : undefined;
  const years = posts.map(({ publishedAt }) => yearOf(publishedAt, timeZone));
  return (
    <ol
      className={['post-list', lead && 'post-list-lead', isPlain && 'post-list-plain']
        .filter(Boolean)
        .join(' ')}
    >
      {posts.map((post, index) => {
        const isLead = lead && index === 0;
        const showsPicture = covered > 0 && !withoutPicture?.includes(index);
        return (
          <li key={post.id} data-year={years[index] === years[index - 1] ? undefined : years[index]}>
            <PostTeaser
              post={showsPicture ? post : { ...post, cover: null }}
              sizes={((isLead || posts.length < 3) && layout.leadSizes) || layout.sizes}
              drawsCover={drawsCovers({ listStyle })}
              namesAuthors={namesAuthors}
              namesCategory={namesCategory}
              place={index > 2 ? 'far' : index === firstCover ? 'lead' : 'near'}
            />
          </li>
        );
      })}
    </ol>
  );
}

function namesOf({ authors }: PostSummary): string {
  return authors.map(({ displayName }) => displayName).join(', ');
}

function PostTeaser({
  post,
  sizes,
  drawsCover,
  namesAuthors,
  namesCategory,
  place,
}: {
  post: PostSummary;
  sizes: string;
  /** A post without a cover is a field of colour. */
  drawsCover: boolean;
  namesAuthors: boolean;
  namesCategory: boolean;
  place: 'lead' | 'near' | 'far';
}) {
  const site = useSite();
  const { messages } = site;
  const { cover, category } = post;
  const ofWords = wordsLanguage(post.language, site);
  const look = cover ? 'teaser-with-cover' : drawsCover ? drawnClass(category?.slug ?? post.slug) : '';
  return (
    <article className={`teaser ${look}`.trim()}>
      <div className="teaser-text">
        {namesCategory && category ? (
          <p className="kicker">
            <CategoryLink category={category} />
          </p>
        ) : null}
        <h2 {...ofWords}>
          <a href={encodePath(postPath(post.slug))}>{post.title}</a>
        </h2>
        {post.excerpt ? (
          <p className="teaser-excerpt" {...ofWords}>
            {post.excerpt}
          </p>
        ) : null}
        <p className="teaser-meta">
          {namesAuthors && post.authors.length > 0 ? (
            <span className="teaser-authors">{namesOf(post)}</span>
          ) : null}
          <PostDate date={post.publishedAt} />
          <span className="reading-time">{messages.post.readingTime(readingMinutes(post.wordCount))}</span>
        </p>
      </div>
      {cover ? <CoverImage image={cover} focus={post.coverFocus} sizes={sizes} place={place} /> : null}
    </article>
  );
}
