import type { Element, Root } from 'hast';
import * as z from 'zod';
import { attribute, replaceElements, textNode } from '#app/import/html/nodes.ts';
import { htmlToMarkdown } from '#app/import/html/to-markdown.ts';
import type { Verbatim } from '#app/import/html/verbatim.ts';
import { parseJson } from '#app/platform/json.ts';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';

const stored = z.array(z.object({ id: z.string().min(1), content: z.string() }));
const shortcodes = /\[(efn_note|footnote|mfn|fn)(?:\s[^[\]]*)?\]/gi;

/** The footnotes of a post: those of its block, which WordPress keeps beside the text, and those of shortcodes. */
export class Footnotes {
  /** HTML by id. */
  private readonly notes = new Map<string, string>();
  private readonly numbers = new Map<string, number>();

  /** @param meta JSON, as the field `footnotes` of a post has it */
  constructor(meta: string | undefined) {
    if (meta === undefined) return;
    const parsed = stored.safeParse(parseJson(meta));
    for (const { id, content } of parsed.data ?? []) this.notes.set(id, content);
  }

  /** The text with references of the block's form instead of shortcodes. */
  takeShortcodes(html: string): string {
    return replacePairs(
      html,
      shortcodes,
      ([, name]) => new RegExp(String.raw`\[/${name}\]`, 'gi'),
      (_, inner) => {
        const id = `shortcode ${this.notes.size}`;
        this.notes.set(id, inner);
        return `<sup data-fn="${id}"></sup>`;
      },
    );
  }

  /** Replaces the text's references to notes by Markdown's. */
  refer(tree: Root, verbatim: Verbatim): void {
    replaceElements(tree, (node) => {
      const id = node.tagName === 'sup' ? noteOf(node) : '';
      if (!this.notes.has(id)) return undefined;
      const number = this.numbers.get(id) ?? this.numbers.size + 1;
      this.numbers.set(id, number);
      return [textNode(verbatim.add(`[^${number}]`))];
    });
  }

  /** The notes that the text refers to, as Markdown has them below it. */
  markdown(): string {
    return [...this.numbers]
      .map(([id, number]) => {
        const note = htmlToMarkdown(this.notes.get(id)!).markdown.replace(/\n(?=[^\n])/g, '\n    ');
        return `\n\n[^${number}]: ${note}`;
      })
      .join('');
  }

  get isEmpty(): boolean {
    return this.numbers.size === 0;
  }
}

function noteOf(node: Element): string {
  return attribute(node, 'dataFn');
}
