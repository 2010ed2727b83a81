import type { PostArticle } from '#app/posts/lists/public-post.ts';
import { categoryPath, encodePath, postPath, prefixOf } from '#app/posts/paths.ts';
import type { SiteFrame } from '#app/site/shell/frame.ts';

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
export function webPage(
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
