import type { Parents } from 'hast';
import { toHtmlLine } from '#app/import/html/cards.ts';
import { isElement, textNode } from '#app/import/html/nodes.ts';
import { serviceAddress, youTubeAddress } from '#app/import/html/service-address.ts';
import { Verbatim } from '#app/import/html/verbatim.ts';
import { isImageName } from '#app/import/media/library-names.ts';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import type { Attachment, Attachments } from './attachments.ts';
import { expandCodeShortcodes } from './code-shortcodes.ts';
import { attributesOf } from './shortcode-attributes.ts';

const services =
  /\[(youtube|vimeo|dailymotion|soundcloud|spotify|ted|gist|tweet|instagram|flickr|wpvideo|videopress)([\s=][^[\]]*)?\]/gi;

const codeOpening = /<(pre|code)[\s>]/gi;

/**
 * Replaces the shortcodes of WordPress itself, of WordPress.com and of highlighters by HTML: captions, galleries, embeds,
 * players, code.
 * @param postId the post's id in WordPress. A gallery that names no pictures shows those of this post.
 */
export function expandShortcodes(html: string, attachments: Attachments, postId: string): string {
  const verbatim = new Verbatim();
  const withoutCode = replacePairs(
    expandCodeShortcodes(verbatim.without(html)),
    codeOpening,
    ([, name]) => new RegExp(`</${name}>`, 'gi'),
    ([open], inner, [close]) => verbatim.add(open + inner + close),
  );
  return verbatim.restore(expand(withoutCode, attachments, postId));
}

const captions = /\[(wp_caption|caption)(\s[^[\]]*)?\]/gi;

function expand(html: string, attachments: Attachments, postId: string): string {
  if (!html.includes('[')) return html;
  return (
    replacePairs(
      expandServices(html),
      captions,
      ([, name]) => new RegExp(String.raw`\[/${name}\]`, 'gi'),
      ([, , attributes], inner) => figureOf(inner, attributes ?? ''),
    )
      .replace(/\[embed(?:\s[^[\]]*)?\]\s*(https?:\/\/[^\s<[]+)\s*\[\/embed\]/gi, '\n\n$1\n\n')
      .replace(
        /\[(video|audio)(\s[^[\]]*)\](?:\s*\[\/\1\])?/gi,
        (whole: string, kind: string, attributes: string) => {
          // `[audio https://x.example/a.mp3|titles=A]` was the form of WordPress.com.
          const bare = /^\s+(https?:\/\/[^\s|]+)/.exec(attributes)?.[1];
          const address =
            bare ??
            Object.values(attributesOf(attributes)).find((value) => /^(https?:)?\/\S+\.\w+/.test(value));
          return address === undefined
            ? whole
            : `\n\n<${kind.toLowerCase()} src="${escapeAttribute(address)}"></${kind.toLowerCase()}>\n\n`;
        },
      )
      // A formula, as `$latex x$`. On several lines it is code, and is so by now.
      .replace(/\[latex(?:\s[^[\]]*)?\]([^$\n]{1,2000}?)\[\/latex\]/gi, '$$latex $1$$')
      .replace(/\[gallery(\s[^[\]]*)?\]/gi, (whole: string, attributes: string | undefined) => {
        const pictures = picturesOf(attributesOf(attributes ?? ''), attachments, postId);
        return pictures.length === 0
          ? whole
          : `\n\n<figure>${pictures.map(pictureHtml).join('')}</figure>\n\n`;
      })
  );
}

/** A figure of the picture in a caption's content, and the caption. The picture may be in a link, paragraph or figure. */
function figureOf(content: string, attributes: string): string {
  const bare = content.replace(/^(?:\s|<br\s*\/?>|<\/?(?:p|div|figure)(?:\s[^<>]*)?>)+/i, '');
  const [, picture, rest] = /^((?:<a[\s>][\s\S]*?<\/a>|<img[^<>]*>))([\s\S]*)$/i.exec(bare) ?? [];
  if (picture === undefined) return content;
  const written = rest!
    .replace(/<\/?(?:p|div|figure|figcaption)(?:\s[^<>]*)?>/gi, ' ')
    .replace(/<br\s*\/?>/gi, ' ');
  const caption = written.trim() || toHtmlLine(attributesOf(attributes).caption ?? '');
  return `\n\n<figure>${picture}<figcaption>${caption}</figcaption></figure>\n\n`;
}

/** The pictures that a gallery names by id, else those of its post. */
function picturesOf(
  attributes: Record<string, string>,
  attachments: Attachments,
  postId: string,
): Attachment[] {
  const listOf = (name: string) => attributes[name]?.split(',').map((id) => id.trim());
  const named = listOf('ids') ?? listOf('include');
  if (named) return named.flatMap((id) => attachments.get(id) ?? []);
  const excluded = listOf('exclude') ?? [];
  return attachments
    .of(attributes.id ?? postId)
    .filter(({ id, url }) => !excluded.includes(id) && isImageName(url));
}

function pictureHtml({ url, alt, caption }: Attachment): string {
  const image = `<img src="${escapeAttribute(url)}" alt="${escapeAttribute(alt)}">`;
  return `<figure>${image}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

const shortcode = /\[\/?([a-z][\w-]*)((?:\s[^[\]]*)?)(\/?)\]/gi;

/**
 * Keeps the shortcodes of plug-ins, which nothing here can expand, as they were typed, except in code.
 * @returns their names, each once
 */
export function keepShortcodes(tree: Parents, verbatim: Verbatim): string[] {
  const names = new Set<string>();
  const keepInside = (parent: Parents): void => {
    for (const [index, node] of parent.children.entries()) {
      if (isElement(node) && !['pre', 'code'].includes(node.tagName)) keepInside(node);
      if (node.type !== 'text' || !node.value.includes('[')) continue;
      const isAlone = parent.children.length === 1 && shortcodeAlone.test(node.value);
      const text = node.value;
      const closed = new Set([...text.matchAll(/\[\/([a-z][\w-]*)\]/gi)].map(([, name]) => name));
      parent.children[index] = textNode(
        text.replace(shortcode, (whole: string, name: string, attributes: string, slash: string) => {
          const isShortcode =
            isAlone || attributes.includes('=') || slash !== '' || /[_-]/.test(name) || closed.has(name);
          if (!isShortcode) return whole;
          names.add(name);
          return verbatim.add(whole);
        }),
      );
    }
  };
  keepInside(tree);
  return [...names];
}

// A word in brackets may be ordinary text (“[sic]”). When it is the whole paragraph, it is a shortcode.
const shortcodeAlone = /^\s*\[[a-z][\w-]*\]\s*$/i;

/** Replaces shortcodes of WordPress.com and Jetpack by addresses in separate paragraphs, which are embeds. */
function expandServices(html: string): string {
  return html.replace(services, (whole: string, name: string, written = '') => {
    const address = addressOf(name.toLowerCase(), written as string);
    return address === null ? whole : `\n\n${address.replaceAll('&', '&amp;')}\n\n`;
  });
}

/** @param written what follows the name: `=https://…`, ` 123 w=640`, ` url="…"` */
function addressOf(name: string, written: string): string | null {
  const text = written.replaceAll('&amp;', '&').replaceAll('&#038;', '&');
  const [url] = /https?:\/\/[^\s"'<\]]+/.exec(text) ?? [];
  const film = /(?:[?&]v=|youtu\.be\/|\/embed\/)([\w-]{6,})/.exec(url ?? '')?.[1];
  if (name === 'youtube' && film !== undefined) return youTubeAddress(film);
  // What follows the first `&` are the player's settings.
  if (url !== undefined) return name === 'vimeo' ? url.replace(/&.*/, '') : url;
  const named = attributesOf(text);
  const [first = ''] = /^[\s=]*([\w-]+)(?=[\s&]|$)/.exec(text)?.slice(1) ?? [];
  const id = named.id ?? first;
  if (id === '') return null;
  if (name === 'dailymotion') return `https://www.dailymotion.com/video/${id}`;
  if (name === 'wpvideo' || name === 'videopress') return `https://videopress.com/v/${id}`;
  return serviceAddress(name, { named, plain: [id] });
}
