import type { Root, ElementContent, Parents } from 'hast';
import { toString } from 'hast-util-to-string';
import * as z from 'zod';
import { liftBlocks } from '#app/import/html/clean.ts';
import {
  attribute,
  replaceElements,
  textNode,
  classesOf,
  element,
  find,
  isBlank,
  isElement,
} from '#app/import/html/nodes.ts';
import { htmlToMarkdown, type ConvertedHtml } from '#app/import/html/to-markdown.ts';
import type { Verbatim } from '#app/import/html/verbatim.ts';
import { mathOf } from '#app/import/html/widgets.ts';
import { parseJson } from '#app/platform/json.ts';
import { contentOf } from '#app/platform/text/hast.ts';
import { replacePairs } from '#app/platform/text/replace-pairs.ts';
import { Attachments } from './attachments.ts';
import { expandShortcodes, keepShortcodes } from './shortcodes.ts';

const stored = z.array(z.object({ id: z.string().min(1), content: z.string() }));
const shortcodes = /\[(efn_note|footnote|mfn|fn)(?:\s[^[\]]*)?\]/gi;

/** The footnotes of a post: those of its block, which WordPress keeps beside the text, and those of shortcodes. */
class Footnotes {
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
      const id = node.tagName === 'sup' ? attribute(node, 'dataFn') : '';
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

/** What a text refers to. */
interface WordpressText {
  attachments: Attachments;
  /** HTML of blocks that several posts share, by their numbers. */
  sharedBlocks: ReadonlyMap<string, string>;
  /** The number of the post. */
  postId: string;
  /** JSON of the post's field `footnotes`. */
  footnotes: string | undefined;
}

const nothing: WordpressText = {
  attachments: new Attachments(),
  sharedBlocks: new Map(),
  postId: '',
  footnotes: undefined,
};

/**
 * A post's content as WordPress stores it, as Markdown: blocks of Gutenberg, or the classic editor's text, in which
 * blank lines separate paragraphs.
 * @throws AppError `invalid_input` for HTML that cannot be read.
 */
export function wordpressToMarkdown(written: string, about: Partial<WordpressText> = {}): ConvertedHtml {
  const { attachments, sharedBlocks, postId, footnotes } = { ...nothing, ...about };
  const content = withSharedBlocks(written, sharedBlocks);
  const isBlocks = content.includes('<!-- wp:');
  const notes = new Footnotes(footnotes);
  const warnings: string[] = [];
  const html = notes.takeShortcodes(expandShortcodes(content.replace(/\r\n?/g, '\n'), attachments, postId));
  const converted = htmlToMarkdown(html, (tree, verbatim) => {
    notes.refer(tree, verbatim);
    if (html.includes('$latex')) showFormulas(tree, verbatim);
    liftBlocks(tree, { hasBlankLines: !isBlocks });
    makeParagraphs(tree, { isClassic: !isBlocks });
    partPictures(tree);
    for (const name of keepShortcodes(tree, verbatim))
      warnings.push(`The shortcode [${name}] is kept as text.`);
    linkLoneAddresses(tree);
  });
  const dynamic = dynamicBlocks(content, notes).map(
    (name) => `The block “${name}” is filled in by WordPress and was left out.`,
  );
  return {
    markdown: converted.markdown + notes.markdown(),
    warnings: [...dynamic, ...warnings, ...converted.warnings],
  };
}

/** Replaces `$latex x^2 &s=1$` of WordPress.com. After the last sign are sizes and colours. */
function showFormulas(parent: Parents, verbatim: Verbatim): void {
  parent.children = contentOf(parent).flatMap((node): ElementContent[] => {
    if (isElement(node) && !isElement(node, 'pre', 'code')) showFormulas(node, verbatim);
    if (node.type !== 'text') return [node];
    return node.value.split(/\$latex\s([^$]+)\$/).flatMap((part, index) => {
      if (index % 2 === 0) return [textNode(part)];
      return mathOf(part.replace(/(?:\s*&(?:s|bg|fg)=[-\w]+)+\s*$/, ''), verbatim);
    });
  });
}

/** Blocks may hold others, three deep. */
function withSharedBlocks(content: string, shared: ReadonlyMap<string, string>, depth = 0): string {
  if (shared.size === 0 || depth === 3) return content;
  return content.replace(/<!-- wp:block \{[^<>]*?"ref":(\d+)[^<>]*\/-->/g, (whole, id: string) => {
    const block = shared.get(id);
    return block === undefined ? whole : withSharedBlocks(block, shared, depth + 1);
  });
}

/** Replaces blocks without content. WordPress writes no `>` into their settings. */
function dynamicBlocks(content: string, notes: Footnotes): string[] {
  const names = [...content.matchAll(/<!-- wp:([\w/-]+)\s[^<>]*\/-->/g)].map(([, name]) => name!);
  return [...new Set(names)].filter(
    (name) =>
      !/^(core\/)?(spacer|more|nextpage|separator)$/.test(name) && !(name === 'footnotes' && !notes.isEmpty),
  );
}

const blocks = new Set(
  (
    'address article aside blockquote center details div dl dd dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr iframe ' +
    'li main nav noscript ol p pre script section style table ul video audio'
  ).split(' '),
);
const containers = new Set(['div', 'blockquote', 'section', 'article', 'center', 'main', 'aside']);

/**
 * Formats the classic editor's text as WordPress does when it shows a page: blank lines separate paragraphs, single
 * line ends become breaks.
 */
function makeParagraphs(parent: Parents, options: { isClassic: boolean }): void {
  const made: ElementContent[] = [];
  let run: ElementContent[] = [];
  const endRun = () => {
    if (run.some((node) => !isBlank(node)))
      for (const paragraph of paragraphsOf(run, options)) made.push(paragraph);
    run = [];
  };
  for (const node of contentOf(parent)) {
    if (isElement(node) && blocks.has(node.tagName)) {
      endRun();
      if (options.isClassic && containers.has(node.tagName) && toString(node).includes('\n\n'))
        makeParagraphs(node, options);
      made.push(node);
    } else if (node.type !== 'comment') run.push(node);
    // A comment of Gutenberg ends a paragraph, and so does the end of a page.
    else if (/^\s*(?:\/?wp:|more|nextpage)/.test(node.value)) endRun();
  }
  endRun();
  parent.children = made;
}

function paragraphsOf(run: ElementContent[], { isClassic }: { isClassic: boolean }): ElementContent[] {
  const paragraphs: ElementContent[][] = [[]];
  for (const node of run) {
    if (node.type !== 'text') {
      paragraphs.at(-1)!.push(node);
      continue;
    }
    for (const [index, part] of node.value.split(/\n[ \t]*\n\s*/).entries()) {
      if (index > 0) paragraphs.push([]);
      const paragraph = paragraphs.at(-1)!;
      // Not as arguments of one call: their number is limited, that of lines isn't.
      for (const piece of isClassic ? withBreaks(part, paragraph) : [textNode(part)]) paragraph.push(piece);
    }
  }
  return paragraphs
    .filter((nodes) => nodes.some((node) => !isBlank(node)))
    .map((nodes) => element('p', withoutOuterBreaks(nodes)));
}

function withBreaks(text: string, before: ElementContent[]): ElementContent[] {
  const lines = text.split('\n');
  // A typed break is before its line end.
  if (isElement(before.at(-1), 'br') && lines[0]!.trim() === '') lines.shift();
  return lines.flatMap((line, index): ElementContent[] =>
    index === 0 ? [textNode(line)] : [element('br'), textNode(line)],
  );
}

function withoutOuterBreaks(nodes: ElementContent[]): ElementContent[] {
  const isEmpty = (node: ElementContent) => isElement(node, 'br') || isBlank(node);
  const first = nodes.findIndex((node) => !isEmpty(node));
  const last = nodes.findLastIndex((node) => !isEmpty(node));
  return nodes.slice(first, last + 1);
}

/** A picture that the text flows around, at the beginning of a paragraph, gets a paragraph of its own. */
function partPictures(parent: Parents): void {
  parent.children = contentOf(parent).flatMap((node) => {
    if (!isElement(node) || node.tagName === 'pre') return [node];
    if (node.tagName !== 'p') {
      partPictures(node);
      return [node];
    }
    const first = node.children.findIndex((child) => !isBlank(child) && !isElement(child, 'br'));
    const rest = withoutOuterBreaks(node.children.slice(first + 1));
    if (first < 0 || rest.length === 0 || !isAligned(node.children[first])) return [node];
    return [element('p', [node.children[first]!]), { ...node, children: rest }];
  });
}

function isAligned(node: ElementContent | undefined): boolean {
  if (!isElement(node, 'img', 'a')) return false;
  const image = node.tagName === 'img' ? node : find(node, ({ tagName }) => tagName === 'img');
  return image !== undefined && classesOf(image).some((name) => /^align(left|right|center|none)$/.test(name));
}

/** An address that has a paragraph for itself is an embed to WordPress; here it is a link. */
function linkLoneAddresses(tree: Root): void {
  const visit = (parent: Parents): void => {
    for (const node of parent.children) {
      if (!isElement(node)) continue;
      const only = node.children.length === 1 ? node.children[0]! : null;
      const address = only?.type === 'text' ? /^\s*(https?:\/\/\S+)\s*$/.exec(only.value)?.[1] : undefined;
      if (node.tagName === 'p' && address !== undefined)
        node.children = [element('a', [address], { href: address })];
      else visit(node);
    }
  };
  visit(tree);
}
