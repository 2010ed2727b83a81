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
  const status = document.createElement('span');
  status.className = 'hint';
  status.setAttribute('role', 'status');
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
  const dom = document.createElement('div');
  dom.className = 'md-find';
  dom.setAttribute('role', 'search');
  dom.setAttribute('aria-label', t('Find and replace'));
  dom.onkeydown = (event) => {
    if (isForInputMethod(event)) return;
    const isEnter = event.key === 'Enter';
    if (isEnter && event.target === find) (event.shiftKey ? findPrevious : findNext)(view);
    else if (isEnter && event.target === replacement) replaceNext(view);
    else if (!runScopeHandlers(view, event, 'search-panel')) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const finding = group(
    find,
    status,
    iconButton('up', t('Previous'), () => findPrevious(view)),
    iconButton('down', t('Next'), () => findNext(view)),
    matchCase,
    words,
    pattern,
    textButton(t('Select all'), () => selectMatches(view)),
  );
  const replacing = group(
    replacement,
    textButton(t('Replace'), () => replaceNext(view)),
    textButton(t('Replace all'), () => replaceAll(view)),
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
  const input = document.createElement('input');
  input.type = 'text';
  input.name = name;
  input.value = value;
  input.placeholder = label;
  input.setAttribute('aria-label', label);
  input.autocomplete = 'off';
  input.spellcheck = false;
  // No field of the post's form.
  input.setAttribute('form', '');
  // CodeMirror focuses it when the panel is asked for again.
  if (name === 'search') input.setAttribute('main-field', 'true');
  return input;
}

function group(...children: HTMLElement[]): HTMLElement {
  const box = document.createElement('div');
  box.append(...children);
  return box;
}

function textButton(words: string, run: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'small';
  button.textContent = words;
  button.onclick = run;
  return button;
}

function iconButton(icon: IconName, title: string, run: () => void): HTMLButtonElement {
  const button = textButton('', run);
  button.className = 'tool';
  button.title = title;
  button.innerHTML = iconOutline(icon);
  return button;
}

function toggle(sign: string, title: string, pressed: boolean): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'tool';
  button.title = title;
  button.setAttribute('aria-pressed', String(pressed));
  const shown = document.createElement('span');
  shown.textContent = sign;
  shown.setAttribute('aria-hidden', 'true');
  button.append(shown);
  return button;
}

const isOn = (button: HTMLElement) => button.getAttribute('aria-pressed') === 'true';
