import type { App } from '#app/app.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import { findPicture } from '#app/posts/pictures/find-picture.server.ts';
import { publicImage } from '#app/posts/pictures/public-image.ts';
import type { ResolvedAppearance } from '#app/settings/appearance/appearance.ts';
import { postsPathOf } from '#app/settings/posts-path.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { mainFontFile } from '#app/site/appearance/bundled-fonts.server.ts';
import { themePath } from '#app/site/appearance/stylesheet.server.ts';
import { lookOf } from '#app/settings/appearance/themes.server.ts';
import type { SiteFrame } from './frame.ts';
import type { ShownAppearance } from './site-view.ts';
import { translateMenus } from './translated-menus.server.ts';

type FrameApp = Pick<App, 'env' | 'db' | 'recordKeys' | 'sharedReads'>;

/** The frame, which all pages share until it changes. */
export function siteFrameOf(
  app: FrameApp,
  { appearance }: { appearance?: ShownAppearance },
): Promise<SiteFrame> {
  if (appearance) return readSiteFrame(app, appearance);
  return readShared(app, 'frame', (reader) => readSiteFrame(reader));
}

async function readSiteFrame(app: FrameApp, shown?: ShownAppearance): Promise<SiteFrame> {
  const settings = await readSettings(app);
  const { header, footer, header_button: headerButton, announcement } = settings;
  const menus = { header, footer, headerButton, announcement };
  const choices = shown?.choices ?? settings;
  const look = lookOf(choices);
  const path = settings.site_logo.replace(/^\/uploads\//, '');
  const logo = path === '' ? null : await app.db.media.findUnique({ where: { path } });
  return {
    origin: app.env.siteUrl,
    title: settings.site_title,
    description: settings.site_description,
    logo: logo && publicImage(logo),
    language: settings.site_language,
    siteLanguage: settings.site_language,
    otherLanguages: settings.site_languages,
    postsPath: postsPathOf(settings),
    timeZone: settings.site_timezone,
    ...menus,
    menus: await translateMenus(app, settings, menus),
    footerText: settings.footer_text,
    hasNewsletter: settings.newsletter_enabled,
    icon: await findPicture(app, settings.site_icon),
    socialLinks: settings.social_links,
    copyButton: settings.copy_button,
    embedHosts: settings.embed_hosts,
    themeHref: shown?.stylesheet ?? themePath(settings),
    fontFiles: fontFilesOf(look),
    listStyle: look.list_style,
    postStyle: look.post_style,
    footerStyle: look.footer_style,
    headerPlace: look.header_place,
  };
}

function fontFilesOf({ font_heading, font_body }: ResolvedAppearance): string[] {
  return [...new Set([font_heading, font_body])].map(mainFontFile).filter((file) => file !== null);
}
