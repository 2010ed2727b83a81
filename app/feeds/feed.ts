import { directionOf } from '#app/platform/text/languages.ts';
import type { PostArticle } from '#app/posts/lists/public-post.ts';
import { encodePath, postPath, prefixOf } from '#app/posts/paths.ts';
import { withAbsoluteUrls } from './markup.ts';

/** The content of a feed in any format. */
export interface Feed {
  title: string;
  description: string;
  /** BCP 47. */
  language: string;
  /** The WebSub hub that is told of changes; blank: none. */
  hub: string;
  /** The page whose feed this is, absolute. */
  pageUrl: string;
  /** Newest first. */
  items: FeedItem[];
  /** The last change of what the feed shows; the epoch while it is empty. */
  updatedAt: Date;
}

export interface FeedItem {
  /** Stays when the address changes: `urn:uuid:…` of the post, or the id that it had on the site it was imported from. */
  id: string;
  /** The id as a URI, for formats that need one. */
  uri: string;
  url: string;
  /** The post's own language (BCP 47); blank: the feed's. */
  language: string;
  title: string;
  excerpt: string;
  /** Every address in it is absolute. In an element with language and direction where readers would take others. */
  html: string;
  /** In order; a guest has no page. */
  authors: { name: string; url?: string }[];
  /** The category first, then the tags. */
  terms: string[];
  publishedAt: Date;
  updatedAt: Date;
  image: { url: string; mimeType: string; bytes: number } | null;
}

/** Makes a feed of articles. `origin`: without a trailing slash; `path`: of the page, percent-encoded. */
export function toFeed(
  {
    origin,
    path,
    ...channel
  }: { origin: string; path: string; title: string; description: string; language: string; hub: string },
  articles: PostArticle[],
): Feed {
  const items = articles.map((article) => toItem(origin, article, channel.language));
  const updatedAt = new Date(Math.max(0, ...items.map((item) => item.updatedAt.getTime())));
  return { ...channel, pageUrl: origin + path, items, updatedAt };
}

function toItem(origin: string, article: PostArticle, feedLanguage: string): FeedItem {
  const { authors, category, cover, language, listedIn, tags } = article;
  const url = origin + encodePath(postPath(article.slug));
  const terms = [...(category ? [category.name] : []), ...tags.map(({ name }) => name)];
  const uri = `urn:uuid:${article.id}`;
  const id = article.sourceGuid || uri;
  return {
    id,
    uri: /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(id) ? id : uri,
    url,
    language,
    title: article.title,
    excerpt: article.excerpt,
    html: inLanguage(withAbsoluteUrls(article.bodyHtml, url), language || feedLanguage, feedLanguage),
    authors: authors.map(({ username, displayName }) => ({
      name: displayName,
      ...(username !== null && { url: origin + encodePath(`${prefixOf(listedIn)}/authors/${username}`) }),
    })),
    terms: [...new Set(terms)],
    publishedAt: article.publishedAt,
    updatedAt: article.updatedAt,
    image: cover && { url: origin + cover.src, mimeType: cover.mimeType, bytes: cover.bytes },
  };
}

// Feed readers show content from left to right, and in the language of their own page.
function inLanguage(html: string, language: string, feedLanguage: string): string {
  const direction = directionOf(language);
  if (html === '' || (language === feedLanguage && !direction)) return html;
  return `<div lang="${language}" dir="${direction ?? 'ltr'}">${html}</div>`;
}
