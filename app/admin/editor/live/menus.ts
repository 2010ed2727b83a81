import {
  acceptCompletion,
  completionStatus,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { Prec, StateEffect, type EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { fetchSuggestions } from '#app/admin/frame/find.ts';
import { iconOutline, type IconName } from '#app/ui/icon.tsx';
import type { Words } from '#app/ui/words.ts';
import { tools, type Tool, type ToolName } from './base/tools.ts';
import { insertMarkdown } from './commands.ts';
import { linkMarkdown } from './media/text.ts';

/** The tools of the `/` menu whose names contain the typed text. Those that begin with it are first. */
function slashTools(typed: string, t: Words): readonly Tool[] {
  const words = typed.toLowerCase();
  const label = (tool: Tool) => namesOf(tool, t);
  const matching = tools.filter((tool) => tool.inMenu !== undefined && label(tool).includes(words));
  return matching.sort((a, b) => Number(label(b).startsWith(words)) - Number(label(a).startsWith(words)));
}

/** The names by which a tool is found: the translated and the English one. */
function namesOf({ label }: Tool, t: Words): string {
  const translated = t(label);
  return (translated === label ? label : `${translated} ${label}`).toLowerCase();
}

/** Pixels for a menu at its full height, and the line at the end of the window. */
const MENU_HEIGHT = 380;

/** Sent when the plus of an empty line opens the menu of everything. */
const insertMenuOpened = StateEffect.define();

/** Opens the menu of everything at an empty line. Nothing is written until something is chosen. */
export function openInsertMenu(view: EditorView, at: number): void {
  view.focus();
  view.dispatch({ selection: { anchor: at }, scrollIntoView: true, effects: insertMenuOpened.of(null) });
  startCompletion(view);
}

export type LoadSnippets = () => Promise<readonly { name: string; body: string }[]>;

/** The menus of `/` and `[[`. One source: with two, each letter would start a new search of the other one. */
export function menusAtCaret(
  run: (name: ToolName) => void,
  t: Words,
  findUrl: string,
  loadSnippets: LoadSnippets,
) {
  const [tools, posts] = [slashMenu(run, t, loadSnippets), postMenu(findUrl)];
  return (context: CompletionContext) => tools(context) ?? posts(context);
}

/** The menu that `/` opens at the beginning of a line or after a space. */
function slashMenu(run: (name: ToolName) => void, t: Words, loadSnippets: LoadSnippets) {
  const ofTools: Completion[] = tools.flatMap((tool, index) => {
    const { name, label, inMenu, icon, menuIcon } = tool;
    return inMenu === undefined
      ? []
      : {
          label: `/${namesOf(tool, t)}`,
          type: icon ?? menuIcon,
          displayLabel: t(label),
          detail: t(inMenu),
          boost: -index,
          apply: (view: EditorView, _completion: Completion, from: number, to: number) => {
            view.dispatch({ changes: { from, to }, userEvent: 'input' });
            run(name);
          },
        };
  });
  const ofSnippet = ({ name, body }: { name: string; body: string }): Completion => ({
    label: `/${name.toLowerCase()}`,
    type: 'copy',
    displayLabel: name,
    detail: t('Snippet'),
    // Behind the tools.
    boost: -99,
    apply: (view, _completion, from, to) => {
      view.dispatch({ changes: { from, to }, userEvent: 'input' });
      insertMarkdown(view, body);
    },
  });
  const withoutSlash = (option: Completion) => ({ ...option, label: option.label.slice(1) });
  let loaded: Awaited<ReturnType<LoadSnippets>> = [];
  // The same objects at each opening: the menu keeps its choice by them. A search that has not ended yet shows what is
  // added to its list.
  const options = [...ofTools];
  const optionsOfPlus = options.map(withoutSlash);
  /** Adds the snippets when they arrive, to the menu of what is typed from a position on. */
  const addSnippets = async (view: EditorView, from: number, typed: RegExp) => {
    const snippets = await loadSnippets();
    if (snippets === loaded || snippets.length + loaded.length === 0) return;
    loaded = snippets;
    const added = snippets.map(ofSnippet);
    options.splice(ofTools.length, Infinity, ...added);
    optionsOfPlus.splice(ofTools.length, Infinity, ...added.map(withoutSlash));
    const { head } = view.state.selection.main;
    if (head >= from && typed.test(view.state.sliceDoc(from, head))) startCompletion(view);
  };
  const ofPlus = /^[\p{L} -]*$/u;
  const ofSlash = /^\/[\p{L} -]*$/u;
  return (context: CompletionContext): CompletionResult | null => {
    const { view, state, pos, explicit } = context;
    const typed = context.matchBefore(/\/[\p{L} -]{0,24}/u);
    // The plus of an empty line, which writes nothing until something is chosen.
    const { from, text } = state.doc.lineAt(pos);
    if (explicit && text.length <= 24 && ofPlus.test(text)) {
      if (view) void addSnippets(view, from, ofPlus);
      return { from, options: optionsOfPlus, validFor: ofPlus };
    }
    if (!typed || (typed.from > 0 && !/\s/.test(state.sliceDoc(typed.from - 1, typed.from)))) return null;
    if (view) void addSnippets(view, typed.from, ofSlash);
    return { from: typed.from, options, validFor: ofSlash };
  };
}

/** True right behind a `/` or `[[` that opens a menu. */
function opensMenu({ doc, selection: { main } }: EditorState): boolean {
  const before = doc.sliceString(doc.lineAt(main.head).from, main.head);
  return /(?:^|\s)\/$|\[\[$/.test(before);
}

/** Scrolls the line of the caret up, so that a menu opens below it and covers nothing that is written. */
function makeRoomBelow(view: EditorView): void {
  const yMargin = Math.min(MENU_HEIGHT, innerHeight / 2);
  const { head } = view.state.selection.main;
  // Not while the view updates.
  queueMicrotask(() =>
    view.dispatch({ effects: EditorView.scrollIntoView(head, { y: 'nearest', yMargin }) }),
  );
}

export const toolIcon = {
  position: 20,
  render({ type }: Completion): Node | null {
    if (!type) return null;
    const box = document.createElement('span');
    box.innerHTML = iconOutline(type as IconName);
    return box.firstChild;
  },
};

/** The menu that `[[` opens: posts by their title. An old address redirects, so the link survives a new slug. */
function postMenu(findUrl: string) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const typed = context.matchBefore(/\[\[[^[\]\n]{0,80}/);
    if (!typed) return null;
    const stopped = new AbortController();
    context.addEventListener('abort', () => stopped.abort());
    const suggestions = await fetchSuggestions(
      findUrl,
      { q: typed.text.slice(2), kind: 'link' },
      stopped.signal,
    );
    const options = (suggestions ?? []).map(({ title, address, detail }) => ({
      label: `[[${title}`,
      displayLabel: title,
      detail,
      apply: (view: EditorView, _completion: Completion, from: number, to: number) => {
        const closingLength = view.state.sliceDoc(to, to + 2) === ']]' ? 2 : 0;
        const insert = linkMarkdown(title, address);
        view.dispatch({
          changes: { from, to: to + closingLength, insert },
          selection: { anchor: from + insert.length },
          userEvent: 'input',
        });
      },
    }));
    return { from: typed.from, options, filter: false };
  };
}

/**
 * While the menu of `/` or `[[` is still searching, Enter chooses its first entry instead of starting a new line.
 * @param run executes a tool of the `/` menu
 */
export function takeFirstAtEnter(run: (name: ToolName) => void, t: Words): Extension {
  const plugin = ViewPlugin.fromClass(WaitForMenu);
  const onEnter = (view: EditorView): boolean => {
    if (completionStatus(view.state) !== 'pending') return false;
    const { head } = view.state.selection.main;
    const before = view.state.sliceDoc(view.state.doc.lineAt(head).from, head);
    if (/\[\[[^[\]]*$/.test(before)) {
      view.plugin(plugin)!.isWaiting = true;
      return true;
    }
    const pattern = view.plugin(plugin)!.isFromPlus
      ? /^([\p{L} -]{0,24})$/u
      : /(?:^|\s)(?<slash>\/)([\p{L} -]{0,24})$/u;
    const typed = pattern.exec(before)?.at(-1);
    const tool = typed === undefined ? undefined : slashTools(typed, t)[0];
    if (!tool) return false;
    const from = head - typed!.length - (before.at(-typed!.length - 1) === '/' ? 1 : 0);
    view.dispatch({ changes: { from, to: head }, userEvent: 'input' });
    run(tool.name);
    return true;
  };
  return [plugin, Prec.highest(keymap.of([{ key: 'Enter', run: onEnter }]))];
}

/** After an early Enter, chooses the first post of the `[[` menu when the posts arrive from the server. */
class WaitForMenu {
  isWaiting = false;
  /** The menu was opened by the plus of an empty line, so what is typed there has no `/` before it. */
  isFromPlus = false;

  update({ view, state, startState, docChanged, transactions }: ViewUpdate): void {
    const status = completionStatus(state);
    const isPlus = transactions.some(({ effects }) => effects.some((effect) => effect.is(insertMenuOpened)));
    // Before the menu is drawn: it stays on the side on which it was.
    if (isPlus || (status && !completionStatus(startState) && opensMenu(state))) makeRoomBelow(view);
    if (isPlus) this.isFromPlus = true;
    else if (status === null) this.isFromPlus = false;
    if (!this.isWaiting) return;
    // Further typing continues the search.
    if (docChanged || status === null) this.isWaiting = false;
    else if (status === 'active') {
      this.isWaiting = false;
      queueMicrotask(() => acceptCompletion(view));
    }
  }
}
