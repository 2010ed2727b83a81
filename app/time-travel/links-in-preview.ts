// Whole tags only: an address inside a code sample is text and stays as it is.
const tag = /<[a-z][a-z0-9-]*(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*\s*\/?>/gi;
const address = /(\s(?:href|src|action|formaction|poster|content)=")([^"]*)"/gi;
const sources = /(\s(?:srcset|imagesrcset)=")([^"]*)"/gi;
const linkedData = /(<script type="application\/ld\+json">)(.*?)(<\/script>)/gs;
/** Files that are the same at every instant; their names carry their hash. */
const SHARED = /^\/(?:assets\/|favicon\.)/;

export interface PreviewBase {
  /** `/preview/site/<token>`: what the addresses of the site stand below. */
  base: string;
  /** The site's origin. */
  siteUrl: string;
}

/** A public page in a preview of the site: its addresses stay inside, and the bar comes first in the body. */
export function pageInPreview(html: string, preview: PreviewBase & { bar: string }): string {
  const inside = html
    .replace(tag, (markup) =>
      markup
        .replace(address, (_, name: string, value: string) => `${name}${addressInPreview(value, preview)}"`)
        .replace(sources, (_, name: string, list: string) => `${name}${sourcesInPreview(list, preview)}"`),
    )
    .replace(
      linkedData,
      (_, open: string, json: string, close: string) => open + textInPreview(json, preview) + close,
    );
  return inside.replace(/<body[^>]*>/, (body) => body + preview.bar);
}

/** A feed, sitemap or other file in a preview: its absolute addresses stay inside. */
export function textInPreview(text: string, { base, siteUrl }: PreviewBase): string {
  return text.replaceAll(`${siteUrl}/`, `${siteUrl}${base}/`);
}

/** An address of the site below the base; any other as it is. */
export function addressInPreview(value: string, { base, siteUrl }: PreviewBase): string {
  if (value === siteUrl || value.startsWith(`${siteUrl}/`)) {
    const path = value.slice(siteUrl.length);
    return SHARED.test(path) ? value : siteUrl + base + path;
  }
  if (!/^\/(?![/\\])/.test(value) || SHARED.test(value)) return value;
  return base + value;
}

function sourcesInPreview(list: string, preview: PreviewBase): string {
  return list
    .split(', ')
    .map((source) => addressInPreview(source, preview))
    .join(', ');
}
