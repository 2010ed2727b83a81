import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { calloutKind, calloutMark } from './callouts.ts';
import { losesWidth } from './figures.ts';
import { embedTarget, pictureAddress, writtenTarget, gistAddress } from './media-address.ts';
import {
  attribute,
  classesOf,
  element,
  find,
  findAll,
  hasClass,
  isElement,
  replaceElements,
  textIn,
} from './nodes.ts';
import type { Verbatim } from './verbatim.ts';

/**
 * Converts what pages hold besides text: formulas become Markdown's, boxes become call-outs; forms and scripts are
 * removed.
 * @returns what is lost with them, in words
 */
export function resolveWidgets(tree: Root, verbatim: Verbatim): string[] {
  const lost = new Set<string>();
  replaceElements(tree, (node) => formula(node, verbatim) ?? box(node, verbatim) ?? machine(node, lost));
  return [...lost];
}

/** Formulas of KaTeX, MathJax and Substack, from the source in their markup. */
function formula(node: Element, verbatim: Verbatim): ElementContent[] | undefined {
  if (node.tagName === 'script' && /^math\/tex/i.test(attribute(node, 'type')))
    return mathOf(toString(node), verbatim, { isDisplay: /mode=display/i.test(attribute(node, 'type')) });
  if (hasClass(node, 'latex-rendered')) {
    const source = /"persistentExpression"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(attribute(node, 'dataAttrs'))?.[1];
    return source === undefined
      ? undefined
      : mathOf(String(JSON.parse(source)), verbatim, { isDisplay: true });
  }
  if (
    !['katex', 'katex-display', 'katex-mathml'].some((name) => hasClass(node, name)) &&
    node.tagName !== 'math'
  )
    return undefined;
  const source = find(node, (child) => child.tagName === 'annotation');
  const isDisplay = hasClass(node, 'katex-display') || attribute(node, 'display') === 'block';
  return source && mathOf(toString(source), verbatim, { isDisplay });
}

/** A formula that the site shows, as Markdown writes it. @param options.isDisplay a paragraph of its own */
export function mathOf(source: string, verbatim: Verbatim, { isDisplay = false } = {}): ElementContent[] {
  const formula = source.replace(/\s+/g, ' ').trim();
  if (formula === '') return [];
  return isDisplay
    ? [element('p', [verbatim.add(`$$ ${formula} $$`)])]
    : [{ type: 'text', value: verbatim.add(formula.includes('`') ? `$${formula}$` : `$\`${formula}\`$`) }];
}

const boxName =
  /^(?:alert|markdown-alert|notice|admonition|callout|message|wp-block-.*-(?:alert|notice))-+(\w+)$/;
const emojiKinds: Record<string, string> = {
  '💡': 'tip',
  ℹ: 'note',
  '📝': 'note',
  '⚠': 'warning',
  '❗': 'important',
  '🚨': 'caution',
  '🛑': 'caution',
};

/** Boxes of Ghost, GitHub, Bootstrap and others that name their kind. */
function box(node: Element, verbatim: Verbatim): ElementContent[] | undefined {
  if (!isElement(node, 'div', 'aside', 'section', 'p', 'blockquote')) return undefined;
  if (hasClass(node, 'kg-callout-card')) return ghostCallout(node, verbatim);
  const kind = classesOf(node)
    .map((name) => boxName.exec(name)?.[1] ?? '')
    .find((name) => calloutKind(name) !== null);
  if (kind === undefined) return undefined;
  const title = find(node, (child) => classesOf(child).some((name) => /(?:^|-)title$/.test(name)));
  const written = textIn(title);
  // GitHub's title is the name of the kind.
  const shownTitle = written.toLowerCase() === kind.toLowerCase() ? '' : written;
  if (title) replaceElements(node, (child) => (child === title ? [] : undefined));
  const inner = node.tagName === 'p' ? [element('p', node.children)] : node.children;
  return [element('blockquote', [element('p', [verbatim.add(calloutMark(kind, shownTitle))]), ...inner])];
}

function ghostCallout(card: Element, verbatim: Verbatim): ElementContent[] {
  const emojiNode = find(card, (child) => hasClass(child, 'kg-callout-emoji'));
  const text = find(card, (child) => hasClass(child, 'kg-callout-text'));
  const emoji = textIn(emojiNode);
  const colour = classesOf(card).find((name) => name.startsWith('kg-callout-card-'));
  const byColour = {
    'kg-callout-card-red': 'caution',
    'kg-callout-card-yellow': 'warning',
    'kg-callout-card-green': 'tip',
  };
  const byEmoji = emojiKinds[emoji.replace(/\uFE0F/g, '')];
  const kind = byEmoji ?? byColour[colour as keyof typeof byColour] ?? 'note';
  const shown = emoji === '' || byEmoji !== undefined ? [] : [`${emoji} `];
  const words = text ? text.children : card.children.filter((child) => child !== emojiNode);
  const isBlocks = words.some((child) => isElement(child, 'p', 'ul', 'ol'));
  const content = isBlocks && shown.length === 0 ? words : [element('p', [...shown, ...words])];
  return [element('blockquote', [element('p', [verbatim.add(calloutMark(kind))]), ...content])];
}

/** Scripts that only style parts of the text. */
const stylingScripts =
  /(?:platform\.(?:twitter|x|instagram)\.com|instagram\.com\/embed|connect\.facebook\.net|tiktok\.com\/embed|embed\.bsky\.app|static\.codepen\.io|cpwebassets|redditmedia|embed\.js|widgets?\.js)/i;

function machine(node: Element, lost: Set<string>): ElementContent[] | undefined {
  const { tagName } = node;
  if (hasClass(node, 'kg-signup-card')) return drop('The signup card was left out.', lost);
  if (hasClass(node, 'kg-transistor-card')) return drop('The Transistor card was left out.', lost);
  if (tagName === 'form') {
    const isSearch = attribute(node, 'role') === 'search';
    return isSearch ? [] : drop('A form was left out.', lost);
  }
  if (frames.has(tagName) && embedTarget(writtenTarget(node)) === null)
    return drop('An embed without an address was left out.', lost);
  if (tagName === 'img' && pictureAddress(node) === '')
    return drop('A picture without an address was left out.', lost);
  if (tagName === 'figure' && losesWidth(node))
    lost.add('A wide picture with a link became as wide as the text.');
  if (tagName !== 'script') return undefined;
  const source = attribute(node, 'src');
  const [, gist, file] =
    /^(?:https?:)?\/\/gist\.github\.com\/([\w-]+\/\w+)\.js(?:\?file=([^&#]+))?/i.exec(source) ?? [];
  if (gist !== undefined) {
    const address = gistAddress(gist, file);
    return [element('p', [element('a', [address], { href: address })])];
  }
  const type = attribute(node, 'type');
  const isData = type !== '' && !/javascript|module/i.test(type);
  if (isData || stylingScripts.test(source)) return [];
  return drop(
    source === '' ? 'A script was left out.' : `The script ${source.slice(0, 200)} was left out.`,
    lost,
  );
}

const frames = new Set(['iframe', 'embed', 'object', 'video', 'audio']);

function drop(message: string, lost: Set<string>): ElementContent[] {
  lost.add(message);
  return [];
}

/** Cards of Ghost with a picture, a text and a button, as those three. */
export function wordsCard(node: Element): ElementContent[] | undefined {
  const kind = ['header', 'product', 'cta', 'button'].find((name) => hasClass(node, `kg-${name}-card`));
  if (kind === undefined) return undefined;
  const picture = find(node, (child) => child.tagName === 'img');
  const heading = find(node, (child) =>
    /kg-(?:header-card-heading|product-card-title)\b/.test(classesOf(child).join(' ')),
  );
  const textName =
    /^kg-(?:header-card-subhead(?:ing|er)|product-card-description|cta-(?:sponsor-label|text))$/;
  const texts = findAll(node, (child) => classesOf(child).some((name) => textName.test(name)));
  const stars = findAll(node, (child) => hasClass(child, 'kg-product-card-rating-active')).length;
  const buttons = findAll(
    node,
    (child) =>
      child.tagName === 'a' &&
      (kind === 'button' || classesOf(child).some((name) => /button|kg-btn/.test(name))),
  );
  const paragraph = (children: (ElementContent | string)[]) => element('p', children);
  return [
    ...(picture ? [paragraph([picture])] : []),
    ...(heading && textIn(heading) !== '' ? [element('h3', heading.children)] : []),
    ...(stars > 0 ? [paragraph([`${'★'.repeat(stars)}${'☆'.repeat(Math.max(0, 5 - stars))}`])] : []),
    ...texts.flatMap((text) =>
      find(text, (child) => /^(p|ul|ol|h[1-6])$/.test(child.tagName))
        ? text.children
        : [paragraph(text.children)],
    ),
    ...buttons
      .filter((link) => textIn(link) !== '')
      .map((link) => paragraph([element('a', [textIn(link)], { href: attribute(link, 'href') })])),
  ];
}
