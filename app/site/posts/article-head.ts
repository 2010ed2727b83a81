import type { MetaDescriptor } from '@remix-run/node';
import type { PostArticle, Translation } from '#app/posts/lists/public-post.ts';
import { categoryPath, encodePath, postPath, prefixOf } from '#app/posts/paths.ts';
import type { SiteFrame } from '#app/site/shell/frame.ts';
import { pageMeta, type SharedImage } from '#app/site/shell/head.ts';

const context = 'https://schema.org';

/** The site itself, with the address of its search. */
export function webSite(site: SiteFrame): object {
  return {
    '@context': context,
    '@type': 'WebSite',
    name: site.title,
    description: site.description || undefined,
    url: `${site.origin}/`,
    inLanguage: site.language,
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${site.origin}/search?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  };
}

export function blogPosting(site: SiteFrame, post: PostArticle, description: string): object {
  const url = site.origin + encodePath(postPath(post.slug));
  return {
    '@context': context,
    '@type': 'BlogPosting',
    '@id': `urn:uuid:${post.id}`,
    headline: post.title,
    description,
    url,
    mainEntityOfPage: url,
    datePublished: post.publishedAt.toISOString(),
    dateModified: post.updatedAt.toISOString(),
    inLanguage: post.language || site.siteLanguage,
    wordCount: post.wordCount,
    image: post.cover ? site.origin + post.cover.src : undefined,
    author: authorsOf(site, post),
    publisher: {
      '@type': 'Organization',
      name: site.title,
      url: `${site.origin}/`,
      logo: site.logo ? site.origin + site.logo.src : undefined,
    },
    articleSection: post.category?.name,
    keywords: post.tags.length > 0 ? post.tags.map(({ name }) => name) : undefined,
  };
}

/** A page that is not a post. */
function webPage(
  site: SiteFrame,
  page: PostArticle,
  { description, url }: { description: string; url: string },
): object {
  return {
    '@context': context,
    '@type': 'WebPage',
    '@id': `urn:uuid:${page.id}`,
    name: page.title,
    description,
    url,
    dateModified: page.updatedAt.toISOString(),
    inLanguage: page.language || site.siteLanguage,
    isPartOf: { '@type': 'WebSite', name: site.title, url: `${site.origin}/` },
    image: page.cover ? site.origin + page.cover.src : undefined,
  };
}

/** Home, the pages above, the page. */
export function pageBreadcrumbs(site: SiteFrame, pages: { slug: string; title: string }[]): object {
  return breadcrumbList(site, [
    { name: site.title, path: '/' },
    ...pages.map(({ slug, title }) => ({ name: title, path: encodePath(slug) })),
  ]);
}

/** Home, category, post. */
export function breadcrumbs(site: SiteFrame, post: PostArticle): object {
  const { category, listedIn } = post;
  const steps = [
    { name: site.title, path: '/' },
    ...(category
      ? [{ name: category.name, path: encodePath(prefixOf(listedIn) + categoryPath(category.slug)) }]
      : []),
    { name: post.title, path: encodePath(postPath(post.slug)) },
  ];
  return breadcrumbList(site, steps);
}

function breadcrumbList(site: SiteFrame, steps: { name: string; path: string }[]): object {
  return {
    '@context': context,
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: site.origin + path,
    })),
  };
}

/** One person, or several in order. */
function authorsOf(site: SiteFrame, { authors, listedIn }: PostArticle): object | object[] | undefined {
  const people = authors.map(({ username, displayName }) => ({
    '@type': 'Person',
    name: displayName,
    url:
      username === null ? undefined : site.origin + encodePath(`${prefixOf(listedIn)}/authors/${username}`),
  }));
  return people.length > 1 ? people : people[0];
}

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
