import type { MetaDescriptor } from '@remix-run/node';
import { postPath, encodePath } from '#app/posts/paths.ts';
import type { PostArticle } from '#app/posts/public-post.ts';
import type { SiteFrame } from './frame.ts';
import { pageMeta, type SharedImage } from './head.ts';
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

/** Links to the same text in other languages for search engines; all of them carry the same links. */
export function alternates(site: SiteFrame, { translations, slug }: PostArticle): MetaDescriptor[] {
  const texts = translations.map((text) => ({
    language: text.language || site.siteLanguage,
    href: encodePath(postPath(text.slug)),
  }));
  return alternateLinks(site, texts, encodePath(postPath(slug)));
}

/** The same for the first page of the list of posts, which every language has. */
export function listAlternates(site: SiteFrame): MetaDescriptor[] {
  const { siteLanguage, otherLanguages, postsPath } = site;
  const lists = otherLanguages.map((language) => ({ language, href: `/${language}` }));
  return alternateLinks(site, [{ language: siteLanguage, href: postsPath }, ...lists], postsPath);
}

/** @param fallback for readers of any other language, where the site's own is not among the texts */
function alternateLinks(
  { origin, siteLanguage }: SiteFrame,
  texts: { language: string; href: string }[],
  fallback: string,
): MetaDescriptor[] {
  if (texts.length < 2) return [];
  const main = texts.find(({ language }) => language === siteLanguage);
  return [...texts, { language: 'x-default', href: main?.href ?? fallback }].map(({ language, href }) => ({
    tagName: 'link',
    rel: 'alternate',
    hrefLang: language,
    href: origin + href,
  }));
}
