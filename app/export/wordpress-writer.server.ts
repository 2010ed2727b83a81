import { withAbsoluteUrls, cdata, escapeXml } from '#app/feeds/markup.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import { encodePath } from '#app/posts/paths.ts';
import { shorten } from './excerpt-of.ts';
import {
  toPortable,
  type ExportedComment,
  type ExportedAuthor,
  type ExportedSite,
  type ExportedTerm,
  type ExportWriter,
  type OutgoingPost,
} from './post.ts';

/** The parts of an item that somebody may have changed in WordPress since the export. */
type HashedParts = Record<'title' | 'content' | 'excerpt' | 'status' | 'date' | 'slug', string>;

/** The hash of an item that Dateline exported. When it differs at an import, somebody has changed the item in WordPress. */
export function hashOfExportedItem({ title, content, excerpt, status, date, slug }: HashedParts): string {
  // As an XML parser returns them: without forbidden characters, with normalised line ends.
  const values = [title, content, excerpt, status, date, slug].map((value) =>
    value
      .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
      .replace(/\r\n?/g, '\n')
      .trim(),
  );
  return sha256Of(JSON.stringify(values));
}

/**
 * A WordPress export (WXR 1.2): authors, terms, posts as HTML with their comments, covers as attachments. A custom
 * field contains the Markdown text and what WordPress has no field for.
 */
export function wordpressWriter(site: ExportedSite): ExportWriter {
  const attachments = new Map<string, number>();
  const pages = new Map<string, number>();
  /** By path, pages below a page that comes later: they are written after it. */
  const waiting = new Map<string, ((parent: number) => string)[]>();
  let lastId = 0;
  let lastComment = 0;
  const attachmentOf = (cover: string): number => {
    const earlier = attachments.get(cover);
    if (earlier !== undefined) return earlier;
    attachments.set(cover, (lastId += 1));
    return lastId;
  };
  return {
    filesOf: () => [],
    partOf: (post) => {
      // Later imports recognize items by their numbers. So a page's parent must not change the numbers of others.
      const id = (lastId += 1);
      const cover = post.cover === null ? null : attachmentOf(post.cover);
      const comments = commentsOf(post.comments, lastComment);
      lastComment += post.comments.length;
      const itemBelow = (parent: number) => itemOf(post, { id, parent, cover, comments, site });
      const children = post.type === 'page' ? (waiting.get(post.path) ?? []) : [];
      if (post.type === 'page') {
        pages.set(post.path, id);
        waiting.delete(post.path);
      }
      const below = children.map((child) => child(id)).join('');
      const parent = post.parent === '' ? 0 : pages.get(post.parent);
      if (parent !== undefined) return itemBelow(parent) + below;
      waiting.set(post.parent, [...(waiting.get(post.parent) ?? []), itemBelow]);
      return below;
    },
    whole: {
      file: 'wordpress.xml',
      start: headOf(site),
      // Pages that still wait are below a page in the trash.
      end: () =>
        `${[...waiting.values()].flatMap((children) => children.map((child) => child(0))).join('')}${[...attachments].map(([address, id]) => attachmentItem(address, id, site)).join('')}</channel>\n</rss>\n`,
    },
  };
}

function headOf(site: ExportedSite): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="Dateline" -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>${escapeXml(site.title)}</title>
<link>${escapeXml(site.url)}</link>
<description>${escapeXml(site.description)}</description>
<pubDate>${site.now.toUTCString()}</pubDate>
<language>${escapeXml(site.language)}</language>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>${escapeXml(site.url)}</wp:base_site_url>
<wp:base_blog_url>${escapeXml(site.url)}</wp:base_blog_url>
${site.authors.map(authorOf).join('')}${site.categories.map(categoryOf).join('')}${site.tags.map(tagOf).join('')}`;
}

function authorOf({ username, displayName, email }: ExportedAuthor, index: number): string {
  return `<wp:author><wp:author_id>${index + 1}</wp:author_id><wp:author_login>${cdata(username)}</wp:author_login><wp:author_email>${cdata(email)}</wp:author_email><wp:author_display_name>${cdata(displayName)}</wp:author_display_name></wp:author>\n`;
}

function categoryOf({ slug, name, description }: ExportedTerm, index: number): string {
  return `<wp:category><wp:term_id>${index + 1}</wp:term_id><wp:category_nicename>${cdata(slug)}</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name>${cdata(name)}</wp:cat_name><wp:category_description>${cdata(description)}</wp:category_description></wp:category>\n`;
}

function tagOf({ slug, name, description }: ExportedTerm, index: number): string {
  return `<wp:tag><wp:term_id>${100_000 + index}</wp:term_id><wp:tag_slug>${cdata(slug)}</wp:tag_slug><wp:tag_name>${cdata(name)}</wp:tag_name><wp:tag_description>${cdata(description)}</wp:tag_description></wp:tag>\n`;
}

const statuses: Record<string, string> = { published: 'publish', scheduled: 'future' };
const NO_DATE = '0000-00-00 00:00:00';

interface ItemParts {
  id: number;
  /** The number of the page above; 0: none. */
  parent: number;
  cover: number | null;
  comments: string;
  site: ExportedSite;
}

function itemOf(post: OutgoingPost, { id, parent, cover, comments, site }: ItemParts): string {
  const link = site.url + encodePath(post.path);
  const date = wordpressTime(post.publishedAt);
  const content = withAbsoluteUrls(post.bodyHtml, link);
  const status = statuses[post.status] ?? 'draft';
  const portable = toPortable(post);
  const meta = {
    ...(cover !== null && { _thumbnail_id: String(cover) }),
    ...(post.seoTitle !== '' && { _yoast_wpseo_title: post.seoTitle }),
    ...(post.seoDescription !== '' && { _yoast_wpseo_metadesc: post.seoDescription }),
    ...(post.canonicalUrl !== '' && { _yoast_wpseo_canonical: post.canonicalUrl }),
    _dateline_post: asciiJson({
      seal: hashOfExportedItem({
        title: post.title,
        content,
        excerpt: post.excerpt,
        status,
        date,
        slug: post.slug,
      }),
      post: portable,
    }),
  };
  return `<item>
<title>${cdata(post.title)}</title>
<link>${escapeXml(link)}</link>
<pubDate>${post.publishedAt ? post.publishedAt.toUTCString() : ''}</pubDate>
<dc:creator>${cdata(post.author?.username ?? '')}</dc:creator>
<guid isPermaLink="false">${escapeXml(post.guid || `urn:uuid:${post.id}`)}</guid>
<description></description>
<content:encoded>${cdata(content)}</content:encoded>
<excerpt:encoded>${cdata(post.excerpt)}</excerpt:encoded>
<wp:post_id>${id}</wp:post_id>
<wp:post_date>${cdata(date)}</wp:post_date>
<wp:post_date_gmt>${cdata(date)}</wp:post_date_gmt>
<wp:post_modified>${cdata(wordpressTime(post.contentUpdatedAt))}</wp:post_modified>
<wp:post_modified_gmt>${cdata(wordpressTime(post.contentUpdatedAt))}</wp:post_modified_gmt>
<wp:comment_status>closed</wp:comment_status>
<wp:ping_status>closed</wp:ping_status>
<wp:post_name>${cdata(post.slug)}</wp:post_name>
<wp:status>${status}</wp:status>
<wp:post_parent>${parent}</wp:post_parent>
<wp:menu_order>0</wp:menu_order>
<wp:post_type>${post.type}</wp:post_type>
<wp:post_password></wp:post_password>
<wp:is_sticky>0</wp:is_sticky>
${post.category ? termOf('category', post.category) : ''}${post.tags.map((tag) => termOf('post_tag', tag)).join('')}${metaElements(meta)}${comments}</item>
`;
}

function termOf(domain: string, { slug, name }: ExportedTerm): string {
  return `<category domain="${domain}" nicename="${escapeXml(slug)}">${cdata(name)}</category>\n`;
}

function metaElements(meta: Record<string, string>): string {
  return Object.entries(meta)
    .map(
      ([key, value]) =>
        `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>\n`,
    )
    .join('');
}

function commentsOf(comments: ExportedComment[], before: number): string {
  return comments
    .map(
      ({ parent, name, html, writtenAt }, index) =>
        `<wp:comment><wp:comment_id>${before + index + 1}</wp:comment_id><wp:comment_author>${cdata(name)}</wp:comment_author><wp:comment_author_email></wp:comment_author_email><wp:comment_date>${cdata(wordpressTime(writtenAt))}</wp:comment_date><wp:comment_date_gmt>${cdata(wordpressTime(writtenAt))}</wp:comment_date_gmt><wp:comment_content>${cdata(html)}</wp:comment_content><wp:comment_approved>1</wp:comment_approved><wp:comment_type>comment</wp:comment_type><wp:comment_parent>${parent === null ? 0 : before + parent + 1}</wp:comment_parent></wp:comment>\n`,
    )
    .join('');
}

function attachmentItem(address: string, id: number, site: ExportedSite): string {
  const url = site.url + address;
  const name = address.replace(/^.*\//, '');
  return `<item>
<title>${cdata(name)}</title>
<link>${escapeXml(url)}</link>
<guid isPermaLink="false">${escapeXml(url)}</guid>
<content:encoded></content:encoded>
<wp:post_id>${id}</wp:post_id>
<wp:post_date_gmt>${cdata(wordpressTime(site.now))}</wp:post_date_gmt>
<wp:post_name>${cdata(shorten(name, 200))}</wp:post_name>
<wp:status>inherit</wp:status>
<wp:post_parent>0</wp:post_parent>
<wp:post_type>attachment</wp:post_type>
<wp:attachment_url>${cdata(url)}</wp:attachment_url>
</item>
`;
}

/** `2026-11-20 08:00:00`, in UTC. */
function wordpressTime(time: Date | null): string {
  return time === null ? NO_DATE : time.toISOString().slice(0, 19).replace('T', ' ');
}

// XML cannot contain every character. JSON escapes the others in ASCII.
function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
