import { codeRanges } from '#app/posts/markdown/addresses.ts';
import { pictureOf, type TransformContext } from './tag-values.ts';

/** The name of a block, after it or on a line of its own. */
const blockName = /(^|[ \t])\^([\w-]+)[ \t]*$/gm;

/** Obsidian's `[[links]]`, `![[pictures]]`, `==marks==` and `%%comments%%` as Markdown. */
export function readWikiLinks(text: string, context: TransformContext): string {
  return text
    .replace(/%%[\s\S]*?%%/g, '')
    .replace(blockName, '$1<a id="$2"></a>')
    .replace(/==(?=\S)([^=\n]+?)(?<=\S)==/g, '<mark>$1</mark>')
    .replace(/!\[\[([^[\]|#\n]+)(?:#[^[\]|\n]*)?(?:\|([^[\]\n]*))?\]\]/g, (_, target: string, label = '') => {
      const file = context.fileNamed(target.trim());
      // The size of a picture may be after its description, or alone.
      const alt = String(label).replace(/(?:^|\|)\d+(x\d+)?$/, '');
      if (file !== null) return pictureOf({ src: file, alt });
      return linkOr(context.postNamed(target), String(label) || target, target, context);
    })
    .replace(
      /\[\[([^[\]|#\n]*)(#[^[\]|\n]*)?(?:\|([^[\]\n]*))?\]\]/g,
      (_, target: string, heading = '', label) => {
        const shown = (label as string | undefined) || target || String(heading).slice(1);
        if (target === '') return `[${shown}](#${anchorOf(String(heading))})`;
        const address = context.postNamed(target);
        const anchor = String(heading) === '' ? '' : `#${anchorOf(String(heading))}`;
        return linkOr(address && address + anchor, shown, target, context);
      },
    );
}

/** The tags in a text: `#sea`, `#sea/boats`. A number is not a tag, and code has no tags. */
export function tagsIn(text: string): string[] {
  const code = codeRanges(text);
  const tags = [...text.matchAll(/(?<=^|\s|(?<!\])\()#(?=[^\s#]*[\p{L}_])([\p{L}\p{N}\p{M}_/-]+)/gmu)].filter(
    ({ index }) => !code.some(([from, to]) => from <= index && index < to),
  );
  return [...new Set(tags.map(([, name]) => name!.replace(/\/+$/, '')))];
}

function linkOr(address: string | null, label: string, target: string, { warn }: TransformContext): string {
  if (address !== null) return `[${label}](${address})`;
  warn(`The link to “${target}” leads to no file of the folder; its text stays.`);
  return label;
}

function anchorOf(heading: string): string {
  return heading
    .replace(/^[#^\s]+/, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
}
