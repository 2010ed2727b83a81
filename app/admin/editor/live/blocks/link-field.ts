import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { showTooltip, type EditorView, type Tooltip } from '@codemirror/view';
import { dispatchInput } from '#app/admin/editor/live/base/dispatch-input.ts';
import { pageActionOf } from '#app/admin/editor/live/base/tools.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { fetchSuggestions, type Suggestion } from '#app/admin/frame/find.ts';
import { isForInputMethod } from '#app/ui/input-method.ts';
import { linkPlace, readAddress, removeLink, setLink, type LinkPlace } from './edit-link.ts';

const TYPING_MS = 120;

type Shown = LinkPlace & Pick<Tooltip, 'create'>;

const setField = StateEffect.define<Shown | null>();

const shownField = StateField.define<Shown | null>({
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

export const linkFields: Extension = shownField;

function linkField(view: EditorView, findUrl: string, { address }: LinkPlace) {
  const t = wordsOf(view);
  const dom = document.createElement('div');
  dom.className = 'md-link-field';
  dom.setAttribute('role', 'dialog');
  dom.setAttribute('aria-label', t('Link'));
  const field = document.createElement('input');
  field.type = 'text';
  field.value = address;
  const label = t('Search for a post, or paste an address');
  field.placeholder = label;
  field.autocomplete = 'off';
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-label': label,
    'aria-expanded': 'true',
    'aria-controls': 'md-link-list',
  }))
    field.setAttribute(name, value);
  const list = document.createElement('ul');
  list.id = 'md-link-list';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', t('Found'));
  const status = document.createElement('p');
  status.className = 'hint';
  status.setAttribute('role', 'status');
  dom.append(field, list, status);

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
    const place = view.state.field(shownField);
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
        const item = document.createElement('li');
        item.id = `md-link-${index}`;
        item.setAttribute('role', 'option');
        const [title, detail] = [document.createElement('span'), document.createElement('span')];
        title.textContent = suggestion.title;
        detail.textContent = t(suggestion.detail);
        detail.className = 'hint';
        item.append(title, ' ', detail);
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
