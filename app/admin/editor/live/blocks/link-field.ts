import {
  EditorSelection,
  type ChangeSpec,
  type EditorState,
  type TransactionSpec,
  StateEffect,
  StateField,
} from '@codemirror/state';
import { showTooltip, type EditorView, type Tooltip } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { element } from '#app/admin/editor/live/base/dom.ts';
import { dispatchInput } from '#app/admin/editor/live/base/text-focus.ts';
import { pageActionOf } from '#app/admin/editor/live/base/tools.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { linkMarkdown, linkTarget } from '#app/admin/editor/live/media/text.ts';
import { fetchSuggestions, type Suggestion } from '#app/admin/frame/find.ts';
import { isForInputMethod } from '#app/ui/keys.ts';
import { parsedTree, partsIn, type Span, addressOf, linkKind } from './inline-parts.ts';

/** What somebody makes a link of: an existing link, chosen words, or a place in the text without any. */
interface LinkPlace extends Span {
  isLink: boolean;
  address: string;
}

/** The link at a position, or null: written with brackets, or an address alone. */
export function linkAt(state: EditorState, from: number, to = from): LinkPlace | null {
  const tree = parsedTree(state, state.doc.lineAt(to).to);
  for (const side of [-1, 1] as const)
    for (let node: SyntaxNode | null = tree.resolveInner(from, side); node; node = node.parent) {
      const isLink = node.name === 'Link' && linkKind(state, node) === 'address';
      const isAddress = node.name === 'Autolink' || (node.name === 'URL' && node.parent?.name !== 'Link');
      if ((!isLink && !isAddress) || node.from > from || node.to < to) continue;
      if (node.name === 'URL' && /^(?:Autolink|Image|LinkReference)$/.test(node.parent?.name ?? '')) continue;
      return { from: node.from, to: node.to, isLink: true, address: addressOf(state, node) ?? '' };
    }
  return null;
}

/** What a link is made of at the selection. Words of one line; marks that the selection cuts are in it as a whole. */
function linkPlace(state: EditorState): LinkPlace {
  const { main } = state.selection;
  const link = linkAt(state, main.from, main.to);
  if (link) return link;
  const { text: line, from: start, to: end } = state.doc.lineAt(main.from);
  let [from, to] = [main.from, Math.min(main.to, end)];
  const chosen = line.slice(from - start, to - start);
  from += chosen.length - chosen.trimStart().length;
  to = Math.max(from, to - (chosen.length - chosen.trimEnd().length));
  for (const part of from < to ? partsIn(state, from, to) : []) {
    const isCut = part.from < to && part.to > from && (part.from < from || part.to > to);
    const isInside = part.open.to <= from && part.close.from >= to;
    if (part.name === 'Link' && part.from < to && part.to > from) return linkAt(state, part.from, part.to)!;
    if (isCut && !isInside && part.name !== 'SoftBreak')
      [from, to] = [Math.min(from, part.from), Math.max(to, part.to)];
  }
  return { from, to, isLink: false, address: '' };
}

/** The change that gives a link its address, or makes a link. The caret is behind new links, and else stays. */
function setLink(
  state: EditorState,
  place: LinkPlace,
  { address, title }: { address: string; title: string },
): TransactionSpec {
  const { from, to, isLink } = place;
  if (!isLink) {
    const words = state.sliceDoc(from, to);
    const isPlain = partsIn(state, from, to).length === 0;
    const insert = isPlain ? linkMarkdown(words || title, address) : `[${words}](${linkTarget(address)})`;
    return { changes: { from, to, insert }, selection: EditorSelection.cursor(from + insert.length) };
  }
  const node = linkNode(state, place);
  if (!node) return {};
  const words = state.sliceDoc(from, to).replace(/^<|>$/g, '');
  let change: ChangeSpec;
  if (node.name !== 'Link') {
    const insert =
      /^https?:/i.test(address) && !/[\s<>]/.test(address) ? `<${address}>` : linkMarkdown(words, address);
    change = { from, to, insert };
  } else {
    const url = node.getChild('URL');
    const end = node.getChildren('LinkMark')[1];
    if (url) change = { from: url.from, to: url.to, insert: linkTarget(address) };
    else if (end) change = { from: end.to, to, insert: `(${linkTarget(address)})` };
    else return {};
  }
  const { head } = state.selection.main;
  return {
    changes: change,
    selection: { anchor: state.changes(change).mapPos(Math.min(Math.max(head, from), to), 1) },
  };
}

/** The change that keeps the words of a link and takes its address away. */
export function removeLink(state: EditorState, place: LinkPlace): TransactionSpec {
  const node = linkNode(state, place);
  const end = node?.getChildren('LinkMark')[1];
  if (!node || node.name !== 'Link' || !end) return {};
  const changes = [
    { from: node.from, to: node.from + 1 },
    { from: end.from, to: node.to },
  ];
  return {
    changes,
    selection: EditorSelection.cursor(state.changes(changes).mapPos(state.selection.main.head)),
  };
}

function linkNode(state: EditorState, { from, to }: Span): SyntaxNode | null {
  for (let node: SyntaxNode | null = parsedTree(state, to).resolveInner(from, 1); node; node = node.parent)
    if (node.from === from && node.to === to && /^(?:Link|Autolink|URL)$/.test(node.name)) return node;
  return null;
}

const scheme = /^(?:https?:\/\/|mailto:|tel:)\S/i;
const path = /^(?:\/(?!\/)|#|\.{1,2}\/)\S*$/;
const mail = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/;
const host = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[:/?#]\S*)?$/u;

/** The address that somebody typed or pasted, completed; null for words to search for. */
function readAddress(text: string): string | null {
  const typed = text.trim();
  if (scheme.test(typed) || path.test(typed)) return typed;
  if (mail.test(typed)) return `mailto:${typed}`;
  return host.test(typed) ? `https://${typed}` : null;
}

const TYPING_MS = 120;

type Shown = LinkPlace & Pick<Tooltip, 'create'>;

const setField = StateEffect.define<Shown | null>();

export const linkFields = StateField.define<Shown | null>({
  create: () => null,
  update(before, { effects, changes }) {
    for (const effect of effects) if (effect.is(setField)) return effect.value;
    if (!before || changes.empty) return before;
    const from = changes.mapPos(before.from, 1);
    return { ...before, from, to: Math.max(from, changes.mapPos(before.to, -1)) };
  },
  provide: (field) =>
    showTooltip.from(
      field,
      (shown) => shown && { pos: shown.from, end: shown.to, above: false, create: shown.create },
    ),
});

/** Opens the field in which the link at the selection gets its address. */
export function openLinkField(view: EditorView, findUrl: string, place = linkPlace(view.state)): void {
  const create = () => {
    const { dom, field } = linkField(view, findUrl, place);
    // At once: what is typed next belongs into the field.
    return { dom, mount: () => field.focus({ preventScroll: true }) };
  };
  view.dispatch({ effects: setField.of({ ...place, create }), scrollIntoView: true });
}

function linkField(view: EditorView, findUrl: string, { address }: LinkPlace) {
  const t = wordsOf(view);
  const label = t('Search for a post, or paste an address');
  const field = element('input', {
    type: 'text',
    placeholder: label,
    autocomplete: 'off',
    role: 'combobox',
    'aria-label': label,
    'aria-expanded': 'true',
    'aria-controls': 'md-link-list',
  });
  field.value = address;
  const list = element('ul', { id: 'md-link-list', role: 'listbox', 'aria-label': t('Found') });
  const status = element('p', { class: 'hint', role: 'status' });
  const named = { class: 'md-link-field', role: 'dialog', 'aria-label': t('Link') };
  const dom = element('div', named, field, list, status);

  let found: Suggestion[] = [];
  let at = -1;
  let asked: string | null = null;
  let isEnterPending = false;
  let stopped = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const close = () => {
    clearTimeout(timer);
    stopped.abort();
    view.dispatch({ effects: setField.of(null) });
  };
  const leave = () => {
    close();
    view.focus();
  };
  const apply = (address: string, title: string) => {
    const place = view.state.field(linkFields);
    close();
    if (!place) return view.focus();
    const isRemoved = address === '' && place.isLink;
    if (address === '' && !isRemoved) return view.focus();
    dispatchInput(
      view,
      isRemoved ? removeLink(view.state, place) : setLink(view.state, place, { address, title }),
    );
  };
  const choose = ({ address, title }: Suggestion) => apply(address, title);
  const mark = (index: number) => {
    at = index;
    for (const [number, item] of [...list.children].entries())
      item.setAttribute('aria-selected', String(number === at));
    const item = list.children[at];
    item?.scrollIntoView({ block: 'nearest' });
    if (item) field.setAttribute('aria-activedescendant', item.id);
    else field.removeAttribute('aria-activedescendant');
  };
  const show = (answer: Suggestion[] | null, text: string) => {
    found = answer ?? [];
    asked = text;
    list.replaceChildren(
      ...found.map((suggestion, index) => {
        const title = element('span', {}, suggestion.title);
        const detail = element('span', { class: 'hint' }, t(suggestion.detail));
        const item = element('li', { id: `md-link-${index}`, role: 'option' }, title, ' ', detail);
        item.onpointerdown = (event) => event.preventDefault();
        item.onclick = () => choose(suggestion);
        return item;
      }),
    );
    status.textContent =
      found.length > 0 || text === '' ? '' : t(answer ? 'Nothing matches.' : 'The server cannot be reached.');
    mark(text === '' || found.length === 0 ? -1 : 0);
    if (isEnterPending && found[0]) choose(found[0]);
    isEnterPending = false;
  };
  const ask = () => {
    clearTimeout(timer);
    stopped.abort();
    isEnterPending = false;
    const text = field.value.trim();
    asked = null;
    if (readAddress(text) !== null) return show([], '');
    stopped = new AbortController();
    const { signal } = stopped;
    timer = setTimeout(
      () =>
        void fetchSuggestions(findUrl, { q: text, kind: 'link' }, signal).then((answer) => {
          if (!signal.aborted) show(answer, text);
        }),
      text === '' ? 0 : TYPING_MS,
    );
  };
  field.oninput = ask;
  field.onkeydown = (event) => {
    if (pageActionOf(event)) return;
    event.stopPropagation();
    if (isForInputMethod(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const text = field.value.trim();
    const typed = readAddress(text);
    const chosen = found[at];
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && chosen) choose(chosen);
    else if (event.key === 'Enter' && (typed !== null || text === '')) apply(typed ?? '', text);
    else if (event.key === 'Enter') isEnterPending = asked !== text;
    else if (step && found.length > 0) mark((at + step + found.length) % found.length);
    else return;
    event.preventDefault();
  };
  dom.addEventListener('focusout', ({ relatedTarget }) => {
    // Who fetches an address from another window finds the field as it was.
    if (!document.hasFocus() || !dom.isConnected || dom.contains(relatedTarget as Node | null)) return;
    queueMicrotask(close);
  });
  if (address === '') ask();
  else queueMicrotask(() => field.select());
  return { dom, field };
}
