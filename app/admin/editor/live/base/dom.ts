import type { Element as Mark, MarkdownParser } from '@lezer/markdown';
import { isForInputMethod } from '#app/ui/keys.ts';
import { pageMarkdown } from './page-markdown.ts';
import { isForPage } from './tools.ts';

const parser = pageMarkdown.parser as MarkdownParser;
const elements: Record<string, string> = {
  StrongEmphasis: 'strong',
  Emphasis: 'em',
  Strikethrough: 'del',
  InlineCode: 'code',
  Link: 'u',
  Autolink: 'u',
};
/** Parts that the page does not show. */
const hidden = /^(?:EmphasisMark|StrikethroughMark|CodeMark|LinkMark|LinkTitle|LinkLabel)$/;

/** An element with attributes and content. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

/** One line of Markdown as the page shows it: emphasis, code, links and escaped characters without their marks. */
function inlineDom(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  append(fragment, { text, marks: parser.parseInline(text, 0), from: 0, to: text.length });
  return fragment;
}

interface Part {
  text: string;
  marks: readonly Mark[];
  from: number;
  to: number;
}

function append(parent: Node, { text, marks, from, to }: Part): void {
  let at = from;
  for (const mark of marks) {
    parent.appendChild(document.createTextNode(text.slice(at, mark.from)));
    at = mark.to;
    appendMark(parent, text, mark);
  }
  parent.appendChild(document.createTextNode(text.slice(at, to)));
}

function appendMark(parent: Node, text: string, mark: Mark): void {
  const name = nameOf(mark);
  const { from, to, children } = mark as Mark & { children: readonly Mark[] };
  const isLink = name === 'Link' || name === 'Autolink';
  const hasAddress = children.some((child) => nameOf(child) === 'URL');
  if (hidden.test(name) || (name === 'URL' && nameOfLink(parent) === 'Link')) return;
  if (name === 'Escape') parent.appendChild(document.createTextNode(text.slice(from + 1, to)));
  // Brackets without an address are plain text.
  else if (elements[name] && (!isLink || hasAddress)) {
    const shown = document.createElement(elements[name]);
    if (isLink) shown.dataset.link = name;
    append(shown, { text, marks: children, from, to });
    parent.appendChild(shown);
  } else parent.appendChild(document.createTextNode(text.slice(from, to)));
}

function nameOf({ type }: Mark): string {
  return parser.nodeSet.types[type]!.name;
}

function nameOfLink(parent: Node): string | undefined {
  return parent instanceof HTMLElement ? parent.dataset.link : undefined;
}

/**
 * Shows the words of a field as the page does, without their marks, until somebody types there. The style sheet puts them
 * over the field, which keeps its text.
 */
export function showMarks(frame: HTMLElement, words: string): void {
  if (frame.dataset.markdown === words) return;
  frame.dataset.markdown = words;
  const shown = inlineDom(words);
  const isMarked = shown.textContent !== words || shown.querySelector('*') !== null;
  frame.querySelector('.md-shown')?.remove();
  frame.classList.toggle('md-marked', isMarked);
  if (!isMarked) return;
  frame.append(element('span', { class: 'md-shown', 'aria-hidden': 'true', dir: 'auto' }, shown));
}

/** A frame around a one-line field that shows its words as the page does. */
export function framed(field: HTMLInputElement): HTMLElement {
  const frame = element('span', { class: 'md-words' }, field);
  showMarks(frame, field.value);
  field.addEventListener('blur', () => showMarks(frame, field.value));
  return frame;
}

/** A button inside the text. @param options.keepsFocus a click does not move the focus to it */
export function button(
  label: string,
  onClick: () => void,
  options: { name?: string; keepsFocus?: boolean } = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', class: 'small' });
  // The title is the name. With an `aria-label` too, screen readers would say the name twice.
  made.append(options.name ? element('span', { 'aria-hidden': 'true' }, label) : label);
  if (options.name) made.title = options.name;
  if (options.keepsFocus) made.onpointerdown = (event) => event.preventDefault();
  made.onclick = onClick;
  return made;
}

/** Shows a value in a field, unless somebody is typing there. */
export function showValue(field: HTMLInputElement, value: string): void {
  if (field === document.activeElement || field.value === value) return;
  field.value = value;
  const frame = field.parentElement;
  if (frame?.classList.contains('md-words')) showMarks(frame, value);
}

/**
 * A one-line field inside the text. Each change is written into the text at once, and the page's shortcuts still work.
 * @param onLast called after Esc, and after Enter in the last field of a block; elsewhere Enter moves to the next field
 */
export function input(
  label: string,
  value: string,
  { onChange, onLast }: { onChange: (value: string) => void; onLast: () => void },
): HTMLInputElement {
  const field = element('input', { type: 'text', placeholder: label, 'aria-label': label });
  field.value = value;
  let last = value;
  const report = () => {
    const now = field.value.replace(/\s+/g, ' ').trim();
    if (now !== last) onChange(now);
    last = now;
  };
  field.onfocus = () => (last = field.value);
  field.oninput = (event: Event) => {
    if (!(event as InputEvent).isComposing) report();
  };
  field.addEventListener('compositionend', report);
  field.onchange = report;
  field.onkeydown = (event) => {
    if (!isForPage(event)) event.stopPropagation();
    if (isForInputMethod(event)) return;
    if (event.key === 'Escape') return onLast();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const block = field.closest('.md-figure, .md-gallery')!;
    const fields = [...block.querySelectorAll<HTMLInputElement>('input[type=text]:enabled')].filter((field) =>
      field.checkVisibility(),
    );
    const next = fields[fields.indexOf(field) + 1];
    if (next) next.focus();
    else onLast();
  };
  return field;
}
