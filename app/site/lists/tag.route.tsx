import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { listPosts } from '#app/posts/lists/queries.server.ts';
import { listLanguages } from '#app/posts/lists/translations.server.ts';
import { tagPath, encodePath } from '#app/posts/paths.ts';
import { readPageSize } from '#app/settings/queries.server.ts';
import { siteOf } from '#app/site/shell/head.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { readPageNumber, languageOf, placeOf } from '#app/site/shell/address.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { termOf, withFirstPictures } from './posts.server.ts';
import { listMeta, ListPage } from './pages.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  const app = await appOf(context);
  const { listedIn, prefix } = placeOf(context);
  const tag = await termOf(app, args, 'tag');
  const page = readPageNumber(new URL(request.url));
  const pageSize = await readPageSize(app);
  const list = page && (await listPosts(app, { scope: { tagId: tag.id, listedIn }, page, pageSize }));
  if (!list) throw await notFound(app);
  const path = encodePath(prefix + tagPath(tag.slug));
  const languages = page === 1 ? await listLanguages(app, { tagId: tag.id }) : [];
  const shown = await withFirstPictures(app, context, list);
  return { tag, list: shown, path, languages, language: languageOf(context) };
}

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  data ? listMeta(siteOf(matches), { ...data.tag, image: data.tag.picture }, data) : [];

export default function Tag() {
  const { tag, list, path } = useLoaderData<typeof loader>();
  const { messages } = useSite();
  return (
    <ListPage
      kind={messages.lists.tag}
      name={tag.name}
      description={tag.description}
      picture={tag.picture}
      path={path}
      feedHref={`${path}/rss.xml`}
      list={list}
    />
  );
}
