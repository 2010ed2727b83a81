import { RewritingStream } from 'parse5-html-rewriting-stream';
import type { App } from '#app/app.ts';
import type { Appearance } from '#app/settings/appearance/appearance.ts';

/** A view of the public site below another address: in the backend, or at another instant. */
export interface SiteView {
  /** Path without a trailing slash below which the view lies, such as `/admin/site`. */
  base: string;
  /** HTML shown before everything else in the body; `''` for none. */
  bar: string;
  /**
   * What moves below the base: `links` that people follow, or `everything` that names an address of the site
   * (stylesheets, pictures, metadata, feeds too), because all of it may be another than readers get.
   */
  moves?: 'links' | 'everything';
}

export interface ViewOptions extends Omit<SiteView, 'bar'> {
  /** As in the view; a function says it of the page's status. */
  bar: string | ((status: number) => string);
  /** The app whose content is shown; the server's own when absent. */
  app?: App;
  /** Shown instead of the published appearance. */
  appearance?: ShownAppearance;
}

/** An appearance that is not published, and the path of its stylesheet. */
export interface ShownAppearance {
  choices: Appearance;
  stylesheet: string;
}

/** Answers a public address (path and query) as readers get it, within a view of the site. */
export type RenderSiteView = (address: string, options: ViewOptions) => Promise<Response>;

type StartTag = Parameters<Parameters<RewritingStream['on']>[1]>[0];
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
 * A public page as it is in a view: addresses within the site stay inside, and the bar comes first in the body.
 * Everything else keeps its bytes.
 */
export async function htmlInView(html: string, view: SiteView, siteUrl: string): Promise<string> {
  const stream = new RewritingStream();
  let isData = false;
  stream.on('startTag', (tag, raw) => {
    isData = tag.attrs.some(({ value }) => value === 'application/ld+json');
    stream.emitRaw(tagInView(tag, raw, view, siteUrl));
    if (tag.tagName === 'body') stream.emitRaw(view.bar);
  });
  stream.on('endTag', (_, raw) => {
    isData = false;
    stream.emitRaw(raw);
  });
  stream.on('text', (_, raw) => stream.emitRaw(isData ? textInView(raw, view, siteUrl) : raw));
  const chunks: string[] = [];
  stream.on('data', (chunk: string | Buffer) => chunks.push(chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    stream.on('end', resolve).on('error', reject);
    stream.end(html);
  });
  return chunks.join('');
}

/** A feed, sitemap or other file as it is in a view of everything: its absolute addresses stay inside. */
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

function tagInView(tag: StartTag, raw: string, view: SiteView, siteUrl: string): string {
  const isAll = view.moves === 'everything';
  // A page's own address, for search engines and shared links, is not a link.
  if (tag.tagName === 'link' && !isAll) return raw;
  const { startOffset, attrs = {} } = tag.sourceCodeLocation!;
  const move = (value: string) => addressInView(value, view, siteUrl);
  let moved = raw;
  // From the end, so that the places of the others stay right.
  for (const { name } of tag.attrs.toReversed()) {
    const place = attrs[name];
    const isList = isAll && SOURCES.includes(name);
    if (!place || !(isList || (isAll ? ADDRESSES : LINKS).includes(name))) continue;
    const [from, to] = [place.startOffset - startOffset, place.endOffset - startOffset];
    const [, opening, value, closing] = /^([^=]*=\s*["']?)(.*?)(["']?)$/s.exec(raw.slice(from, to)) ?? [];
    // Other texts of the page are in `content`, too.
    if (value === undefined || (name === 'content' && !value.startsWith(siteUrl))) continue;
    const inside = isList ? value.split(', ').map(move).join(', ') : move(value);
    moved = moved.slice(0, from) + opening + inside + closing + moved.slice(to);
  }
  return moved;
}
