import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import type { App } from '#app/app.ts';
import { appOf } from '#app/compose.server.ts';
import { textNotFound, withoutTrailingSlash } from '#app/platform/responses.ts';
import { findRedirect } from '#app/posts/queries.server.ts';
import { readSlug } from '#app/site/params.ts';

/** A loader for a file that machines read. `render` returns its text, or null where there is none. */
export function serveFile(
  contentType: string,
  render: (app: App, args: LoaderFunctionArgs) => Promise<string | null>,
) {
  return async (args: LoaderFunctionArgs): Promise<Response> => {
    const canonical = withoutTrailingSlash(new URL(args.request.url));
    if (canonical) return redirect(canonical, 301);
    const text = await render(await appOf(args.context), args);
    if (text === null) return textNotFound();
    return new Response(text, { headers: { 'Content-Type': `${contentType}; charset=utf-8` } });
  };
}

/** The same for the feed of a category or tag; an old slug answers 301 to the current feed. */
export function serveTopicFeed(render: (app: App, slug: string, selfUrl: string) => Promise<string | null>) {
  return async (args: LoaderFunctionArgs): Promise<Response> => {
    const { pathname } = new URL(args.request.url);
    const app = await appOf(args.context);
    const slug = readSlug(args.params.slug);
    const serve = serveFile('application/rss+xml', async ({ env }) =>
      slug === null ? null : render(app, slug, env.siteUrl + pathname),
    );
    const response = await serve(args);
    if (response.status !== 404) return response;
    const moved = await findRedirect(app, pathname.replace(/\/rss\.xml$/, ''));
    return moved ? redirect(`${moved}/rss.xml`, 301) : response;
  };
}
