import { StateField, type EditorState, type Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip, showTooltip, type Tooltip } from '@codemirror/view';
import { dispatchInput, textFocused } from '#app/admin/editor/live/base/text-focus.ts';
import { button, element } from '#app/admin/editor/live/base/dom.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { fetchSuggestions, type Suggestion } from '#app/admin/frame/find.ts';
import type { Words } from '#app/ui/words.ts';
import { linkAt, removeLink, openLinkField } from './link-field.ts';
import { pointerAt, type Pointer } from './inline-parts.ts';

const HOVER_MS = 350;

/** What is at an address of this site: one suggestion or none; null when the server cannot be reached. */
type Find = (address: string) => Promise<Suggestion[] | null>;

/** Shows the target of a footnote or link when the caret or the mouse pointer is on it. */
export function pointerPreviews(findUrl: string): Extension {
  const answers = new Map<string, Promise<Suggestion[] | null>>();
  const find: Find = (address) => {
    const cached = answers.get(address);
    if (cached) return cached;
    const request = fetchSuggestions(findUrl, { q: address, kind: 'at' });
    answers.set(address, request);
    // The next look asks again.
    void request.then((answer) => answer ?? answers.delete(address));
    return request;
  };
  const tooltip = (pointer: Pointer): Tooltip => ({
    pos: pointer.from,
    end: pointer.to,
    above: true,
    create: (view) => ({ dom: describe(view, pointer, { find, findUrl }) }),
  });
  const atCaret = StateField.define<{ hasFocus: boolean; shown: Tooltip | null }>({
    create: () => ({ hasFocus: false, shown: null }),
    update(before, { state, docChanged, selection, effects }) {
      let { hasFocus } = before;
      for (const effect of effects) if (effect.is(textFocused)) hasFocus = effect.value;
      // No preview of a link that is being typed.
      if (docChanged || !hasFocus) return { hasFocus, shown: null };
      if (!selection && hasFocus === before.hasFocus) return before;
      const pointer = selectedPointer(state);
      if (pointer && before.shown?.pos === pointer.from) return { hasFocus, shown: before.shown };
      return { hasFocus, shown: pointer && tooltip(pointer) };
    },
    provide: (field) => showTooltip.from(field, ({ shown }) => shown),
  });
  const atPointer = hoverTooltip(
    (view, at) => {
      const pointer = pointerAt(view.state, at);
      return pointer && view.state.field(atCaret).shown?.pos !== pointer.from ? tooltip(pointer) : null;
    },
    { hoverTime: HOVER_MS, hideOnChange: true },
  );
  return [atCaret, atPointer];
}

function selectedPointer(state: EditorState): Pointer | null {
  const { main } = state.selection;
  return main.empty ? pointerAt(state, main.head) : null;
}

interface Finding {
  find: Find;
  findUrl: string;
}

function describe(view: EditorView, pointer: Pointer, { find, findUrl }: Finding): HTMLElement {
  const box = element('div', { class: 'md-preview' });
  if (pointer.kind === 'note') {
    box.setAttribute('role', 'status');
    describeNote(view, pointer, box);
    return box;
  }
  const t = wordsOf(view);
  const words = element('div', { role: 'status' });
  const open = element('a', { target: '_blank', rel: 'noreferrer' }, t('Open'));
  describeLink(pointer.address, { words, open }, { find, t });
  box.append(words, linkButtons(view, pointer, { open, findUrl }));
  return box;
}

/** Edit, Open and Remove. An address that stands in the text is no words that could stay, so it has no Remove. */
function linkButtons(
  view: EditorView,
  pointer: Pointer,
  { open, findUrl }: { open: HTMLElement; findUrl: string },
): HTMLElement {
  const t = wordsOf(view);
  const place = () => linkAt(view.state, pointer.from, pointer.to);
  const edit = () => {
    const at = place();
    if (at) openLinkField(view, findUrl, at);
  };
  const remove = () => {
    const at = place();
    if (at) dispatchInput(view, removeLink(view.state, at));
  };
  const row = element(
    'div',
    { class: 'md-link-buttons' },
    button(t('Edit'), edit, { keepsFocus: true }),
    open,
  );
  if (view.state.sliceDoc(pointer.from, pointer.from + 1) === '[')
    row.append(button(t('Remove'), remove, { keepsFocus: true }));
  return row;
}

function describeNote(
  view: EditorView,
  { label, note }: Extract<Pointer, { kind: 'note' }>,
  box: HTMLElement,
): void {
  const t = wordsOf(view);
  if (!note) {
    box.append(line(t('There is no note for [^{label}].', { label }), 'field-error'));
    return;
  }
  const goThere = () => {
    view.dispatch({ selection: { anchor: note.at }, scrollIntoView: true });
    view.focus();
  };
  box.append(line(note.text || t('This note is empty.')), button(t('Go to the note'), goThere));
}

/** Fills in what is at an address, and where Open leads: the editor of a post of this site, or the page. */
function describeLink(
  address: string,
  { words, open }: { words: HTMLElement; open: HTMLAnchorElement },
  { find, t }: { find: Find; t: Words },
): void {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  const isOwn = url?.origin === location.origin && !url.pathname.startsWith('/uploads/');
  if (url && /^(?:https?|mailto|tel):$/.test(url.protocol)) open.href = url.href;
  open.hidden = open.href === '' || address === '' || address.startsWith('#');
  if (!isOwn || address.startsWith('#')) {
    words.append(line(address || t('This link has no address.'), address ? '' : 'field-error'));
    return;
  }
  words.append(line(t('Looking it up…'), 'hint'));
  void find(address).then((answer) => {
    const suggestion = answer?.[0];
    if (!suggestion) {
      const result = answer ? t('There is no post at this address.') : t('The server cannot be reached.');
      return words.replaceChildren(line(address), line(result, 'hint'));
    }
    words.replaceChildren(line(suggestion.title), line(`${t(suggestion.detail)} · ${address}`, 'hint'));
    if (suggestion.address) open.href = suggestion.address;
  });
}

const line = (words: string, className = ''): HTMLElement => element('p', { class: className }, words);
