import type { Parents } from 'hast';
import { escapeHtml } from '../html-cards.ts';
import { isElement, textNode } from '../html-nodes.ts';
import type { Verbatim } from '../verbatim.ts';

/** What an attachment's id stands for. */
export type Attachments = ReadonlyMap<string, { url: string; alt: string }>;

const codeNames = 'code|sourcecode|php|css|html|js|javascript|python|ruby|sql|xml|bash|cc|java|csharp';
const codeBlocks = new RegExp(String.raw`\[(${codeNames})(\s[^\]]*)?\]([\s\S]*?)\[\/\1\]`, 'gi');
const untouched = /(<pre[\s>][\s\S]*?<\/pre>|<code[\s>][\s\S]*?<\/code>)/i;

/** The shortcodes of WordPress itself as the HTML that they stand for: captions, galleries, embeds, players, code. */
export function expandShortcodes(html: string, attachments: Attachments): string {
  return html
    .split(untouched)
    .map((part, index) => (index % 2 === 1 ? part : expand(part, attachments)))
    .join('');
}

function expand(html: string, attachments: Attachments): string {
  if (!html.includes('[')) return html;
  return html
    .replace(codeBlocks, (_, name: string, attributes: string | undefined, code: string) => {
      const written = attributesOf(attributes ?? '');
      const language = (written.language ?? written.lang ?? (/code$/i.test(name) ? '' : name)).toLowerCase();
      const escaped = code
        .replace(/^\r?\n/, '')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;');
      return `<pre><code class="language-${language.replace(/[^\w+#.-]/g, '') || 'text'}">${escaped}</code></pre>`;
    })
    .replace(
      /\[(wp_caption|caption)(\s[^\]]*)?\]([\s\S]*?)\[\/\1\]/gi,
      (_, _name, attributes: string | undefined, content: string) => {
        const [, picture, text] = /^\s*((?:<a[\s>][\s\S]*?<\/a>|<img[^>]*>))([\s\S]*)$/i.exec(content) ?? [];
        if (picture === undefined) return content;
        const caption = text!.trim() || escapeHtml(attributesOf(attributes ?? '').caption ?? '');
        return `\n\n<figure>${picture}<figcaption>${caption}</figcaption></figure>\n\n`;
      },
    )
    .replace(/\[embed(?:\s[^\]]*)?\]\s*(https?:\/\/[^\s<[]+)\s*\[\/embed\]/gi, '\n\n$1\n\n')
    .replace(
      /\[(video|audio)(\s[^\]]*)\](?:\s*\[\/\1\])?/gi,
      (whole: string, kind: string, attributes: string) => {
        const address = Object.values(attributesOf(attributes)).find((value) =>
          /^(https?:)?\/\S+\.\w+/.test(value),
        );
        return address === undefined
          ? whole
          : `\n\n<${kind.toLowerCase()} src="${quoted(address)}"></${kind.toLowerCase()}>\n\n`;
      },
    )
    .replace(/\[gallery(\s[^\]]*)?\]/gi, (whole: string, attributes: string | undefined) => {
      const ids = (attributesOf(attributes ?? '').ids ?? '').split(',').map((id) => id.trim());
      const pictures = ids.flatMap((id) => attachments.get(id) ?? []);
      if (pictures.length === 0) return whole;
      return `\n\n<figure>${pictures.map(({ url, alt }) => `<img src="${quoted(url)}" alt="${quoted(alt)}">`).join('')}</figure>\n\n`;
    });
}

function attributesOf(written: string): Record<string, string> {
  const plain = written.replace(/&(?:quot|#8220|#8221|#8243);/g, '"');
  const pairs = [...plain.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))/g)];
  return Object.fromEntries(pairs.map(([, name, a, b, c]) => [name!.toLowerCase(), a ?? b ?? c ?? '']));
}

function quoted(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

const shortcode = /\[\/?([a-z][\w-]*)((?:\s[^[\]]*)?)(\/?)\]/gi;

/**
 * Keeps the shortcodes of plug-ins as they were typed, outside of code.
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
      parent.children[index] = textNode(
        text.replace(shortcode, (whole: string, name: string, attributes: string, slash: string) => {
          const isMeant =
            isAlone ||
            attributes.includes('=') ||
            slash !== '' ||
            /[_-]/.test(name) ||
            text.includes(`[/${name}]`);
          if (!isMeant) return whole;
          names.add(name);
          return verbatim.add(whole);
        }),
      );
    }
  };
  keepInside(tree);
  return [...names];
}

// A word in brackets may be just that (“[sic]”), but not when it is the whole paragraph.
const shortcodeAlone = /^\s*\[[a-z][\w-]*\]\s*$/i;
