import type { PostCard } from '#app/posts/lists/public-post.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { CoverImage, drawnClass, drawsCovers, showsCovers } from '#app/site/covers/cover-image.tsx';
import { wordsLanguage } from '#app/site/shell/page-language.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { PostDate } from './meta.tsx';

/** A few posts below something else, side by side where there is room. */
export function PostCards({ posts }: { posts: PostCard[] }) {
  const site = useSite();
  const hasCovers = showsCovers(site) && posts.some(({ cover }) => cover !== null);
  const isDrawn = hasCovers && drawsCovers(site);
  return (
    <ol className="post-cards">
      {posts.map(({ slug, title, language, publishedAt, cover, coverFocus }) => (
        <li key={slug} className={isDrawn && !cover ? drawnClass(slug) : undefined}>
          {hasCovers && cover ? (
            <CoverImage
              image={cover}
              focus={coverFocus}
              sizes="(min-width: 72rem) 380px, (min-width: 44rem) 32vw, 130px"
              place="far"
            />
          ) : null}
          <h3 {...wordsLanguage(language, site)}>
            <a href={encodePath(postPath(slug))}>{title}</a>
          </h3>
          <PostDate date={publishedAt} />
        </li>
      ))}
    </ol>
  );
}
