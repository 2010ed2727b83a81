import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { AppError } from '#app/platform/errors.ts';
import { appearanceStylesheet, stylesheetHash } from '#app/site/appearance/stylesheet.server.ts';
import { themes } from '#app/settings/appearance/themes.server.ts';
import { readShownAppearance } from './appearance.server.ts';

/**
 * A public page with the draft's appearance, or the draft's stylesheet; with a preset in the address, as it would be
 * with that preset. Only the backend may show it in a frame.
 */
export async function load({
  app,
  request,
  params: { preset },
  adminContext,
  renderSiteView,
  allowOwnFrames,
}: ScreenArguments): Promise<Response> {
  if (!renderSiteView) throw new AppError('unavailable', 'Previews need the built server: npm start.');
  if (preset !== undefined && !themes.has(preset)) throw new AppError('not_found', 'Not found.');
  const segments = preset === undefined ? ['preview'] : ['presets', preset];
  const base = adminUrl(adminContext.adminPath, 'appearance', ...segments);
  const shown = await readShownAppearance(app);
  const choices = preset === undefined ? shown : { ...shown, preset };
  const css = appearanceStylesheet(choices);
  const stylesheet = `${base}/theme/${stylesheetHash(css)}.css`;
  const { pathname, search } = new URL(request.url);
  if (pathname === stylesheet)
    return new Response(css, { headers: { 'Content-Type': 'text/css; charset=utf-8' } });
  allowOwnFrames?.();
  const address = (pathname.slice(base.length) || '/') + search;
  return renderSiteView(address, { base, bar: '', appearance: { choices, stylesheet } });
}
