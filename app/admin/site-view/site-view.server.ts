import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { backendLanguage } from '#app/admin/languages/words-for.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { WordsLanguage } from '#app/ui/words.ts';
import { publicPath, findVisibleTarget } from './edit-address.server.ts';
import barStyles from './site-bar.css?url';
import { SiteBar } from './site-bar.tsx';

/**
 * A public page as readers get it, with a bar at the top and links that stay in the backend (contract, section 8). The
 * page's own route renders it without a cookie. No cache stores it.
 */
export async function load(args: ScreenArguments): Promise<Response> {
  const { app, request, adminContext, renderSiteView } = args;
  if (!renderSiteView)
    throw new AppError('unavailable', 'The site is shown here by the built server: npm start.');
  const base = adminUrl(adminContext.adminPath, 'site');
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice(base.length) || '/';
  const seen = await findVisibleTarget(args, publicPath(path, app.env.siteUrl, adminContext.adminPath));
  const language = backendLanguage(adminContext);
  const styles = `<link rel="stylesheet" href="${barStyles}"/>`;
  const bar = (status: number) => {
    const shown = { ...seen, isFound: status < 400, publicAddress: path + search, adminContext, language };
    const element = createElement(SiteBar, shown);
    return styles + renderToStaticMarkup(createElement(WordsLanguage.Provider, { value: language }, element));
  };
  return renderSiteView(path + search, { base, bar });
}
