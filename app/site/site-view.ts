import { RewritingStream } from 'parse5-html-rewriting-stream';
import type { App } from '#app/app.ts';
import type { Appearance } from '#app/settings/appearance/appearance.ts';

/** A view of the public site below another address: in the backend, or at another instant. */
export interface SiteView {
  /** Path without a trailing slash below which the view lies, such as `/admin/site`. */
  base: string;
  /** HTML shown before everything else in the body; `''` for none. */
  bar: string;
}

export interface ViewOptions extends SiteView {
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

/** Paths that are the same in every view: they are files. */
const SHARED = /^\/(assets|uploads|theme|favicon\.\w+)(\/|$)/;
const ADDRESSES = ['href', 'action', 'formaction'];

/**
 * A public page as it stands in a view: links within the site stay inside, and the bar comes first in the body.
 * Everything else keeps its bytes.
 */
export async function htmlInView(html: string, view: SiteView, siteUrl: string): Promise<string> {
  const stream = new RewritingStream();
  stream.on('startTag', (tag, raw) => {
    // A page's own address, for search engines and shared links, is not a link.
    let changed = false;
    if (tag.tagName !== 'link') {
      for (const attribute of tag.attrs) {
        if (!ADDRESSES.includes(attribute.name)) continue;
        const inside = addressInView(attribute.value, view.base, siteUrl);
        changed ||= inside !== attribute.value;
        attribute.value = inside;
      }
    }
    if (changed) stream.emitStartTag(tag);
    else stream.emitRaw(raw);
    if (tag.tagName === 'body') stream.emitRaw(view.bar);
  });
  const chunks: string[] = [];
  stream.on('data', (chunk: string | Buffer) => chunks.push(chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    stream.on('end', resolve).on('error', reject);
    stream.end(html);
  });
  return chunks.join('');
}

/** An address within the site moved below `base`; any other stays. */
export function addressInView(address: string, base: string, siteUrl: string): string {
  const path =
    address === siteUrl ? '/' : address.startsWith(`${siteUrl}/`) ? address.slice(siteUrl.length) : address;
  if (!path.startsWith('/') || path.startsWith('//') || SHARED.test(path)) return address;
  if (path === base || path.startsWith(`${base}/`)) return address;
  return base + path;
}
