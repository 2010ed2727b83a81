import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  search,
  SearchQuery,
  selectMatches,
  setSearchQuery,
} from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { runScopeHandlers, type EditorView, type Panel, type ViewUpdate } from '@codemirror/view';
import { isForInputMethod } from '#app/ui/keys.ts';
import { iconOutline, type IconName } from '#app/ui/icon.tsx';
import { button, element } from './base/dom.ts';
import { wordsOf } from './base/words.ts';

/** Matches that are counted: each key counts them again. */
const COUNTED_MAX = 999;

/** Find and replace, in a row at the top of the text. */
export const findPanel: Extension = search({ top: true, createPanel });

function createPanel(view: EditorView): Panel {
  const t = wordsOf(view);
  const { search, replace, caseSensitive, wholeWord, regexp } = getSearchQuery(view.state);
  const find = field('search', t('Find'), search);
  const replacement = field('replace', t('Replace with'), replace);
  const status = element('span', { class: 'hint', role: 'status' });
  const matchCase = toggle('Aa', t('Match case'), caseSensitive);
  const words = toggle('“ab”', t('Whole words'), wholeWord);
  const pattern = toggle('.*', t('Regular expression'), regexp);
  const commit = () => {
    const query = new SearchQuery({
      search: find.value,
      // What is typed is what is found: `\n` is a line feed only in a regular expression.
      literal: !isOn(pattern),
      regexp: isOn(pattern),
      caseSensitive: isOn(matchCase),
      wholeWord: isOn(words),
      replace: replacement.value,
    });
    if (!query.eq(getSearchQuery(view.state))) view.dispatch({ effects: setSearchQuery.of(query) });
  };
  find.oninput = replacement.oninput = commit;
  for (const one of [matchCase, words, pattern])
    one.addEventListener('click', () => {
      one.setAttribute('aria-pressed', String(!isOn(one)));
      commit();
    });
  const dom = element('div', { class: 'md-find', role: 'search', 'aria-label': t('Find and replace') });
  dom.onkeydown = (event) => {
    if (isForInputMethod(event)) return;
    const isEnter = event.key === 'Enter';
    if (isEnter && event.target === find) (event.shiftKey ? findPrevious : findNext)(view);
    else if (isEnter && event.target === replacement) replaceNext(view);
    else if (!runScopeHandlers(view, event, 'search-panel')) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const finding = element(
    'div',
    {},
    find,
    status,
    iconButton('up', t('Previous'), () => findPrevious(view)),
    iconButton('down', t('Next'), () => findNext(view)),
    matchCase,
    words,
    pattern,
    button(t('Select all'), () => selectMatches(view)),
  );
  const replacing = element(
    'div',
    {},
    replacement,
    button(t('Replace'), () => replaceNext(view)),
    button(t('Replace all'), () => replaceAll(view)),
  );
  dom.append(
    finding,
    replacing,
    iconButton('close', t('Close'), () => void closeSearchPanel(view)),
  );
  const count = () => (status.textContent = find.value === '' ? '' : countOf(view));
  return {
    dom,
    top: true,
    mount() {
      find.select();
      count();
    },
    update({ docChanged, selectionSet, transactions }: ViewUpdate) {
      const isQuery = transactions.some(({ effects }) => effects.some((effect) => effect.is(setSearchQuery)));
      if (isQuery) {
        const query = getSearchQuery(view.state);
        if (find.value !== query.search) find.value = query.search;
        if (replacement.value !== query.replace) replacement.value = query.replace;
      }
      if (isQuery || docChanged || selectionSet) count();
    },
  };
}

function countOf(view: EditorView): string {
  const t = wordsOf(view);
  const query = getSearchQuery(view.state);
  if (!query.valid) return '';
  const { from, to } = view.state.selection.main;
  let all = 0;
  let current = 0;
  const cursor = query.getCursor(view.state) as Iterator<{ from: number; to: number }>;
  for (let found = cursor.next(); !found.done && all < COUNTED_MAX; found = cursor.next()) {
    all += 1;
    if (found.value.from === from && found.value.to === to) current = all;
  }
  if (all === 0) return t('No matches');
  const number = all === COUNTED_MAX ? `${all}+` : String(all);
  return t('{current} of {all}', { current: current || '–', all: number });
}

function field(name: string, label: string, value: string): HTMLInputElement {
  const input = element('input', {
    type: 'text',
    name,
    placeholder: label,
    'aria-label': label,
    autocomplete: 'off',
    spellcheck: 'false',
    // No field of the post's form.
    form: '',
    // CodeMirror focuses it when the panel is asked for again.
    ...(name === 'search' && { 'main-field': 'true' }),
  });
  input.value = value;
  return input;
}

function iconButton(icon: IconName, title: string, run: () => void): HTMLButtonElement {
  const made = button('', run);
  made.className = 'tool';
  made.title = title;
  made.innerHTML = iconOutline(icon);
  return made;
}

function toggle(sign: string, title: string, pressed: boolean): HTMLButtonElement {
  const made = button(sign, () => {}, { name: title });
  made.className = 'tool';
  made.setAttribute('aria-pressed', String(pressed));
  return made;
}

const isOn = (toggled: HTMLElement) => toggled.getAttribute('aria-pressed') === 'true';
