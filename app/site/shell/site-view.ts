import type { PostArticle } from '#app/posts/lists/public-post.ts';
import type { Appearance } from '#app/settings/appearance/appearance.ts';

/** A view of the public site below another address: in the backend, or at another instant. */
interface SiteView {
  /** Path without a trailing slash below which the view lies, such as `/admin/site`. */
  base: string;
  /** HTML shown first in the body, after the page's skip link; `''` for none. */
  bar: string;
  /**
   * What moves below the base: `links` that people follow, or `everything` that names an address of the site
   * (stylesheets, pictures, metadata, feeds too), because all of it may differ from what readers get.
   */
  moves?: 'links' | 'everything';
}

export interface ViewOptions extends Omit<SiteView, 'bar'> {
  /** As in the view, or a function of the page's status. */
  bar: string | ((status: number) => string);
  /** Shown instead of the published appearance. */
  appearance?: ShownAppearance;
  /** Shown at any address: a post that need not be saved. */
  post?: PostArticle;
}

/** An appearance that is not published, and the path of its stylesheet. */
export interface ShownAppearance {
  choices: Appearance;
  stylesheet: string;
}

/** Answers a public address (path and query) as readers get it, within a view of the site. */
export type RenderSiteView = (address: string, options: ViewOptions) => Promise<Response>;

type Moves = Pick<SiteView, 'base' | 'moves'>;

/** Files that are the same in every view. */
const SHARED = {
  links: /^\/(assets|uploads|theme|favicon\.\w+)(\/|$)/,
  everything: /^\/(assets\/|favicon\.)/,
};
const LINKS = ['href', 'action', 'formaction'];
const ADDRESSES = [...LINKS, 'src', 'poster', 'content'];
const SOURCES = ['srcset', 'imagesrcset'];

/**
 * Matches start tags, and what only looks like them: comments, and scripts and styles with their text. In rendered
 * pages every other `<` belongs to a tag. Runs of ordinary characters are matched at once, which saves two thirds of
 * the time.
 */
const TAGS =
  /<!--.*?-->|<(script|style)\b([^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*)>([^<]*(?:<(?!\/\1\b)[^<]*)*)(?=<\/\1\b)|<([a-z][^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*)>/gis;
/** What a tag contains in which something may move. */
const MOVABLE = new RegExp(`(?:${[...ADDRESSES, ...SOURCES].join('|')})\\s*=`, 'i');
/** An attribute with a value: its beginning, name, value with its quotes, if any. */
const ATTRIBUTE = /(([^\s"'>/=]+)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/g;

/**
 * A public page in a view: addresses within the site stay inside, and the bar comes first in the body, after
 * the skip link. Everything else keeps its bytes.
 */
export function htmlInView(html: string, view: SiteView, siteUrl: string): string {
  let bar = '';
  return html.replace(
    TAGS,
    (raw: string, special?: string, attributes?: string, text?: string, tag?: string) => {
      // The bar comes after a skip link, so that the link skips the bar's links too.
      const before = tag?.startsWith('a class="skip-link"') ? '' : bar;
      if (before) bar = '';
      if (tag !== undefined) {
        if (/^body\b/i.test(tag)) ({ bar } = view);
        return before + tagInView(tag, raw, view, siteUrl);
      }
      if (special === undefined) return before + raw;
      const moved = tagInView(special + attributes, `<${special}${attributes}>`, view, siteUrl);
      const isData = attributes!.includes('application/ld+json');
      return before + moved + (isData ? textInView(text!, view, siteUrl) : text);
    },
  );
}

/** A feed, sitemap or other file in a view of everything: its absolute addresses stay inside. */
export function textInView(text: string, { base, moves }: Moves, siteUrl: string): string {
  return moves === 'everything' ? text.replaceAll(`${siteUrl}/`, `${siteUrl}${base}/`) : text;
}

/** An address within the site moved below the base; any other stays. */
export function addressInView(address: string, { base, moves = 'links' }: Moves, siteUrl: string): string {
  const isAbsolute = address === siteUrl || address.startsWith(`${siteUrl}/`);
  const path = isAbsolute ? address.slice(siteUrl.length) || '/' : address;
  if (!/^\/(?![/\\])/.test(path) || SHARED[moves].test(path)) return address;
  if (path === base || path.startsWith(`${base}/`)) return address;
  // Addresses that readers copy, such as that of a feed, stay absolute.
  return isAbsolute && moves === 'everything' ? siteUrl + base + path : base + path;
}

function tagInView(tag: string, raw: string, view: SiteView, siteUrl: string): string {
  const isAll = view.moves === 'everything';
  if (!MOVABLE.test(tag)) return raw;
  // A page's own address, for search engines and shared links, is not a link.
  if (/^link\b/i.test(tag) && !isAll) return raw;
  const move = (value: string) => addressInView(value, view, siteUrl);
  return raw.replace(ATTRIBUTE, (attribute, opening: string, spelled: string, quoted: string) => {
    const name = spelled.toLowerCase();
    const isList = isAll && SOURCES.includes(name);
    if (!isList && !(isAll ? ADDRESSES : LINKS).includes(name)) return attribute;
    const quote = /^["']/.exec(quoted)?.[0] ?? '';
    const value = quote ? quoted.slice(1, -1) : quoted;
    // Other texts of the page are in `content`, too.
    if (name === 'content' && !value.startsWith(siteUrl)) return attribute;
    return opening + quote + (isList ? value.split(', ').map(move).join(', ') : move(value)) + quote;
  });
}

/**
 * A page or feed whose media addresses lead to the public media address instead of `/uploads/`.
 * @param text HTML with double-quoted attributes, XML or JSON
 * @param mediaUrl without a trailing slash; undefined changes nothing
 */
export function withMediaAddresses(text: string, siteUrl: string, mediaUrl: string | undefined): string {
  if (mediaUrl === undefined || !text.includes('/uploads/')) return text;
  const attributes = /(\s(?:src|srcset|srcSet|href|poster|content)=")([^"]*\/uploads\/[^"]*)/g;
  return text
    .replaceAll(`${siteUrl}/uploads/`, `${mediaUrl}/`)
    .replace(
      attributes,
      (_, before: string, value: string) => before + value.replace(/(^|,\s*)\/uploads\//g, `$1${mediaUrl}/`),
    );
}
