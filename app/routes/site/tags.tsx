import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { appOf } from '#app/compose.server.ts';
import { tagPath } from '#app/posts/paths.ts';
import { pageMeta, siteOf } from '#app/site/head.ts';
import { messagesFor } from '#app/site/messages.ts';
import { TermsPage } from '#app/site/terms-page.tsx';
import { useSite } from '#app/site/use-site.ts';
import { listTags } from '#app/taxonomy/queries.server.ts';

export async function loader({ context }: LoaderFunctionArgs) {
  return { terms: await listTags(await appOf(context)) };
}

export const meta: MetaFunction<typeof loader> = ({ matches }) => {
  const site = siteOf(matches);
  const title = messagesFor(site.language).allTags;
  return pageMeta(site, { title, description: `${title} · ${site.title}`, path: '/tags' });
};

export default function Tags() {
  const { terms } = useLoaderData<typeof loader>();
  return <TermsPage heading={useSite().messages.allTags} terms={terms} pathOf={tagPath} />;
}
