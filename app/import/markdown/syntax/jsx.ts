import { embedTarget, serviceAddress, type TagArguments } from '#app/import/html/media-address.ts';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import { codeRanges, isInside } from '#app/posts/markdown/addresses.ts';
import {
  argumentsOf,
  fence,
  pictureOf,
  type TransformContext,
  calloutOfTag,
  warnUnsupported,
} from './tag-values.ts';

/** What names of components add to the name of a service: `LiteYouTube`, `YouTubeEmbed`, `XPost`, `TwitterTweetEmbed`. */
const around = /lite|embed(?:ded)?|player|video|post|status|card|react|astro|github|[-_.]/g;
const services: Record<string, string> = { yt: 'youtube', twittertweet: 'tweet', tweettwitter: 'tweet' };
/** Components that show the page at an address. */
const showsPage = /embed|video|player|preview|iframe|frame|oembed/i;
/** Where films, posts and code are that sites embed. */
const embedded =
  /^(?:https?:)?\/\/(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|twitter\.com|x\.com|instagram\.com|gist\.github\.com|codepen\.io|codesandbox\.io|stackblitz\.com|spotify\.com|soundcloud\.com|bsky\.app|tiktok\.com|dailymotion\.com|twitch\.tv|loom\.com)\//i;

/** A component as Markdown: a picture, a film, a post, a link; null for any other. */
function readComponent(name: string, { named }: TagArguments): string | null {
  const { src, alt, caption, title } = named;
  if (src !== undefined && /\.(png|jpe?g|gif|webp|avif|svg)([?#]|$)/i.test(src))
    return pictureOf({ src, alt, caption: caption ?? title });
  const plainName = name.toLowerCase().replace(around, '');
  const service = services[plainName] ?? plainName;
  const start = named.start ?? new URLSearchParams(named.params ?? '').get('start');
  const address =
    serviceAddress(service, { named: start === null ? named : { ...named, start }, plain: [] }) ??
    Object.values(named).find((value) => embedded.test(value)) ??
    (showsPage.test(name) ? (named.url ?? named.src ?? named.href ?? named.id) : undefined);
  const target = address === undefined ? null : embedTarget(address);
  if (target !== null && /^https?:/i.test(target)) return `\n\n<${target}>\n\n`;
  const words = title ?? named.label ?? named.text;
  return named.href !== undefined && words !== undefined
    ? `\n\n[${words.replace(/[[\]]/g, '\\$&')}](${named.href.replace(/[\s()<>]/g, encodeURIComponent)})\n\n`
    : null;
}

/** Players that are elements of HTML. */
const playerElement =
  /<(lite-youtube|lite-vimeo|youtube-embed|youtube-video|vimeo-video|lite-yt)\b((?:\s+[\w:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*)\s*\/?>(?:\s*<\/\1\s*>)?/gi;

/** Replaces players that are elements, such as `<lite-youtube videoid="x">`, by links. */
function readPlayerElements(text: string): string {
  return text.replace(
    playerElement,
    (whole: string, name: string, written: string) => readComponent(name, argumentsOf(written)) ?? whole,
  );
}

const codeNames = 'Code|CodeBlock|CodeSnippet|Prism|SyntaxHighlighter|Highlight|ExpressiveCode';
const template = String.raw`\{\s*\x60(?:[^\x60\\]|\\[\s\S])*\x60\s*\}`;
const attributes = String.raw`(?:\s+[\w:-]+(?:=(?:"[^"]*"|'[^']*'|${template}|\{[^{}]*\}))?)*`;
const codeAlone = new RegExp(String.raw`<(?:${codeNames})\b(${attributes})\s*\/>`, 'g');
const codeOpen = new RegExp(String.raw`<(${codeNames})\b(${attributes})\s*>(?=\s*\{)`, 'g');
const attribute = new RegExp(String.raw`([\w:-]+)=("[^"]*"|'[^']*'|${template}|\{[^{}]*\})`, 'g');
const constant = /^(?:export\s+)?const\s+(\w+)\s*=\s*([^\n;]+)/gm;

/**
 * Code in a text of the program, such as ``<Code code={`a`} lang="js" />``, as a block. Runs before code in Markdown is
 * recognised, which the back quotes look like.
 */
export function readCodeComponents(text: string, context: TransformContext): string {
  if (!text.includes('<')) return text;
  const constants = new Map(
    [...text.matchAll(constant)].map(([, name, written]) => [name!, literalOf(written!)] as const),
  );
  const blockOf = (written: string, inner?: string): string | null => {
    const values = new Map(
      [...written.matchAll(attribute)].map(([, name, value]) => [name!.toLowerCase(), value!] as const),
    );
    const raw = inner ?? values.get('code') ?? '';
    const code = literalOf(raw) ?? constants.get(raw.replace(/^\{\s*|\s*\}$/g, '')) ?? null;
    if (code === null) return null;
    const textOf = (name: string) => literalOf(values.get(name) ?? '') ?? undefined;
    const language = textOf('lang') ?? textOf('language') ?? '';
    return fence(code, language, context, { title: textOf('title') ?? textOf('filename') });
  };
  const alone = text.replace(codeAlone, (whole: string, written: string, at: number) =>
    isInside(codeRanges(text), at) ? whole : (blockOf(written) ?? whole),
  );
  return replacePairs(
    alone,
    codeOpen,
    ([, name]) => new RegExp(`</${name}\\s*>`, 'g'),
    ({ 0: open, 2: written, index }, inner, [close]) =>
      (isInside(codeRanges(alone), index) ? null : blockOf(written!, inner)) ?? open + inner + close,
  );
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '' };

/** The text of a literal in an attribute or between tags; null for anything that a program would have to evaluate. */
function literalOf(written: string): string | null {
  const whole = written.trim();
  if (/^(["'])[^]*\1$/.test(whole)) return whole.slice(1, -1);
  const inner = whole.replace(/^\{\s*|\s*\}$/g, '');
  const quote = inner[0] ?? '';
  const isLiteral = /^[`"']$/.test(quote) && inner.length > 1 && inner.endsWith(quote);
  if (!isLiteral || (quote === '`' && /(?<!\\)\$\{/.test(inner))) return null;
  return inner.slice(1, -1).replace(/\\([^])/g, (_, sign: string) => escapes[sign] ?? sign);
}

const imports = /^import\s+(?:[\w*{][^'"]{0,2000}?\sfrom\s+)?["'][^"'\n]+["'];?[ \t]*\n?/gm;
const exports = /^export\s+(?:default|const|let|var|function)\b[^\n]*\n?/gm;
/** `import photo from './photo.png'` */
const pictureImports = /^import\s+(\w+)\s+from\s+["']([^"'\n]+\.(?:png|jpe?g|gif|webp|avif|svg))["']/gm;
/** Scripts and styles of pages in Vue and Svelte, which show nothing. A script with an address may be an embed. */
const programOpen = /<(script|style)\b(?![^<>]*\ssrc\s*=)[^<>]*>/gi;
/** An element of HTML with an expression among its attributes. */
const element = /(<[a-z][\w-]*)((?:\s(?:"[^"]*"|'[^']*'|\{\{[^{}]*\}\}|\{[^{}]*\}|[^"'{}<>])*)?)(>)/g;
const commentOpen = /\{\/\*/g;
const commentClose = /\*\/\}/g;
const tag = /<(\/?)([A-Z][\w.]*)((?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^"'{}<>])*?)(\/?)>/g;

/** Components whose children are a separate text: call-outs, and parts with a label. */
const partOpen =
  /<(Admonition|Aside|Callout|Alert|Note|Tip|Info|Important|Warning|Caution|Danger|TabItem|Tab|Step|Card|Accordion|AccordionItem)((?:\s(?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^"'{}<>/])*)?)>/g;

/** Removes the white space at the beginning of all lines, which would make them code in Markdown. */
function outdented(text: string): string {
  const depths = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)![0].length);
  const indent = Math.min(...depths, 100);
  return text.replace(/^[ \t]*/gm, (start) => start.slice(Math.min(indent, start.length)));
}

/** MDX as Markdown: without imports and exports, components replaced by their children, pictures and films as Markdown. */
export function readJsx(text: string, context: TransformContext): string {
  const leftOut = new Set<string>();
  const shown = replacePairs(
    readPlayerElements(text),
    programOpen,
    ([, name]) => new RegExp(String.raw`</${name}\s*>[ \t]*\n?`, 'gi'),
    () => '',
  );
  const isModule = shown.search(imports) >= 0 || shown.search(exports) >= 0;
  const plain = shown.replace(imports, '').replace(exports, (line) => {
    leftOut.add(line.trim().slice(0, 60));
    return '';
  });
  const pictures = new Map(
    [...text.matchAll(pictureImports)].map(([, name, address]) => [name!, address!] as const),
  );
  const withParts = replacePairs(
    plain,
    partOpen,
    ([, name]) => new RegExp(`</${name}\\s*>`, 'g'),
    ([, name, written], inner) => {
      const values = argumentsOf(written!);
      if (!/^(Tab|Step|Card|Accordion)/.test(name!))
        return calloutOfTag(name!, values, outdented(inner), context);
      const { label, title, value } = values.named;
      const words = label ?? title ?? value ?? '';
      return `\n\n${words === '' ? '' : `**${words}**\n\n`}${outdented(inner)}\n\n`;
    },
  );
  const read = replacePairs(
    withParts,
    commentOpen,
    () => commentClose,
    () => '',
  )
    .replace(
      element,
      (_, start: string, written: string, end: string) =>
        start + asHtml(withAddresses(written, pictures)) + end,
    )
    .replace(tag, (_, slash: string, name: string, written: string) => {
      if (slash !== '') return '';
      const replaced = readComponent(name, valuesOf(withAddresses(written, pictures), context));
      if (replaced === null) leftOut.add(`<${name}>`);
      return replaced ?? '';
    });
  for (const part of leftOut) context.warn(`${part} was left out: components do not run here.`);
  return isModule ? read.replace(/^\n+/, '') : read;
}

/** The values of attributes, also of those in back quotes, which count as code until here. */
function valuesOf(written: string, { verbatim }: TransformContext): TagArguments {
  return argumentsOf(
    written.replace(/=\{\s*(\uFDD0\d+\uFDD1)\s*\}/g, (whole, mark: string) => {
      const value = /^`([^`"${]*)`$/.exec(verbatim.restore(mark))?.[1];
      return value === undefined ? whole : `="${value}"`;
    }),
  );
}

/**
 * Replaces expressions that contain an address: `{require('./a.png').default}`, `{useBaseUrl('/a.png')}`, `{photo}`.
 */
function withAddresses(written: string, pictures: ReadonlyMap<string, string>): string {
  return written.replace(
    /=\{\s*(?:(?:require|useBaseUrl)\(\s*["']([^"']+)["'][^{}]*|(\w+)(?:\.src)?\s*)\}/g,
    (whole, address, name) => {
      const picture = (address as string | undefined) ?? pictures.get(String(name));
      return picture === undefined ? whole : `="${picture}"`;
    },
  );
}

/** Attributes in HTML's form, without those that only a script could evaluate. */
function asHtml(written: string): string {
  return written
    .replace(
      /=\{\s*(?:"([^"{}]*)"|'([^'"{}]*)'|(\d+))\s*\}/g,
      (_, ...values: (string | undefined)[]) =>
        `="${values.find((one) => one !== undefined && typeof one === 'string') ?? ''}"`,
    )
    .replace(/\s[\w-]+=\{(?:\{[^{}]*\}|[^{}]*)\}/g, '')
    .replace(/\sclassName=/g, ' class=');
}

const mathsOrBrace = /\$\$[\s\S]*?\$\$|\$[^\s$](?:[^$\n]*[^\s$])?\$|[{}]/g;

/** Replaces `{expressions}` of MDX that are a text by the text. Keeps any other, and names it in a warning. */
export function readExpressions(text: string, context: TransformContext): string {
  const unsupported = new Set<string>();
  let read = '';
  let done = 0;
  let depth = 0;
  let start = 0;
  for (const { 0: sign, index } of text.matchAll(mathsOrBrace)) {
    if (sign === '{' && depth++ === 0) start = index;
    if (sign !== '}' || depth === 0 || --depth > 0) continue;
    const inner = context.verbatim.restore(text.slice(start + 1, index)).trim();
    const [, ...texts] = /^(?:"([^"]*)"|'([^']*)'|`([^`$]*)`)$/.exec(inner) ?? [];
    const literal = texts.find((candidate) => candidate !== undefined);
    // `## Heading {#id}`
    const isUnsupported = literal === undefined && !inner.startsWith('#') && inner !== '';
    if (isUnsupported) unsupported.add(`{${inner.slice(0, 60)}}`);
    read += text.slice(done, start) + (literal ?? text.slice(start, index + 1));
    done = index + 1;
  }
  warnUnsupported(unsupported, 'expression', context);
  return read + text.slice(done);
}
