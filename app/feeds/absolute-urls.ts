// Matches whole tags only: an address inside a code sample is text and stays.
const tag = /<[a-z][a-z0-9-]*(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*\s*\/?>/gi;
const address = /(\s(?:href|src|poster|cite)=)("[^"]*"|'[^']*')/gi;
const sourceSet = /(\ssrcset=)("[^"]*"|'[^']*')/gi;

/** The player or post that a click on a preview opens. A feed shows the preview's picture, title and link instead. */
const frame = /<iframe [^>]*><\/iframe>/g;
/** A heading's link to itself. Only the site's styles draw it; a feed reader would show an empty link. */
const headingAnchor = /<a class="heading-anchor"[^>]*><\/a>/g;

/** Sanitised HTML with every relative address (`/x`, `x`, `#x`, `?x`) made absolute against `baseUrl`. */
export function withAbsoluteUrls(html: string, baseUrl: string): string {
  return html
    .replaceAll(frame, '')
    .replaceAll(headingAnchor, '')
    .replace(tag, (markup) =>
      markup
        .replace(
          address,
          (_, name: string, quoted: string) => name + within(quoted, (url) => absolute(url, baseUrl)),
        )
        .replace(
          sourceSet,
          (_, name: string, quoted: string) => name + within(quoted, (set) => absoluteSet(set, baseUrl)),
        ),
    );
}

function absoluteSet(set: string, baseUrl: string): string {
  return set
    .split(/,\s+/)
    .map((candidate) => candidate.trim().replace(/^\S+/, (url) => absolute(url, baseUrl)))
    .join(', ');
}

function within(quoted: string, change: (value: string) => string): string {
  return quoted[0] + change(quoted.slice(1, -1)) + quoted[0];
}

function absolute(url: string, baseUrl: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  const plain = addressIn(url);
  if (!URL.canParse(plain, baseUrl)) return url;
  return new URL(plain, baseUrl).href.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
}

/** The address in an attribute. The attribute is HTML-escaped: `&` is an entity, which URL would take for text. */
export function addressIn(attribute: string): string {
  return attribute.replace(/&(?:amp|#38|#x26);/gi, '&');
}
