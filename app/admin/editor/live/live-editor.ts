import { autocompletion, closeCompletion, startCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, redo } from '@codemirror/commands';
import { deleteMarkupBackward } from '@codemirror/lang-markdown';
import { openSearchPanel, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, placeholder, type Command } from '@codemirror/view';
import { announceTextChange, replaceTextarea } from '#app/admin/editor/model/text-source.ts';
import type { Words } from '#app/ui/words.ts';
import { textAttributes } from '#app/admin/editor/live/base/text-attributes.ts';
import { focusedFieldIn, textFocused } from '#app/admin/editor/live/base/text-focus.ts';
import { liveDecorations } from '#app/admin/editor/live/blocks/decorations.ts';
import { linkFields, openLinkField } from '#app/admin/editor/live/blocks/link-field.ts';
import { footnoteStart, isFootnoteText, softBreaks } from '#app/admin/editor/live/blocks/inline-parts.ts';
import {
  choosePictures,
  insertPictures,
  insertFiles,
  uploadsField,
} from '#app/admin/editor/live/paste/uploads.ts';
import { pasteAndDrop } from '#app/admin/editor/live/paste/paste.ts';
import { linkWords, toggleMark } from '#app/admin/editor/live/tables/grid.ts';
import { enterCode, leaveCode, typeOverFence } from './base/code-keys.ts';
import { pageMarkdown } from './base/page-markdown.ts';
import { inlineMarks, pageActionOf, toolOf, type ToolName } from './base/tools.ts';
import { localize } from './base/words.ts';
import { caretPosition, liveBlocks } from './blocks/blocks.ts';
import { pointerPreviews } from './blocks/previews.ts';
import { caretPlaces, blinkInPauses, caretAtFocus, keepParsed, parseAtCaret } from './caret.ts';
import { commands, insertMarkdown, insertMarkedLink } from './commands.ts';
import { deleteKeys, beginParagraph, breakLine, paragraphKeys } from './paragraph-keys.ts';
import { findPanel } from './find-panel.ts';
import { blockHandles } from './handles/handles.ts';
import { keepMarks } from './marks.ts';
import type { AddPictures } from './media/gallery.ts';
import { menusAtCaret, takeFirstAtEnter, toolIcon, type LoadSnippets } from './menus.ts';
import { continueMarkup, continueOrEndList, nestItems, unnestItems } from './nest-items.ts';
import { belowBars, scrollPosition, type ScrollPosition } from './scroll-position.ts';
import { selectionTools } from './selection-tools.ts';

/** How the editor shows the text: like the page, or as Markdown. */
export type TextMode = 'live' | 'source';

export interface LiveEditorOptions {
  textarea: HTMLTextAreaElement;
  /** The element that the editor is added to. */
  parent: HTMLElement;
  mode: TextMode;
  /** The post's language: the browser checks the spelling in it. */
  language: string;
  /** The backend's texts in the person's language. */
  words: Words;
  mediaUrl: string;
  findUrl: string;
  /** Fetches the snippets that the `/` menu offers, and returns the same list while it is unchanged. */
  loadSnippets: LoadSnippets;
  /** Called for a tool that opens a part of the page. */
  onTool: (name: ToolName) => void;
}

export interface LiveEditor {
  run(name: ToolName): void;
  setMode(mode: TextMode): void;
  /** Sets the post's language, for its direction and the browser's spell check. */
  setLanguage(language: string): void;
  /** Inserts pictures at the caret: into a gallery there, else as a separate paragraph. */
  insertPictures(pictures: readonly { alt: string; src: string }[]): void;
  insertFiles(files: readonly File[]): void;
  insertMarkdown(markdown: string): void;
  selectedText(): string;
  scrollPosition: ScrollPosition;
  destroy(): void;
}

// Enough to undo a post that was written in one session to its beginning.
const UNDO_STEPS = 2_000;
// The pause in typing after which the textarea gets the text: with 100 KB that takes longer than a key.
const SYNC_MS = 500;

/**
 * Puts the live editor over a textarea, which stays the form's field. After an edit of either, both have the same text
 * byte for byte.
 */
export function openLiveEditor(options: LiveEditorOptions): LiveEditor {
  const { textarea, parent, words: t } = options;
  const shown = new Compartment();
  const attributes = new Compartment();
  const attributesIn = (language: string) => textAttributes(textarea, language, t('Body of the post'));
  let mode = options.mode;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const copyBack = () => {
    clearTimeout(timer);
    textarea.value = read();
  };
  const run = (name: ToolName) => {
    if (name === 'find') return void openSearchPanel(view);
    if (runInField(view, name)) return;
    if (name === 'link') return openLinkField(view, options.findUrl);
    if (name === 'button' || name === 'bookmark') {
      insertMarkedLink(view, name);
      return openLinkField(view, options.findUrl);
    }
    const command = commands[name];
    if (name !== 'undo' && name !== 'redo' && (command || name === 'post')) leaveTable(view);
    if (command) return command(view);
    if (name !== 'post') return options.onTool(name);
    view.focus();
    view.dispatch(view.state.replaceSelection('[['), { userEvent: 'input.type' });
    startCompletion(view);
  };
  const addToGallery: AddPictures = (_view, end, from) => {
    view.dispatch({ selection: { anchor: end }, effects: textFocused.of(false) });
    if (from === 'library') options.onTool('gallery');
    else
      choosePictures((files) => insertFiles(view, files, view.state.selection.main.head, options.mediaUrl));
  };
  const extensionsOf = (mode: TextMode): Extension =>
    mode === 'live'
      ? [
          liveBlocks(addToGallery, options.findUrl),
          liveDecorations,
          softBreaks,
          caretPlaces,
          keepMarks,
          deleteKeys,
          paragraphKeys,
          blockHandles,
          pointerPreviews(options.findUrl),
          EditorView.editorAttributes.of({ class: 'md-live' }),
        ]
      : EditorView.editorAttributes.of({ class: 'md-source' });
  const onChange = EditorView.updateListener.of(({ docChanged, transactions }) => {
    if (!docChanged) return;
    clearTimeout(timer);
    timer = setTimeout(copyBack, SYNC_MS);
    if (transactions.some((transaction) => !transaction.isUserEvent('outside'))) announceTextChange(textarea);
  });
  const view: EditorView = new EditorView({
    parent,
    state: EditorState.create({
      doc: textarea.value,
      // A selection in the textarea is kept, so that typing replaces it.
      selection: { anchor: textarea.selectionStart, head: textarea.selectionEnd },
      extensions: [
        EditorView.cspNonce.of(nonceOfPage()),
        history({ minDepth: UNDO_STEPS }),
        drawSelection(),
        blinkInPauses,
        caretAtFocus,
        EditorView.lineWrapping,
        belowBars(),
        pageMarkdown.extension,
        keepParsed,
        findPanel,
        shortcuts(run),
        localize(t),
        takeFirstAtEnter(run, t),
        writingKeys,
        typeOverFence,
        autocompletion({
          override: [menusAtCaret(run, t, options.findUrl, options.loadSnippets)],
          icons: false,
          addToOptions: [toolIcon],
          aboveCursor: false,
          interactionDelay: 0,
          activateOnTypingDelay: 30,
        }),
        uploadsField,
        linkFields,
        selectionTools(run, t),
        pasteAndDrop({ mediaUrl: options.mediaUrl, isSource: () => mode === 'source' }),
        placeholder(t('Write here. Type / for headings, lists, pictures and more.')),
        attributes.of(attributesIn(options.language)),
        onChange,
        shown.of(extensionsOf(mode)),
      ],
    }),
  });
  // The visible part looks like the page from the first frame on.
  parseAtCaret(view);
  const read = () => view.state.sliceDoc();
  const write = (text: string) => {
    const change = difference(read(), text);
    if (change) view.dispatch({ changes: change, userEvent: 'outside' });
  };
  const ended = new AbortController();
  const { signal } = ended;
  const focus = (at?: number) => {
    if (at !== undefined)
      view.dispatch({
        selection: { anchor: at },
        effects: EditorView.scrollIntoView(at, { y: 'center' }),
      });
    view.focus();
  };
  const restoreTextarea = replaceTextarea(textarea, { read, write, focus });
  // The textarea still gets input from browser extensions and scripts, and clicks on its label.
  textarea.addEventListener('input', () => write(textarea.value), { signal });
  const takeFocus = () => {
    const { selectionStart: anchor, selectionEnd: head, value } = textarea;
    // A selection in the textarea is kept, so that typing replaces it.
    if (value === read() && anchor !== head) view.dispatch({ selection: { anchor, head } });
    view.focus();
  };
  textarea.addEventListener('focus', takeFocus, { signal });
  textarea.form?.addEventListener('formdata', ({ formData }) => formData.set(textarea.name, read()), {
    signal,
  });
  if (document.activeElement === textarea) view.focus();
  return {
    run,
    setMode(next) {
      mode = next;
      view.dispatch({ effects: shown.reconfigure(extensionsOf(next)) });
    },
    setLanguage(language) {
      view.dispatch({ effects: attributes.reconfigure(attributesIn(language)) });
    },
    insertMarkdown: (markdown) => insertMarkdown(view, markdown),
    selectedText: () => view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to),
    insertPictures: (pictures) => insertPictures(view, pictures),
    insertFiles: (files) =>
      insertFiles(view, files, caretPosition(view.state), options.mediaUrl, { caretFollows: true }),
    scrollPosition: scrollPosition(view),
    destroy() {
      closeCompletion(view);
      copyBack();
      restoreTextarea();
      ended.abort();
      view.destroy();
    },
  };
}

/** Esc in the text of a footnote moves the caret to just after the footnote's first reference. */
const leaveNote: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const reference = noteAt(state, main.head);
  if (!main.empty || reference === null) return false;
  const text = state.sliceDoc();
  for (let at = text.indexOf(reference); at >= 0; at = text.indexOf(reference, at + 1)) {
    const end = at + reference.length;
    if (isFootnoteText(state, at)) continue;
    view.dispatch({ selection: { anchor: end }, scrollIntoView: true, userEvent: 'select' });
    return true;
  }
  return false;
};

/** The reference `[^…]` of the footnote whose text contains a position; null outside of footnotes. */
function noteAt(state: EditorState, at: number): string | null {
  const line = state.doc.lineAt(at);
  if (line.text.trim() === '') return null;
  for (let { number } = line; number > 0; number -= 1) {
    const { text } = state.doc.line(number);
    const reference = footnoteStart.exec(text)?.[1];
    if (reference) return reference;
    // A paragraph that follows a blank line and is not indented does not belong to a footnote.
    const isFirst = number === 1 || state.doc.line(number - 1).text.trim() === '';
    if (isFirst && !/^(?: {2,}|\t|$)/.test(text)) return null;
  }
  return null;
}

const writingKeys = keymap.of([
  { key: 'Enter', run: enterCode },
  { key: 'Enter', shift: inLiveView(breakLine) },
  { key: 'Enter', run: continueOrEndList, shift: continueMarkup },
  { key: 'Enter', run: inLiveView(beginParagraph) },
  { key: 'ArrowDown', run: leaveCode },
  { key: 'Backspace', run: deleteMarkupBackward },
  { key: 'Tab', run: nestItems, shift: unnestItems },
  { key: 'Escape', run: leaveNote },
  { key: 'Mod-Shift-z', run: redo, preventDefault: true },
  ...defaultKeymap,
  ...historyKeymap,
  ...searchKeymap,
]);

/** A key that does something else in the Markdown source. */
function inLiveView(command: Command): Command {
  return (view) => view.state.field(softBreaks, false) !== undefined && command(view);
}

/** The shortcuts. They run before CodeMirror's, which with Caps Lock takes Ctrl+Shift+F for Ctrl+F. */
function shortcuts(run: (name: ToolName) => void): Extension {
  const keydown = (event: KeyboardEvent, view: EditorView) => {
    // The page's action may move the text, and an open menu would not move with it.
    if (pageActionOf(event)) return closeCompletion(view) || true;
    const name = toolOf(event);
    if (!name) return false;
    run(name);
    return true;
  };
  return Prec.highest(EditorView.domEventHandlers({ keydown }));
}

/** The smallest change from one text to another, so that the caret and the undo history are kept. */
function difference(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  let [end, newEnd] = [before.length, after.length];
  while (end > from && newEnd > from && before[end - 1] === after[newEnd - 1])
    [end, newEnd] = [end - 1, newEnd - 1];
  return { from, to: end, insert: after.slice(from, newEnd) };
}

/** CodeMirror adds a style element; the Content Security Policy allows it with the nonce of the page's scripts. */
function nonceOfPage(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}

/**
 * Runs a tool while a field within the text has the focus: marks and links go into a table's cell or a caption.
 * @returns false for any other tool or field
 */
function runInField(view: EditorView, name: ToolName): boolean {
  const field = focusedFieldIn(view);
  if (!field) return false;
  const mark = inlineMarks[name];
  if (mark) return toggleMark(field, mark);
  return name === 'link' && linkWords(field);
}

/** Moves the caret into a new paragraph below a table whose cells are edited: there a tool adds its block. */
function leaveTable(view: EditorView): void {
  const end = caretPosition(view.state);
  if (end === view.state.selection.main.head) return;
  view.focus();
  view.dispatch({
    changes: { from: end, insert: '\n\n' },
    selection: { anchor: end + 2 },
    userEvent: 'input',
  });
}
