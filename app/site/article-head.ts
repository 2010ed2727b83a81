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

/** Tells search engines of the same text in other languages; each of them says the same. */
export function alternates(site: SiteFrame, { translations, slug }: PostArticle): MetaDescriptor[] {
  if (translations.length < 2) return [];
  const link = (hrefLang: string, href: string): MetaDescriptor => ({
    tagName: 'link',
    rel: 'alternate',
    hrefLang,
    href: site.origin + href,
  });
  const texts = translations.map((text) => ({
    language: text.language || site.siteLanguage,
    href: encodePath(postPath(text.slug)),
  }));
  const main = texts.find(({ language }) => language === site.siteLanguage);
  return [
    ...texts.map(({ language, href }) => link(language, href)),
    link('x-default', main?.href ?? encodePath(postPath(slug))),
  ];
}
