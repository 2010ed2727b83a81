// WordPress exports, valid and damaged.

export interface WxrOptions {
  encoding?: string;
  blogUrl?: string;
  authors?: { login: string; name?: string; email?: string }[];
  categories?: { slug: string; parent?: string; name?: string; id?: number }[];
}

/** The content of an item. Texts are wrapped in CDATA as WordPress does; `raw` is XML. */
export interface WxrItemOptions {
  id?: number;
  title?: string;
  link?: string;
  guid?: string | null;
  author?: string;
  content?: string;
  excerpt?: string;
  dateGmt?: string;
  date?: string;
  slug?: string;
  status?: string;
  type?: string;
  password?: string;
  terms?: { domain: string; slug: string; name: string }[];
  meta?: Record<string, string>;
  attachmentUrl?: string;
  comments?: number;
  /** Further XML inside the item. */
  raw?: string;
}

export const blogUrl = 'https://old.example';

export function wxrFile(items: (WxrItemOptions | string)[], options: WxrOptions = {}): string {
  return `${wxrHead(options)}${items.map((item) => (typeof item === 'string' ? item : wxrItem(item))).join('')}${wxrEnd}`;
}

export const wxrEnd = '</channel>\n</rss>\n';

export function wxrHead({
  encoding = 'UTF-8',
  authors = [],
  categories = [],
  ...rest
}: WxrOptions = {}): string {
  return `<?xml version="1.0" encoding="${encoding}" ?>
<!-- generator="WordPress/6.4" -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>Old blog</title><link>${rest.blogUrl ?? blogUrl}</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>${rest.blogUrl ?? blogUrl}</wp:base_site_url><wp:base_blog_url>${rest.blogUrl ?? blogUrl}</wp:base_blog_url>
${authors
  .map(
    ({ login, name, email }) =>
      `<wp:author><wp:author_id>1</wp:author_id><wp:author_login>${cdata(login)}</wp:author_login><wp:author_email>${cdata(email ?? '')}</wp:author_email><wp:author_display_name>${cdata(name ?? login)}</wp:author_display_name></wp:author>`,
  )
  .join('')}
${categories
  .map(
    ({ slug, parent, name, id }) =>
      `<wp:category>${id === undefined ? '' : `<wp:term_id>${id}</wp:term_id>`}<wp:category_nicename>${cdata(slug)}</wp:category_nicename><wp:category_parent>${cdata(parent ?? '')}</wp:category_parent><wp:cat_name>${cdata(name ?? slug)}</wp:cat_name></wp:category>`,
  )
  .join('')}
`;
}

export function wxrItem(item: WxrItemOptions): string {
  const { id = 1, slug = `post-${id}`, dateGmt = '2020-01-02 03:04:05', type = 'post' } = item;
  const link = item.link ?? `${blogUrl}/2020/01/${slug}/`;
  return `<item>
<title>${cdata(item.title ?? `Post ${id}`)}</title><link>${link}</link><pubDate>Thu, 02 Jan 2020 03:04:05 +0000</pubDate>
<dc:creator>${cdata(item.author ?? '')}</dc:creator>${item.guid === null ? '' : `<guid isPermaLink="false">${item.guid ?? `${blogUrl}/?p=${id}`}</guid>`}
<description></description>
<content:encoded>${cdata(item.content ?? '')}</content:encoded><excerpt:encoded>${cdata(item.excerpt ?? '')}</excerpt:encoded>
<wp:post_id>${id}</wp:post_id><wp:post_date>${cdata(item.date ?? dateGmt)}</wp:post_date><wp:post_date_gmt>${cdata(dateGmt)}</wp:post_date_gmt>
<wp:post_name>${cdata(slug)}</wp:post_name><wp:status>${cdata(item.status ?? 'publish')}</wp:status><wp:post_type>${cdata(type)}</wp:post_type>
<wp:post_password>${cdata(item.password ?? '')}</wp:post_password>${item.attachmentUrl ? `<wp:attachment_url>${cdata(item.attachmentUrl)}</wp:attachment_url>` : ''}
${(item.terms ?? []).map((term) => `<category domain="${term.domain}" nicename="${term.slug}">${cdata(term.name)}</category>`).join('')}
${Object.entries(item.meta ?? {})
  .map(
    ([key, value]) =>
      `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`,
  )
  .join('')}
${'<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_author><![CDATA[A]]></wp:comment_author><wp:comment_content><![CDATA[Nice <b>post</b>]]></wp:comment_content></wp:comment>'.repeat(item.comments ?? 0)}${item.raw ?? ''}
</item>
`;
}

/** A CDATA section as WordPress writes it: an end of a section inside the text is split in two. */
export function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}
