import { escapeText } from '#app/platform/text/html.ts';

// What XML 1.0 allows: tab, line feed, carriage return and everything from the space on but surrogates,
// U+FFFE and U+FFFF.
const illegal = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Characters that `escapeXml` may have to change. Pairs of surrogates are among them, and stay. */
const mayNeedEscape = /[&<>"\u0000-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/;

/** Text for element content and attribute values; characters that XML 1.0 cannot hold are left out. */
export function escapeXml(text: string): string {
  // Nearly all texts of a sitemap: it has a hundred thousand of them.
  if (!mayNeedEscape.test(text)) return text;
  return text
    .replace(illegal, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Markup as character data; `]]>` inside is split over two sections. */
export function cdata(text: string): string {
  return `<![CDATA[${text.replace(illegal, '').replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** `<name attributes>text</name>`, escaped; nothing at all for an empty text. */
export function element(name: string, text: string, attributes?: Record<string, string>): string {
  if (text === '') return '';
  return `<${name}${attributes ? attributesOf(attributes) : ''}>${escapeXml(text)}</${name}>`;
}

// Text that HTML reads as markup or as a reference, also as one without a semicolon (`&copy`). `AT&T` is neither.
const readsAsMarkup = /<[a-z!/?]|&(?:#|[a-z][a-z\d])/i;

/**
 * Plain text in an element that some feed readers take for HTML and others for text (`title` and `description` of RSS).
 * Text without markup is escaped once: escaped twice, readers that take it for text would show `AT&amp;T`. Text such as
 * `Vec<T>` is escaped twice: otherwise readers that take it for HTML would drop the `<T>`.
 */
export function htmlElement(name: string, text: string): string {
  return element(name, readsAsMarkup.test(text) ? escapeText(text) : text);
}

/** `<name attributes/>`. */
export function emptyElement(name: string, attributes: Record<string, string>): string {
  return `<${name}${attributesOf(attributes)}/>`;
}

/** A document of the given lines; empty ones are left out. */
export function xmlDocument(lines: string[]): string {
  return ['<?xml version="1.0" encoding="utf-8"?>', ...lines.filter(Boolean), ''].join('\n');
}

function attributesOf(attributes: Record<string, string>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('');
}

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
