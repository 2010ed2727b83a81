// Checks of RSS 2.0 (rssboard.org), RFC 4287, JSON Feed 1.1 and sitemaps.org's XSD. Each returns the rules that a
// document breaks; an empty list means valid.
import { all, parseXml, textOf, type XmlElement } from './xml.ts';

const DATE_822 =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} (GMT|[+-]\d{4})$/;
const DATE_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const MIME = /^[a-z]+\/[a-z0-9.+-]+$/;
const LANGUAGE = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i;

const channelOnce = ['title', 'link', 'description', 'language', 'lastBuildDate', 'pubDate', 'atom:link'];
const channelNames = new Set([...channelOnce, 'item', 'category', 'copyright', 'generator', 'image', 'ttl']);
const itemOnce = ['title', 'link', 'description', 'guid', 'pubDate', 'enclosure', 'content:encoded'];
const itemNames = new Set([...itemOnce, 'author', 'category', 'comments', 'source', 'dc:creator']);
const namespaces: Record<string, string> = {
  atom: 'http://www.w3.org/2005/Atom',
  content: 'http://purl.org/rss/1.0/modules/content/',
  dc: 'http://purl.org/dc/elements/1.1/',
};

/** Rules of RSS 2.0 and its best practices profile that a feed breaks. */
export function rssProblems(source: string): string[] {
  const problems = new Problems();
  const rss = parseXml(source);
  problems.unless(rss.name === 'rss' && rss.attributes.version === '2.0', 'root is <rss version="2.0">');
  problems.unless(all(rss, 'channel').length === 1, 'one channel');
  const channel = all(rss, 'channel')[0]!;
  for (const name of ['title', 'link', 'description'])
    problems.unless(textOf(channel, name)?.trim(), `channel has ${name}`);
  problems.checkNames(channel, channelNames, channelOnce);
  problems.unless(isUrl(textOf(channel, 'link')), 'channel link is a URL');
  problems.unless(LANGUAGE.test(textOf(channel, 'language') ?? 'en'), 'language is a tag');
  problems.unless(DATE_822.test(textOf(channel, 'lastBuildDate') ?? VALID_822), 'lastBuildDate is RFC 822');
  const self = all(channel, 'atom:link')[0]?.attributes;
  problems.unless(self?.rel === 'self' && isUrl(self.href), 'atom:link names the feed itself');
  const items = all(channel, 'item');
  for (const item of items) checkRssItem(item, problems);
  problems.unlessUnique(
    items.map((item) => textOf(item, 'guid') ?? ''),
    'guid',
  );
  return problems.list;
}

const VALID_822 = 'Fri, 20 Nov 2026 08:00:00 GMT';

function checkRssItem(item: XmlElement, problems: Problems): void {
  problems.checkNames(item, itemNames, itemOnce);
  problems.unless(textOf(item, 'title') ?? textOf(item, 'description'), 'item has title or description');
  problems.unless(isUrl(textOf(item, 'link')), 'item link is a URL');
  problems.unless(DATE_822.test(textOf(item, 'pubDate') ?? VALID_822), 'pubDate is RFC 822');
  const guid = all(item, 'guid')[0];
  problems.unless(
    guid?.attributes.isPermaLink === 'false' || isUrl(guid?.text),
    'guid is a URL or says it is none',
  );
  for (const { attributes } of all(item, 'enclosure')) {
    problems.unless(isUrl(attributes.url), 'enclosure has a URL');
    problems.unless(/^\d+$/.test(attributes.length ?? ''), 'enclosure has a length');
    problems.unless(MIME.test(attributes.type ?? ''), 'enclosure has a type');
  }
  problems.unless(
    !/\s(?:href|src)="(?!https?:|mailto:|tel:)/.test(textOf(item, 'content:encoded') ?? ''),
    'content has absolute addresses',
  );
}

/** Rules of RFC 4287 that a feed breaks. */
export function atomProblems(source: string): string[] {
  const problems = new Problems();
  const feed = parseXml(source);
  problems.unless(feed.name === 'feed' && feed.namespace === namespaces.atom, 'root is atom:feed');
  checkAtomCommon(feed, 'feed', ['subtitle', 'logo', 'icon', 'rights', 'generator'], problems);
  const entries = all(feed, 'entry');
  const everyEntryHasAuthor = entries.every((entry) => all(entry, 'author').length > 0);
  problems.unless(all(feed, 'author').length > 0 || everyEntryHasAuthor, 'feed or every entry has an author');
  problems.unless(linksOf(feed, 'self').length === 1, 'feed links to itself');
  for (const entry of entries) {
    checkAtomCommon(entry, 'entry', ['published', 'summary', 'content', 'rights', 'source'], problems);
    const content = all(entry, 'content')[0];
    problems.unless(
      content ?? linksOf(entry, 'alternate').length > 0,
      'entry has content or an alternate link',
    );
    problems.unless(['text', 'html', 'xhtml', undefined].includes(content?.attributes.type), 'content type');
    problems.unless(DATE_3339.test(textOf(entry, 'published') ?? VALID_3339), 'published is RFC 3339');
  }
  problems.unlessUnique(
    entries.map((entry) => textOf(entry, 'id') ?? ''),
    'entry id',
  );
  return problems.list;
}

const VALID_3339 = '2026-11-20T08:00:00.000Z';

function checkAtomCommon(element: XmlElement, kind: string, atMostOnce: string[], problems: Problems): void {
  for (const name of ['id', 'title', 'updated'])
    problems.unless(all(element, name).length === 1, `${kind} has exactly one ${name}`);
  for (const name of atMostOnce)
    problems.unless(all(element, name).length <= 1, `${kind} has one ${name} at most`);
  problems.unless(isUrl(textOf(element, 'id')), `${kind} id is an absolute IRI`);
  problems.unless(DATE_3339.test(textOf(element, 'updated') ?? ''), `${kind} updated is RFC 3339`);
  const alternates = linksOf(element, 'alternate').map(
    ({ attributes }) => `${attributes.type} ${attributes.hreflang}`,
  );
  problems.unlessUnique(alternates, `${kind} alternate link of a type`);
  for (const { attributes } of all(element, 'link')) {
    problems.unless(isUrl(attributes.href), `${kind} link has an address`);
    problems.unless(!attributes.type || MIME.test(attributes.type), `${kind} link type`);
  }
  for (const author of all(element, 'author')) {
    problems.unless(all(author, 'name').length === 1 && textOf(author, 'name'), 'author has one name');
    problems.unless(
      all(author, 'uri').every(({ text }) => isUrl(text)),
      'author uri is an IRI',
    );
  }
  for (const { attributes } of all(element, 'category'))
    problems.unless(attributes.term, 'category has a term');
}

function linksOf(element: XmlElement, rel: string): XmlElement[] {
  return all(element, 'link').filter(({ attributes }) => (attributes.rel ?? 'alternate') === rel);
}

/** Rules of JSON Feed 1.1 that a feed breaks. */
export function jsonFeedProblems(source: string): string[] {
  const problems = new Problems();
  const feed = JSON.parse(source) as Record<string, unknown>;
  problems.unless(feed.version === 'https://jsonfeed.org/version/1.1', 'version');
  problems.unless(typeof feed.title === 'string', 'title');
  problems.unless(Array.isArray(feed.items), 'items');
  for (const name of ['home_page_url', 'feed_url']) problems.unless(isUrl(feed[name]), name);
  const items = feed.items as Record<string, unknown>[];
  for (const item of items) {
    problems.unless(typeof item.id === 'string' && item.id !== '', 'item id');
    problems.unless(typeof (item.content_html ?? item.content_text) === 'string', 'item content');
    for (const name of ['url', 'image'])
      problems.unless(item[name] === undefined || isUrl(item[name]), `item ${name}`);
    for (const name of ['date_published', 'date_modified'])
      problems.unless(item[name] === undefined || DATE_3339.test(String(item[name])), `item ${name}`);
    const authors = (item.authors ?? []) as Record<string, unknown>[];
    problems.unless(
      authors.every(({ name, url, avatar }) => name ?? url ?? avatar),
      'item authors',
    );
    problems.unless(
      ((item.tags ?? []) as unknown[]).every((tag) => typeof tag === 'string'),
      'item tags',
    );
    problems.unless(!Object.values(item).includes(null), 'no nulls');
  }
  problems.unlessUnique(
    items.map(({ id }) => String(id)),
    'item id',
  );
  return problems.list;
}

/** Rules of the sitemap schema (urlset or sitemapindex) that a sitemap breaks. */
export function sitemapProblems(source: string): string[] {
  const problems = new Problems();
  const root = parseXml(source);
  const [child, kind] = root.name === 'sitemapindex' ? ['sitemap', 'index'] : ['url', 'urlset'];
  problems.unless(['urlset', 'sitemapindex'].includes(root.name), 'root element');
  problems.unless(root.namespace === 'http://www.sitemaps.org/schemas/sitemap/0.9', 'namespace');
  problems.unless(
    root.children.every(({ name }) => name === child),
    `only ${child} in ${kind}`,
  );
  problems.unless(root.children.length <= 50_000, 'at most 50,000 entries');
  for (const entry of root.children) {
    const location = textOf(entry, 'loc') ?? '';
    problems.unless(all(entry, 'loc').length === 1 && isUrl(location), 'loc is a URL');
    problems.unless(location.length >= 12 && location.length <= 2_048, 'loc has 12 to 2,048 characters');
    problems.unless(DATE_3339.test(textOf(entry, 'lastmod') ?? VALID_3339), 'lastmod is a W3C date');
    const names = entry.children.map(({ name }) => name).join(' ');
    problems.unless(/^loc( lastmod)?( image:image)*$/.test(names), `order of elements: ${names}`);
  }
  return problems.list;
}

class Problems {
  readonly list: string[] = [];

  unless(holds: unknown, rule: string): void {
    if (!holds) this.list.push(rule);
  }

  unlessUnique(values: string[], what: string): void {
    this.unless(new Set(values).size === values.length, `${what} occurs once`);
  }

  checkNames(element: XmlElement, allowed: Set<string>, once: string[]): void {
    for (const child of element.children) {
      this.unless(allowed.has(child.name), `<${child.name}> belongs in <${element.name}>`);
      const [prefix] = child.name.split(':');
      const expected = child.name.includes(':') ? namespaces[prefix!] : '';
      this.unless(child.namespace === expected, `<${child.name}> is in its namespace`);
    }
    for (const name of once)
      this.unless(all(element, name).length <= 1, `<${name}> occurs at most once in <${element.name}>`);
  }
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^(https?:\/\/|urn:)[^\s<>"]+$/.test(value) && URL.canParse(value);
}
