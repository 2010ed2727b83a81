import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { categoryPath } from '#app/posts/paths.ts';
import { listTerms } from '#app/posts/terms/queries.server.ts';
import { pageMeta, siteOf } from '#app/site/shell/head.ts';
import { messagesFor } from '#app/site/shell/messages.ts';
import { languageOf, placeOf } from '#app/site/shell/address.ts';
import { useSite } from '#app/site/shell/use-site.ts';
import { TermsPage } from './pages.tsx';

export async function loader({ context }: LoaderFunctionArgs) {
  const { listedIn, prefix } = placeOf(context);
  const terms = await listTerms(await appOf(context), 'category', listedIn);
  return { terms, path: `${prefix}/categories`, language: languageOf(context) };
}

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  const site = siteOf(matches);
  const title = messagesFor(site.language).allCategories;
  return pageMeta(site, {
    title,
    description: `${title} · ${site.title}`,
    path: data?.path ?? '/categories',
  });
};

export default function Categories() {
  const { terms } = useLoaderData<typeof loader>();
  return <TermsPage heading={useSite().messages.allCategories} terms={terms} pathOf={categoryPath} />;
}
