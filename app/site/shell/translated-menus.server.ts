import type { App } from '#app/app.ts';
import { pathKey, teaserKey, translationsKey } from '#app/platform/http/page-keys.ts';
import { publicAddressOf } from '#app/platform/http/public-addresses.ts';
import { withoutQuery } from '#app/platform/http/request-target.ts';
import { coveringLanguage } from '#app/platform/text/language-tag.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { encodePath, postPath, prefixOf } from '#app/posts/paths.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import type { MenuEntry, MenuLink } from '#app/settings/parse.ts';
import { postsPathOf } from '#app/settings/posts-path.ts';
import type { Menus } from './frame.ts';
import { messagesFor } from './messages.ts';

/**
 * The menus in each of the site's other languages. An entry for a page leads to its translation, under that one's
 * title; an entry for a list leads to the list in the language.
 */
export async function translateMenus(
  app: Pick<App, 'db' | 'recordKeys'>,
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
async function findTranslations(app: Pick<App, 'db' | 'recordKeys'>, links: MenuLink[]) {
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
