import type { Element, ElementContent, RootContent } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { parseHtml, element, textNode } from '#app/platform/text/hast.ts';
import { escapeAttribute } from '#app/platform/text/html.ts';
import { directionOf } from '#app/platform/text/languages.ts';
import type { PublicImage } from '#app/posts/pictures/public-image.ts';
import type { MailColors, MailLook } from './mail-look.server.ts';
import type { NewsletterTexts } from './texts.ts';

interface Page {
  look: MailLook;
  /** Addresses of the site and the post. */
  home: string;
  url: string;
  texts: NewsletterTexts;
  language: string;
  subject: string;
  preview: string;
  name: string;
  footer: string;
  manage: string;
  unsubscribe: string;
}

/** The frame around a post: one column of at most 600 px, as tables for Outlook, in the colours of the site. */
export function mailPage(page: Page, content: string): string {
  const { look, home, url, texts, language, subject, preview, name, footer, manage, unsubscribe } = page;
  const { paper, ink, inkSoft, accent, rule } = look.light;
  const link = (href: string, label: string, style = `color:${accent}`) =>
    `<a href="${escapeAttribute(href)}" style="${style}">${escapeAttribute(label)}</a>`;
  const address = escapeAttribute(footer).replaceAll('\n', '<br>');
  const site = `<a class="plain" href="${escapeAttribute(home)}" style="color:${ink};text-decoration:none">${escapeAttribute(name)}</a>`;
  return `<!doctype html>
<html lang="${escapeAttribute(language)}" dir="${directionOf(language) ?? 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeAttribute(subject)}</title>
<!--[if mso]><style>td, p, h1, h2, h3, h4, li { font-family: ${look.outlook} !important; }</style><![endif]-->
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
${darkRules(look.dark)}
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:${paper};color:${ink}">
<div style="display:none;max-height:0;overflow:hidden">${escapeAttribute(preview)}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background-color:${paper}"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px"><tr><td style="font-family:${look.body};font-size:17px;line-height:1.6;color:${ink};text-align:start;overflow-wrap:anywhere;word-break:break-word">
<p class="site" style="margin:0 0 28px;padding:0 0 12px;border-bottom:2px solid ${accent};font-family:${look.heading};font-size:20px;line-height:1.3;font-weight:bold">${site}</p>
${content}
<p style="margin:24px 0 0">${link(url, texts.readOnWeb)}</p>
<hr style="margin:32px 0 16px;border:0;border-top:1px solid ${rule}">
<p class="soft" style="margin:0;font-size:14px;color:${inkSoft}">${address}${address && '<br>'}${link(manage, texts.manage)} · ${link(unsubscribe, texts.unsubscribe)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

/** What mail programs that know dark schemes put over the inline styles. */
function darkRules({ paper, surface, ink, inkSoft, rule, mark, accent }: MailColors): string {
  return `  .page, .page td { background-color: ${paper} !important; color: ${ink} !important; }
  .page td, .page th, .page hr { border-color: ${rule} !important; }
  .page .site, .page blockquote { border-color: ${accent} !important; }
  .page a { color: ${accent} !important; }
  .page a.plain { color: ${ink} !important; }
  .page .soft { color: ${inkSoft} !important; }
  .page pre, .page th { background-color: ${surface} !important; color: ${ink} !important; }
  .page mark { background-color: ${mark} !important; color: ${ink} !important; }`;
}

const stringifier = unified().use(rehypeStringify);
const PICTURE_MAX = 1_200;

/** The styles of each element, inline: many mail programs drop all others. */
const stylesOf = ({ heading, light }: MailLook): Readonly<Record<string, string>> => ({
  p: 'margin:0 0 16px',
  h1: `margin:32px 0 12px;font-family:${heading};font-size:26px;line-height:1.25`,
  h2: `margin:32px 0 12px;font-family:${heading};font-size:23px;line-height:1.3`,
  h3: `margin:24px 0 8px;font-family:${heading};font-size:19px;line-height:1.3`,
  h4: 'margin:24px 0 8px;font-size:17px',
  h5: 'margin:24px 0 8px;font-size:16px',
  h6: 'margin:24px 0 8px;font-size:16px',
  ul: 'margin:0 0 16px;padding:0 24px',
  ol: 'margin:0 0 16px;padding:0 24px',
  li: 'margin:0 0 6px',
  dl: 'margin:0 0 16px',
  dt: 'font-weight:bold',
  dd: 'margin:0 0 8px 24px',
  a: `color:${light.accent}`,
  blockquote: `margin:0 0 16px;padding:0 16px;border-left:3px solid ${light.accent};border-right:0`,
  pre: `margin:0 0 16px;padding:12px;background-color:${light.surface};color:${light.ink};font-family:Consolas,Menlo,monospace;font-size:14px;line-height:1.5;white-space:pre-wrap;word-break:break-word`,
  code: 'font-family:Consolas,Menlo,monospace;font-size:90%',
  table: 'margin:0 0 16px;border-collapse:collapse;width:100%',
  th: `padding:6px 8px;border:1px solid ${light.rule};background-color:${light.surface};text-align:start`,
  td: `padding:6px 8px;border:1px solid ${light.rule}`,
  hr: `margin:24px 0;border:0;border-top:1px solid ${light.rule}`,
  img: 'display:block;max-width:100%;height:auto;border:0',
  figcaption: `margin:6px 0 0;font-size:14px;color:${light.inkSoft}`,
  mark: `background-color:${light.mark};color:${light.ink}`,
});

/** Elements that a mail can show. Of others only the content is kept. */
const kept = new Set([
  ...'p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code table th td hr img figcaption mark'.split(
    ' ',
  ),
  ...'a b br del em i ins q s small strong sub sup u kbd'.split(' '),
  ...'thead tbody tfoot tr caption abbr cite dfn samp var'.split(' '),
]);
const dropped = new Set([
  ...'script style svg button form iframe template noscript link meta'.split(' '),
  ...'source track object embed map area select textarea'.split(' '),
]);
const attributes = new Set(['href', 'alt', 'title', 'dir', 'lang', 'colSpan', 'rowSpan', 'start', 'align']);

interface Options {
  look: MailLook;
  /** What links to a film or a sound say. */
  play: string;
  /** Where films and sounds of the post can be played. */
  url: string;
}

/** What the conversion hands down. */
interface Context extends Options {
  styles: Readonly<Record<string, string>>;
}

/** A cover as a picture of the text, from which the mail's is made. */
export function coverHtml(cover: PublicImage | null): string {
  if (!cover) return '';
  const { src, srcSet, alt, width, height } = cover;
  const size = width && height ? ` width="${width}" height="${height}"` : '';
  return `<figure><img src="${escapeAttribute(src)}" srcset="${escapeAttribute(srcSet)}" alt="${escapeAttribute(alt)}"${size}></figure>`;
}

/** A post's rendered body as mail HTML, block by block, so that a long one can end between two. */
export function mailBlocks(html: string, options: Options): string[] {
  const tree = parseHtml(html);
  const styles = stylesOf(options.look);
  return converted(tree.children, { ...options, styles })
    .filter((node) => node.type === 'element' || (node.type === 'text' && node.value.trim() !== ''))
    .map((node) => (isInline(node) ? element('p', { style: styles.p }, [node]) : node))
    .map((node) => stringifier.stringify({ type: 'root', children: [node] }));
}

const inlineNames = new Set(['a', 'b', 'code', 'em', 'i', 'img', 's', 'small', 'span', 'strong', 'u']);

function isInline(node: ElementContent): boolean {
  return node.type === 'text' || (node.type === 'element' && inlineNames.has(node.tagName));
}

function converted(nodes: readonly RootContent[], options: Context): ElementContent[] {
  return nodes.flatMap((node) => {
    if (node.type === 'text') return [node];
    return node.type === 'element' ? convertedElement(node, options) : [];
  });
}

function convertedElement(node: Element, options: Context): ElementContent[] {
  const { tagName } = node;
  const { styles } = options;
  const classes = classesOf(node);
  const inside = () => converted(node.children, options);
  const isBackLink = String(node.properties.href ?? '').includes('#user-content-fnref');
  if (isBackLink || classes.includes('heading-anchor') || dropped.has(tagName)) return [];
  if (tagName === 'math') return [element('code', { style: styles.code }, [textNode(formulaText(node))])];
  if (tagName === 'input') return [textNode(node.properties.checked ? '☑ ' : '☐ ')];
  if (tagName === 'img') return picture(node, options);
  if (tagName === 'video' || tagName === 'audio') return player(node, options);
  if (tagName === 'figure' && classes.includes('embed')) return embed(node, options);
  if (tagName === 'figure') return [element('div', { style: 'margin:0 0 20px' }, inside())];
  if (tagName === 'figcaption')
    return [element('div', { className: ['soft'], style: styles.figcaption }, inside())];
  if (tagName === 'summary') return [element('p', { style: 'margin:0 0 8px;font-weight:bold' }, inside())];
  if (classes.includes('callout')) return [callout(inside(), options)];
  if (tagName === 'pre') return [element('pre', { style: styles.pre }, [textNode(toString(node))])];
  if (!kept.has(tagName)) return inside();
  const properties: Element['properties'] = {};
  for (const [name, value] of Object.entries(node.properties))
    if (attributes.has(name)) properties[name] = value;
  if (styles[tagName]) properties.style = styles[tagName];
  if (tagName === 'table') Object.assign(properties, { cellPadding: '0', cellSpacing: '0' });
  const children = inside();
  // A player is a paragraph of its own.
  if (tagName === 'p' && children.some((child) => child.type === 'element' && child.tagName === 'p'))
    return children;
  return [element(tagName, properties, children)];
}

/** The largest of a picture's files that a mail should load. */
function picture({ properties }: Element, { styles }: Context): ElementContent[] {
  const { src, srcSet, alt, width, height } = properties;
  if (typeof src !== 'string' || !/^https?:/.test(src)) return [];
  const set = Array.isArray(srcSet) ? srcSet.join(', ') : String(srcSet ?? '');
  const sizes = [...set.matchAll(/(\S+) (\d+)w/g)].map(([, url = '', size]) => ({ url, size: Number(size) }));
  const fitting = sizes
    .filter(({ size }) => size <= PICTURE_MAX)
    .reduce<(typeof sizes)[0] | null>((best, one) => (one.size > (best?.size ?? 0) ? one : best), null);
  const isLarge = Number(width) > PICTURE_MAX || !width;
  const shown = Math.min(Number(width) || 0, 600);
  return [
    element(
      'img',
      {
        src: isLarge && fitting ? fitting.url : src,
        alt: String(alt ?? ''),
        ...(shown > 0 && { width: shown }),
        ...(shown > 0 && Number(height) > 0 && shown === Number(width) && { height: Number(height) }),
        style: styles.img,
      },
      [],
    ),
  ];
}

function player(node: Element, options: Context): ElementContent[] {
  const { play, url, styles } = options;
  const { poster, title, ariaLabel } = node.properties;
  const label = String(title ?? ariaLabel ?? '');
  const image =
    typeof poster === 'string'
      ? picture(element('img', { src: poster, alt: label || play }, []), options)
      : [];
  const words = `▶ ${label ? `${label}: ` : ''}${play}`;
  return [
    element('p', { style: styles.p }, [
      element('a', { href: url, style: styles.a }, [...image, textNode(words)]),
    ]),
  ];
}

/** The picture of a film or map, or the text of a post elsewhere, with its link. */
function embed(node: Element, options: Context): ElementContent[] {
  const link = find(node, 'figcaption a');
  const quote = find(node, 'blockquote');
  const image = find(node, 'summary img');
  const href = link?.properties.href;
  const shown = image ? picture(image, options) : [];
  const linked = typeof href === 'string' ? [element('a', { href }, shown)] : shown;
  const caption = node.children.find((child) => child.type === 'element' && child.tagName === 'figcaption');
  return [
    element('div', { style: 'margin:0 0 20px' }, [
      ...(quote ? convertedElement(quote, options) : linked),
      ...(caption?.type === 'element' ? convertedElement(caption, options) : []),
    ]),
  ];
}

/** A table, since Outlook draws no borders of other elements. */
function callout(children: ElementContent[], { styles, look }: Context): Element {
  const { rule, accent, surface } = look.light;
  const cell = `padding:12px 16px 0;border:1px solid ${rule};border-left:4px solid ${accent};background-color:${surface}`;
  return element('table', { role: 'presentation', style: styles.table, cellPadding: '0', cellSpacing: '0' }, [
    element('tr', {}, [element('td', { style: cell }, children)]),
  ]);
}

function find(node: Element, path: string): Element | null {
  const [name, ...rest] = path.split(' ');
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    const found: Element | null =
      child.tagName === name ? (rest.length > 0 ? find(child, rest.join(' ')) : child) : find(child, path);
    if (found) return found;
  }
  return null;
}

function classesOf({ properties: { className } }: Element): string[] {
  return Array.isArray(className) ? className.map(String) : [];
}

/** A formula as text: `(a+b)/2`, `x^2`, `√(y)`. Mail programs draw no MathML. */
function formulaText(node: Element): string {
  const parts = node.children.filter((child) => child.type === 'element');
  const part = (index: number) => (parts[index] ? formulaText(parts[index]) : '');
  const grouped = (index: number) => {
    const words = part(index);
    return [...words].length > 1 ? `(${words})` : words;
  };
  switch (node.tagName) {
    case 'mfrac':
      return `${grouped(0)}/${grouped(1)}`;
    case 'msup':
    case 'mover':
      return `${grouped(0)}^${grouped(1)}`;
    case 'msub':
    case 'munder':
      return `${grouped(0)}_${grouped(1)}`;
    case 'msubsup':
    case 'munderover':
      return `${grouped(0)}_${grouped(1)}^${grouped(2)}`;
    case 'msqrt':
      return `√(${parts.map(formulaText).join('')})`;
    case 'mroot':
      return `${grouped(1)}√(${part(0)})`;
    case 'mtr':
      return `${parts.map(formulaText).join(', ')}; `;
    default:
      return parts.length > 0 ? parts.map(formulaText).join('') : toString(node);
  }
}
