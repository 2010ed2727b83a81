import type { MetaDescriptor } from '@remix-run/node';
import type { PostArticle, Translation } from '#app/posts/lists/public-post.ts';
import { encodePath, prefixOf } from '#app/posts/paths.ts';
import type { SiteFrame } from '#app/site/shell/frame.ts';
import { pageMeta, type SharedImage } from '#app/site/shell/head.ts';
import { webPage } from './json-ld.ts';

/** The head of a page, with the addresses of its translations. */
export function articleMeta(
  site: SiteFrame,
  page: PostArticle,
  { path, card, data = [] }: { path: string; card: SharedImage | null; data?: object[] },
): MetaDescriptor[] {
  const description = page.seoDescription || page.excerpt || page.title;
  return [
    ...pageMeta(site, {
      title: page.seoTitle || page.title,
      description,
      path,
      canonicalUrl: page.canonicalUrl,
      image: page.cover ?? card,
      data: [webPage(site, page, { description, url: site.origin + path }), ...data],
    }),
    ...alternates(site, page),
  ];
}

/** Links to the same text in other languages, for search engines. All translations contain the same links. */
export function alternates(site: SiteFrame, { translations, slug }: PostArticle): MetaDescriptor[] {
  const texts = oneOfEachLanguage(translations, slug, site.siteLanguage).map((text) => ({
    language: text.language,
    href: encodePath(text.path),
  }));
  const [original] = translations;
  return alternateLinks(site, texts, original && encodePath(original.path));
}

/** One translation a language: the first one, but in the text's own language the text itself. */
export function oneOfEachLanguage(
  translations: readonly Translation[],
  ownSlug: string,
  siteLanguage: string,
): Translation[] {
  const texts = translations.map((text) => ({ ...text, language: text.language || siteLanguage }));
  const current = texts.find(({ slug }) => slug === ownSlug);
  return texts.filter(({ slug, language }) =>
    language === current?.language
      ? slug === ownSlug
      : slug === texts.find((text) => text.language === language)!.slug,
  );
}

/** The same for the first page of the list of posts, which every language has. */
export function listAlternates(site: SiteFrame): MetaDescriptor[] {
  const { siteLanguage, otherLanguages, postsPath } = site;
  const lists = otherLanguages.map((language) => ({ language, href: `/${language}` }));
  return alternateLinks(site, [{ language: siteLanguage, href: postsPath }, ...lists]);
}

/**
 * The same for the first page of a category, tag or author.
 * @param path of the list that is shown, encoded
 * @param languages of the lists that hold a post, as `listLanguages` returns them
 */
export function termAlternates(
  site: SiteFrame,
  { path, language = '', languages }: { path: string; language?: string; languages: readonly string[] },
): MetaDescriptor[] {
  const mainPath = path.slice(prefixOf(language).length);
  const lists = languages.map((tag) => ({
    language: tag || site.siteLanguage,
    href: prefixOf(tag) + mainPath,
  }));
  return alternateLinks(site, lists);
}

/**
 * Readers of any other language get the text in the site's own, or else `original`.
 * @param original the same on the page of every text
 */
function alternateLinks(
  { origin, siteLanguage }: SiteFrame,
  texts: { language: string; href: string }[],
  original = texts[0]?.href ?? '/',
): MetaDescriptor[] {
  if (texts.length < 2) return [];
  const main = texts.find(({ language }) => language === siteLanguage);
  return [...texts, { language: 'x-default', href: main?.href ?? original }].map(({ language, href }) => ({
    tagName: 'link',
    rel: 'alternate',
    hrefLang: language,
    href: origin + href,
  }));
}
