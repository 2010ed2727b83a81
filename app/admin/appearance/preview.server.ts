import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import { appearanceStylesheet, stylesheetHash } from '#app/site/appearance/stylesheet.server.ts';
import { readShownAppearance } from './draft.server.ts';

/** A public page with the draft's appearance, or the draft's stylesheet. Only the backend may show it in a frame. */
export async function load({
  app,
  request,
  adminContext,
  renderSiteView,
  allowOwnFrames,
}: ScreenArguments): Promise<Response> {
  if (!renderSiteView) throw new AppError('unavailable', 'Previews need the built server: npm start.');
  const base = adminUrl(adminContext.adminPath, 'appearance', 'preview');
  const choices = await readShownAppearance(app);
  const css = appearanceStylesheet(choices);
  const stylesheet = `${base}/theme/${stylesheetHash(css)}.css`;
  const { pathname, search } = new URL(request.url);
  if (pathname === stylesheet)
    return new Response(css, { headers: { 'Content-Type': 'text/css; charset=utf-8' } });
  allowOwnFrames?.();
  const address = (pathname.slice(base.length) || '/') + search;
  return renderSiteView(address, { base, bar: '', appearance: { choices, stylesheet } });
}
