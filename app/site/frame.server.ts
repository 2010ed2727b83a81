import type { App } from '#app/app.ts';
import { publicImage } from '#app/posts/public-image.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import type { SiteFrame } from './frame.ts';
import { themePath } from './theme.server.ts';

/** Reads the frame from the settings. */
export async function readSiteFrame(app: Pick<App, 'env' | 'db'>): Promise<SiteFrame> {
  const settings = await readSettings(app);
  const path = settings.site_logo.replace(/^\/uploads\//, '');
  const logo = path === '' ? null : await app.db.media.findUnique({ where: { path } });
  return {
    origin: app.env.siteUrl,
    title: settings.site_title,
    description: settings.site_description,
    logo: logo && publicImage(logo),
    language: settings.site_language,
    timeZone: settings.site_timezone,
    navigation: settings.navigation,
    footerText: settings.footer_text,
    themeHref: themePath(settings.accent_color),
  };
}
