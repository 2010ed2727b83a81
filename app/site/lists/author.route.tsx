import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { findAuthor, listPosts } from '#app/posts/lists/queries.server.ts';
import { listLanguages } from '#app/posts/lists/translations.server.ts';
import { encodePath } from '#app/posts/paths.ts';
import { findPicture } from '#app/posts/pictures/queries.server.ts';
import { readPageSize } from '#app/settings/queries.server.ts';
import { siteOf } from '#app/site/shell/head.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { readPageNumber, readSlug, languageOf, placeOf } from '#app/site/shell/address.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { withFirstPictures } from './posts.server.ts';
import { listMeta, ListPage } from './pages.tsx';

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const app = await appOf(context);
  const username = readSlug(params.slug);
  const { listedIn, prefix } = placeOf(context);
  const author = username === null ? null : await findAuthor(app, username, listedIn);
  // Menus link here in each language. Without posts in this one, readers get the main list.
  if (!author && listedIn && username !== null && (await findAuthor(app, username)))
    throw redirect(encodePath(`/authors/${username}`));
  const page = readPageNumber(new URL(request.url));
  const pageSize = await readPageSize(app);
  const list =
    author && page && (await listPosts(app, { scope: { authorId: author.id, listedIn }, page, pageSize }));
  if (!list) throw await notFound(app);
  const path = encodePath(`${prefix}/authors/${author.username}`);
  const picture = await findPicture(app, author.picture);
  const languages = page === 1 ? await listLanguages(app, { authorId: author.id }) : [];
  const shown = await withFirstPictures(app, context, list);
  return { author: { ...author, picture }, list: shown, path, languages, language: languageOf(context) };
}

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { displayName, bio, picture } = data.author;
  return listMeta(siteOf(matches), { name: displayName, description: bio, image: picture }, data);
};

export default function Author() {
  const { author, list, path } = useLoaderData<typeof loader>();
  const { messages } = useSite();
  return (
    <ListPage
      kind={messages.lists.author}
      name={author.displayName}
      description={author.bio}
      author={author}
      path={path}
      feedHref={`${path}/rss.xml`}
      list={list}
    />
  );
}
