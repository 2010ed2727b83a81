import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { adminUrl } from '#app/admin/admin-url.ts';
import type { ScreenArguments } from '#app/admin/screen.ts';
import { may, mayActOnPost } from '#app/auth/roles.ts';
import { AppError } from '#app/platform/errors.ts';
import { findByPath, type PublicThing } from '#app/posts/find-by-path.server.ts';
import { editorOf, publicPath } from './edit-address.server.ts';
import { SiteBar } from './site-bar.tsx';
import barStyles from './site-bar.css?url';

/**
 * A public page as readers get it, rendered by its own route without a cookie, with a bar on top and links that stay
 * in the backend (contract, section 8). Nothing of it is kept in any cache.
 */
export async function load(args: ScreenArguments): Promise<Response> {
  const { app, request, adminContext, renderSiteView } = args;
  if (!renderSiteView)
    throw new AppError('unavailable', 'The site is shown here by the built server: npm start.');
  const base = adminUrl(adminContext.adminPath, 'site');
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice(base.length) || '/';
  const seen = await seenBy(args, publicPath(path, app.env.siteUrl, adminContext.adminPath));
  const bar = createElement(SiteBar, { ...seen, publicAddress: path + search, adminContext });
  const styles = `<link rel="stylesheet" href="${barStyles}"/>`;
  return renderSiteView(path + search, { base, bar: styles + renderToStaticMarkup(bar) });
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
