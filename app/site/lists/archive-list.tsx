import { groupBy } from '#app/platform/group-by.ts';
import type { ArchiveYear } from '#app/posts/lists/archive.server.ts';
import type { PostCard } from '#app/posts/lists/public-post.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { Thumbnail } from '#app/site/covers/cover-image.tsx';
import { dayAndMonth, monthName, yearOf } from '#app/site/shell/dates.ts';
import { wordsLanguage } from '#app/site/shell/page-language.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { pageHref } from './list-page.tsx';

/** The years with their counts. Each links to the page on which it begins. */
export function ArchiveYears({ years, path }: { years: ArchiveYear[]; path: string }) {
  const { lists } = useSite().messages;
  if (years.length < 2) return null;
  return (
    <nav className="archive-years" aria-label={lists.years}>
      <ul>
        {years.map(({ year, count, page }) => (
          <li key={year}>
            <a href={`${pageHref(path, page)}#y${year}`}>{year}</a> <span className="count">{count}</span>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Titles below their years and months, newest first. */
export function ArchiveList({ posts }: { posts: PostCard[] }) {
  const site = useSite();
  const { language, timeZone, messages } = site;
  if (posts.length === 0) return <p className="empty">{messages.lists.empty}</p>;
  const years = [...groupBy(posts, ({ publishedAt }) => String(yearOf(publishedAt, timeZone)))];
  return years.map(([year, ofYear]) => {
    // As in other lists: where most posts have no picture, none are shown.
    const hasCovers = ofYear.filter(({ cover }) => cover !== null).length * 2 >= ofYear.length;
    return (
      <section key={year} className="archive-year" aria-labelledby={`y${year}`}>
        <h2 id={`y${year}`}>{year}</h2>
        <div className="archive-months">
          {[...groupBy(ofYear, ({ publishedAt }) => monthName(publishedAt, language, timeZone))].map(
            ([month, ofMonth]) => (
              <section key={month} className="archive-month">
                <h3>{month}</h3>
                <ul className={hasCovers ? 'archive-covers' : undefined}>
                  {ofMonth.map(({ slug, title, publishedAt, cover, coverFocus, ...post }) => (
                    <li key={slug}>
                      <a href={encodePath(postPath(slug))} {...wordsLanguage(post.language, site)}>
                        {title}
                      </a>{' '}
                      <time dateTime={publishedAt.toISOString()}>
                        {dayAndMonth(publishedAt, language, timeZone)}
                      </time>
                      {hasCovers && cover ? <Thumbnail image={cover} focus={coverFocus} /> : null}
                    </li>
                  ))}
                </ul>
              </section>
            ),
          )}
        </div>
      </section>
    );
  });
}
