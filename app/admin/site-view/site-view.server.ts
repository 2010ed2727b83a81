import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { adminUrl } from '#app/admin/admin-url.ts';
import type { ScreenArguments } from '#app/admin/screen.ts';
import { may, mayActOnPost } from '#app/auth/roles.ts';
import { AppError } from '#app/platform/errors.ts';
import { findByPath, type PublicThing } from '#app/posts/find-by-path.server.ts';
import { withLinksInside } from '#app/site/links-inside.ts';
import { editorOf, publicPath } from './edit-address.server.ts';
import { SiteBar } from './site-bar.tsx';
import barStyles from './site-bar.css?url';

/** First segments whose addresses are no pages of the site. */
const noPages = new Set(['api', 'assets', 'preview', 'theme', 'uploads']);

/**
 * A public page as readers get it, rendered by its own route without a cookie, with a bar on top and links that stay
 * in the backend (contract, section 8). Nothing of it is kept in any cache.
 */
export async function load(args: ScreenArguments): Promise<Response> {
  const { app, request, adminContext } = args;
  const prefix = adminUrl(adminContext.adminPath, 'site');
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice(prefix.length) || '/';
  const [, first = ''] = path.split('/');
  if (noPages.has(first) || first === adminContext.adminPath)
    throw new AppError('not_found', 'This address is no page of the site.');
  const page = await render(args, path + search);
  const isRedirect = page.status >= 300 && page.status < 400;
  if (isRedirect) return redirected(page, prefix, app.env.siteUrl);
  if (!page.headers.get('Content-Type')?.startsWith('text/html'))
    return new Response(page.body, { status: page.status, headers: typeOf(page) });
  const thing = await seenBy(args, publicPath(path, app.env.siteUrl, adminContext.adminPath));
  const bar = renderToStaticMarkup(
    createElement(SiteBar, { ...thing, publicAddress: path + search, adminContext }),
  );
  const html = withLinksInside(await page.text(), { prefix, origin: app.env.siteUrl });
  return new Response(withBar(html, bar), { status: page.status, headers: typeOf(page) });
}

function render({ app, renderPublicPage }: ScreenArguments, key: string): Promise<Response> {
  if (renderPublicPage) return renderPublicPage(key);
  // Under stock `remix-serve` the page comes from the site itself.
  return fetch(new URL(key, app.env.siteUrl), { redirect: 'manual' });
}

function typeOf(page: Response): HeadersInit {
  const type = page.headers.get('Content-Type');
  return type === null ? {} : { 'Content-Type': type };
}

function redirected(page: Response, prefix: string, siteUrl: string): Response {
  const target = new URL(page.headers.get('Location') ?? '/', siteUrl);
  const inside = target.origin === siteUrl ? prefix + target.pathname + target.search : target.href;
  return new Response(null, { status: 302, headers: { Location: inside } });
}

/** What is at the address as far as this person may know, and where it is edited. */
async function seenBy(
  { app, user, adminContext }: ScreenArguments,
  path: string | null,
): Promise<{ thing: PublicThing | null; editor: string | null }> {
  const thing = path === null ? null : await findByPath(app, path);
  if (!thing) return { thing: null, editor: null };
  const editor = editorOf(thing, adminContext.adminPath);
  switch (thing.kind) {
    case 'post': {
      const isOwn = mayActOnPost(user, thing, 'view');
      if (!isOwn && thing.status !== 'published') return { thing: null, editor: null };
      return { thing, editor: isOwn ? editor : null };
    }
    case 'author':
      if (may(user, 'users:manage')) return { thing, editor };
      return { thing, editor: thing.id === user.id ? adminUrl(adminContext.adminPath, 'account') : null };
    default:
      return { thing, editor: may(user, 'taxonomy:manage') ? editor : null };
  }
}

function withBar(html: string, bar: string): string {
  const styles = `<link rel="stylesheet" href="${barStyles}"/>`;
  return html.replace('</head>', () => `${styles}</head>`).replace(/<body[^>]*>/, (body) => body + bar);
}
