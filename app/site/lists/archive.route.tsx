import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { listArchive } from '#app/posts/lists/archive.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { messagesFor } from '#app/site/shell/messages.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { readPageNumber } from '#app/site/shell/params.ts';
import { languageOf, placeOf } from '#app/site/shell/place.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { ArchiveList, ArchiveYears } from './archive-list.tsx';
import { withShownCovers } from './list-covers.server.ts';
import { pageHref } from './list-page.tsx';
import { Pagination } from './pagination.tsx';

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
