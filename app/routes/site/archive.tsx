import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { listArchive } from '#app/posts/archive.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { ArchiveList, ArchiveYears } from '#app/site/archive-list.tsx';
import { pageMeta, siteOf } from '#app/site/head.ts';
import { withShownCovers } from '#app/site/list-covers.server.ts';
import { pageHref } from '#app/site/list-page.tsx';
import { messagesFor } from '#app/site/messages.ts';
import { notFound } from '#app/site/not-found.server.ts';
import { Pagination } from '#app/site/pagination.tsx';
import { languageOf, placeOf } from '#app/site/place.ts';
import { readPageNumber } from '#app/site/params.ts';
import { useSite } from '#app/site/use-site.ts';

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
