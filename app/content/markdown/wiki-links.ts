import { pictureOf, type TransformContext } from './tag-values.ts';

/** Obsidian's `[[links]]`, `![[pictures]]`, `==marks==` and `%%comments%%` as Markdown. */
export function readWikiLinks(text: string, context: TransformContext): string {
  return text
    .replace(/%%[\s\S]*?%%/g, '')
    .replace(/==(?=\S)([^=\n]+?)(?<=\S)==/g, '<mark>$1</mark>')
    .replace(/!\[\[([^[\]|#\n]+)(?:#[^[\]|\n]*)?(?:\|([^[\]\n]*))?\]\]/g, (_, target: string, label = '') => {
      const file = context.fileNamed(target.trim());
      // The size of a picture may stand behind its description, or alone.
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

function linkOr(address: string | null, label: string, target: string, { warn }: TransformContext): string {
  if (address !== null) return `[${label}](${address})`;
  warn(`The link to “${target}” leads to no file of the folder; its text stays.`);
  return label;
}

function anchorOf(heading: string): string {
  return heading
    .replace(/^#+/, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
}
