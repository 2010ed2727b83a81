import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { groupBy } from '#app/platform/group-by.ts';
import { type ArchiveYear, listArchive } from '#app/posts/lists/archive.server.ts';
import type { PostCard } from '#app/posts/lists/public-post.ts';
import { encodePath, postPath } from '#app/posts/paths.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { Thumbnail } from '#app/site/covers/cover-image.tsx';
import { readPageNumber, languageOf, placeOf } from '#app/site/shell/address.ts';
import { dayAndMonth, monthName, yearOf } from '#app/site/shell/dates.ts';
import { wordsLanguage } from '#app/site/shell/frame.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { messagesFor } from '#app/site/shell/messages.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { pageHref, Pagination } from './pages.tsx';
import { withShownCovers } from './posts.server.ts';

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

export async function loader({ request, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  const { listedIn, prefix } = placeOf(context);
  const page = readPageNumber(new URL(request.url));
  const timeZone = await readSetting(app, 'site_timezone');
  const archive = page && (await listArchive(app, { page, timeZone, listedIn }));
  if (!archive) throw await notFound(app);
  const posts = await withShownCovers(app, context, archive.posts);
  return { ...archive, posts, path: `${prefix}/archive`, language: languageOf(context) };
}

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  const site = siteOf(matches);
  const title = messagesFor(site.language).archive;
  const path = pageHref(data?.path ?? '/archive', data?.page ?? 1);
  return pageMeta(site, { title, description: `${title} · ${site.title}`, path });
};

export default function Archive() {
  const { posts, years, total, page, pageCount, path } = useLoaderData<typeof loader>();
  const { description, isOtherLanguage, messages, prefix } = useSite();
  return (
    <div className="list-page">
      <header className="page-heading">
        <h1>{messages.archive}</h1>
        {description && !isOtherLanguage ? <p className="lede">{description}</p> : null}
        <p className="page-heading-facts">
          {messages.lists.count(total)}
          <a href={`${prefix}/rss.xml`}>{messages.feed}</a>
        </p>
      </header>
      <ArchiveYears years={years} path={path} />
      <ArchiveList posts={posts} />
      <Pagination page={page} pageCount={pageCount} hrefOf={(other) => pageHref(path, other)} />
    </div>
  );
}
