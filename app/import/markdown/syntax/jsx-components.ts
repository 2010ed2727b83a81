import { embedTarget } from '#app/import/html/media-address.ts';
import { serviceAddress, type TagArguments } from '#app/import/html/service-address.ts';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import { codeRanges, isInside } from '#app/posts/markdown/addresses.ts';
import { argumentsOf, fence, pictureOf, type TransformContext } from './tag-values.ts';

/** What names of components add to the name of a service: `LiteYouTube`, `YouTubeEmbed`, `XPost`, `TwitterTweetEmbed`. */
const around = /lite|embed(?:ded)?|player|video|post|status|card|react|astro|github|[-_.]/g;
const services: Record<string, string> = { yt: 'youtube', twittertweet: 'tweet', tweettwitter: 'tweet' };
/** Components that show the page at an address. */
const showsPage = /embed|video|player|preview|iframe|frame|oembed/i;
/** Where films, posts and code are that sites embed. */
const embedded =
  /^(?:https?:)?\/\/(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|twitter\.com|x\.com|instagram\.com|gist\.github\.com|codepen\.io|codesandbox\.io|stackblitz\.com|spotify\.com|soundcloud\.com|bsky\.app|tiktok\.com|dailymotion\.com|twitch\.tv|loom\.com)\//i;

/** A component as Markdown: a picture, a film, a post, a link; null for any other. */
export function readComponent(name: string, { named }: TagArguments): string | null {
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
export function readPlayerElements(text: string): string {
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
