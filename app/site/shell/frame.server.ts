import type { Reading, Configured } from '#app/platform/services.ts';
import { pathKey, teaserKey, translationsKey } from '#app/platform/http/page-keys.ts';
import { withoutQuery } from '#app/platform/http/paths.ts';
import { publicAddressOf } from '#app/platform/http/public-addresses.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import { coveringLanguage } from '#app/platform/text/languages.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { encodePath, postPath, prefixOf } from '#app/posts/paths.ts';
import { publicImage } from '#app/posts/pictures/public-image.ts';
import { findPicture } from '#app/posts/pictures/queries.server.ts';
import type { ResolvedAppearance } from '#app/settings/appearance/appearance.ts';
import { lookOf } from '#app/settings/appearance/themes.server.ts';
import { type Settings, postsPathOf } from '#app/settings/catalogue.ts';
import type { MenuEntry, MenuLink } from '#app/settings/parse.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { mainFontFile } from '#app/site/appearance/bundled-fonts.server.ts';
import { themePath } from '#app/site/appearance/stylesheet.server.ts';
import type { Menus, SiteFrame } from './frame.ts';
import { messagesFor } from './messages.ts';
import type { ShownAppearance } from './site-view.ts';

/**
 * The menus in each of the site's other languages. An entry for a page leads to its translation, under that one's
 * title; an entry for a list leads to the list in the language.
 */
async function translateMenus(
  app: Reading,
  settings: Settings,
  { header, footer, headerButton, announcement }: Menus,
): Promise<Record<string, Menus>> {
  const { site_languages: languages, site_language: ownLanguage } = settings;
  if (languages.length === 0) return {};
  const postsPath = postsPathOf(settings);
  const announced = linkOf(announcement);
  const links = [...header, ...footer].flatMap((entry) => [entry, ...entry.children]);
  if (headerButton) links.push(headerButton);
  if (announced) links.push(announced);
  const translations = await findTranslations(app, links);
  const usual = messagesFor(ownLanguage);
  return Object.fromEntries(languages.map((language) => [language, menusIn(language)]));

  function menusIn(language: string): Menus {
    const messages = messagesFor(language);
    const inLanguage = ({ label, href }: MenuLink): MenuLink => {
      const path = decodedPath(href);
      const translation = translations
        .get(path)
        ?.find((candidate) => coveringLanguage(candidate.language, [language]) !== null);
      if (translation) return { label: translation.title, href: encodePath(postPath(translation.slug)) };
      if (path === '/' || path === postsPath) return { label, href: prefixOf(language) };
      if (!publicAddressOf(path)?.inLanguages) return { label, href };
      const name = (['archive', 'categories', 'tags', 'feed'] as const).find((list) => usual[list] === label);
      return { label: name ? messages[name] : label, href: prefixOf(language) + href };
    };
    const inLanguages = (entries: MenuEntry[]) =>
      entries.map((entry) => ({ ...inLanguage(entry), children: entry.children.map(inLanguage) }));
    return {
      header: inLanguages(header),
      footer: inLanguages(footer),
      headerButton: headerButton && inLanguage(headerButton),
      announcement: announced ? inLanguage(announced) : announcement,
    };
  }
}

function linkOf(announcement: Menus['announcement']): MenuLink | null {
  return announcement?.href ? { label: announcement.label, href: announcement.href } : null;
}

/** Public translations of the posts and pages that links point to, by the link's path. */
async function findTranslations(app: Reading, links: MenuLink[]) {
  const paths = new Set(links.map(({ href }) => decodedPath(href)).filter((path) => path.startsWith('/')));
  app.recordKeys?.(...[...paths].map(pathKey));
  const named = await app.db.post.findMany({
    // A page has its path in the place of a slug.
    where: { slug: { in: [...paths].map((path) => path.replace(/^\/posts\//, '')) } },
    select: { id: true, slug: true, translationOf: true },
  });
  const originals = [...new Set(named.map(({ id, translationOf }) => translationOf ?? id))];
  app.recordKeys?.(...originals.map(translationsKey));
  const translations = await app.db.post.findMany({
    where: { ...isPublic, OR: [{ translationOf: { in: originals } }, { id: { in: originals } }] },
    select: { id: true, slug: true, title: true, language: true, translationOf: true },
    orderBy: { id: 'asc' },
  });
  app.recordKeys?.(...translations.map(({ id }) => teaserKey(id)));
  return new Map(
    named.map(({ id, slug, translationOf }) => [
      postPath(slug),
      translations.filter((candidate) => (candidate.translationOf ?? candidate.id) === (translationOf ?? id)),
    ]),
  );
}

/** Decoded, without a query. */
function decodedPath(href: string): string {
  const path = withoutQuery(href);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

type FrameApp = Reading & Configured;

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
