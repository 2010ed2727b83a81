import { syntaxTree } from '@codemirror/language';
import type { Range } from '@codemirror/state';
import {
  WidgetType,
  type EditorView,
  Decoration,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view';
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common';
import { element } from '#app/admin/editor/live/base/dom.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { readMedia } from '#app/admin/editor/live/media/text.ts';
import { MediaWidget } from '#app/admin/editor/live/media/widget.ts';
import { isShownAsBlock } from './blocks.ts';
import { linkKind, readPictureReference, withUnparsed } from './inline-parts.ts';

class BulletWidget extends WidgetType {
  toDOM(): HTMLElement {
    return element('span', { class: 'md-bullet' }, '•');
  }
}

class TaskWidget extends WidgetType {
  readonly isDone: boolean;

  constructor(task: { isDone: boolean }) {
    super();
    this.isDone = task.isDone;
  }

  override eq(other: TaskWidget): boolean {
    return other.isDone === this.isDone;
  }

  toDOM(view: EditorView): HTMLElement {
    const box = element('input', { type: 'checkbox', class: 'md-task', 'aria-label': wordsOf(view)('Done') });
    box.checked = this.isDone;
    box.onclick = () => {
      const at = view.posAtDOM(box);
      view.dispatch({
        changes: { from: at + 1, to: at + 2, insert: this.isDone ? ' ' : 'x' },
        userEvent: 'input',
      });
    };
    return box;
  }
}

const bullet = Decoration.replace({ widget: new BulletWidget() });
const callout = /^>\s*\[!(note|tip|important|warning|caution)\]/i;
const hidden = Decoration.replace({});
const faded = Decoration.mark({ class: 'md-mark' });
/** The spaces before a nested item, as wide as on the page. */
const indented = Decoration.mark({ class: 'md-indent' });
const marks: Record<string, Decoration> = Object.fromEntries(
  Object.entries({
    Emphasis: 'md-em',
    StrongEmphasis: 'md-strong',
    Strikethrough: 'md-strike',
    InlineCode: 'md-code',
    Link: 'md-link',
    Autolink: 'md-link',
    HTMLTag: 'md-mark',
    HTMLBlock: 'md-mark',
    CodeInfo: 'md-mark',
    TableDelimiter: 'md-mark',
  }).map(([name, className]) => [name, Decoration.mark({ class: className })]),
);
/** The look of each kind of link. Brackets without an address are plain text. */
const links = {
  address: marks.Link,
  note: Decoration.mark({ class: 'md-footnote' }),
  callout: Decoration.mark({ class: 'md-callout' }),
  words: undefined,
};
const lineClasses: Record<string, string> = {
  ATXHeading1: 'md-h1',
  ATXHeading2: 'md-h2',
  ATXHeading3: 'md-h3',
  ATXHeading4: 'md-h4',
  ATXHeading5: 'md-h4',
  ATXHeading6: 'md-h4',
  SetextHeading1: 'md-h1',
  SetextHeading2: 'md-h2',
  Blockquote: 'md-quote',
  FencedCode: 'md-block',
  CodeBlock: 'md-block',
  Table: 'md-table',
  ListItem: 'md-item',
  LinkReference: 'md-reference',
};
/** Marks that are hidden while the caret is outside the text that they mark. */
const inlineMarks = /^(?:EmphasisMark|StrikethroughMark|CodeMark|LinkMark|URL|LinkTitle|LinkLabel)$/;

/** Makes the visible Markdown look like the page, without changing the text. */
export const liveDecorations = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }
    update(update: ViewUpdate) {
      const grown = syntaxTree(update.startState) !== syntaxTree(update.state);
      if (update.docChanged || update.viewportChanged || update.selectionSet || update.focusChanged || grown)
        this.decorations = withUnparsed(
          update.state,
          decorate(update.view),
          this.decorations.map(update.changes),
        );
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function decorate(view: EditorView): DecorationSet {
  const decorations: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges)
    syntaxTree(view.state).iterate({ from, to, enter: (node) => decorateNode(view, node, decorations) });
  return Decoration.set(decorations, true);
}

function decorateNode(
  view: EditorView,
  node: SyntaxNodeRef,
  decorations: Range<Decoration>[],
): boolean | undefined {
  const { state } = view;
  const { name, from, to } = node;
  if ((name === 'Table' || name === 'Paragraph') && isShownAsBlock(state, from)) return false;
  const isActive = (start = from, end = to) => touchesCaret(view, start, end);
  const lineClass = lineClasses[name];
  if (lineClass) addLines(view, node, lineClass + calloutClass(view, node), decorations);
  const mark = name === 'Link' ? links[linkKind(state, node.node)] : marks[name];
  if (mark && from < to) decorations.push(mark.range(from, to));
  switch (name) {
    case 'Image':
      return decorateImage(view, node, decorations);
    case 'HeaderMark': {
      const line = state.doc.lineAt(from);
      // The underline of a Setext heading, which is on a separate line.
      const isUnderline = from === line.from && /^[=-]/.test(line.text);
      if (isActive(line.from, line.to) || isUnderline) decorations.push(faded.range(from, to));
      else
        decorations.push(
          hidden.range(from, Math.min(line.to, to + (state.sliceDoc(to, to + 1) === ' ' ? 1 : 0))),
        );
      return undefined;
    }
    case 'QuoteMark': {
      const isFollowed = state.sliceDoc(to, to + 1) === ' ';
      if (isActiveLine(view, from)) decorations.push(faded.range(from, to));
      else decorations.push(hidden.range(from, isFollowed ? to + 1 : to));
      return undefined;
    }
    case 'HorizontalRule':
      decorations.push(Decoration.line({ class: 'md-rule' }).range(from));
      decorations.push((isActiveLine(view, from) ? faded : hidden).range(from, to));
      return undefined;
    case 'ListMark': {
      const line = state.doc.lineAt(from);
      const indent = state.sliceDoc(line.from, from);
      if (indent !== '' && indent.trim() === '') decorations.push(indented.range(line.from, from));
      const isBullet = /^[-*+]$/.test(state.sliceDoc(from, to));
      const isTask = /^ \[[ xX]\]/.test(state.sliceDoc(to, to + 4));
      if (isTask && !isActiveLine(view, from)) decorations.push(hidden.range(from, to + 1));
      else if (isBullet && !isActiveLine(view, from)) decorations.push(bullet.range(from, to));
      else decorations.push(Decoration.mark({ class: 'md-list-mark' }).range(from, to));
      return undefined;
    }
    case 'Escape':
      decorations.push((isActive() ? faded : hidden).range(from, from + 1));
      return undefined;
    case 'HardBreak':
      decorations.push(hidden.range(from, view.state.doc.lineAt(from).to));
      return undefined;
    case 'TaskMarker':
      if (!isActiveLine(view, from)) {
        const isDone = /x/i.test(state.sliceDoc(from, to));
        decorations.push(Decoration.replace({ widget: new TaskWidget({ isDone }) }).range(from, to));
      }
      return undefined;
  }
  if (inlineMarks.test(name)) hideMark(view, node, decorations);
  return undefined;
}

function hideMark(view: EditorView, node: SyntaxNodeRef, decorations: Range<Decoration>[]): void {
  const parent = node.node.parent;
  if (!parent || node.from === node.to) return;
  // The fences of a code block and bare addresses stay visible.
  const isInline = ['Emphasis', 'StrongEmphasis', 'Strikethrough', 'InlineCode', 'Link', 'Autolink'].includes(
    parent.name,
  );
  const isBareAddress = node.name === 'URL' && parent.name !== 'Link';
  // The label in the definition of an address (`[label]: address`) stays visible too.
  if (isBareAddress || (node.name === 'LinkLabel' && parent.name !== 'Link')) return;
  const kind = parent.name === 'Link' ? linkKind(view.state, parent) : 'address';
  if (kind === 'words') return;
  const { from, to } = markRange(view, node.node, parent, kind);
  // The number at the beginning of a footnote's text keeps its brackets.
  const isLabel = kind === 'note' && parent.from === view.state.doc.lineAt(parent.from).from;
  const isTouched =
    kind === 'callout'
      ? isActiveLine(view, from)
      : touchesCaret(view, parent.from, parent.to) && !(kind === 'address' && isShownLink(parent));
  decorations.push((!isInline || isLabel || isTouched ? faded : hidden).range(from, to));
}

/** True for a link with words: its address is edited in a field (`link-field.ts`), never in the text. */
function isShownLink({ name, firstChild }: SyntaxNode): boolean {
  return name === 'Link' && firstChild !== null && firstChild.nextSibling?.from !== firstChild.to;
}

/** The range of a mark, with the sign of a footnote or call-out, or with the space before a link's title. */
function markRange(
  view: EditorView,
  { name, from, to }: SyntaxNode,
  { from: start }: SyntaxNode,
  kind: string,
) {
  if (from === start && kind !== 'address') return { from, to: to + 1 };
  if (name !== 'LinkTitle') return { from, to };
  const before = view.state.sliceDoc(start, from);
  return { from: from - /\s*$/.exec(before)![0].length, to };
}

function decorateImage(view: EditorView, node: SyntaxNodeRef, decorations: Range<Decoration>[]): boolean {
  const { from } = node;
  const line = view.state.doc.lineAt(from);
  const media = readMedia(view.state.sliceDoc(from, line.to)) ?? readPictureReference(view.state, node.node);
  if (!media) {
    decorations.push(faded.range(from, node.to));
    return false;
  }
  const isAlone = line.text.trim() === view.state.sliceDoc(from, from + media.length).trim();
  decorations.push(
    Decoration.replace({ widget: new MediaWidget(media, { isAlone }) }).range(from, from + media.length),
  );
  return false;
}

/** The classes of a quotation that is a call-out because of its first line; empty for any other. */
function calloutClass({ state }: EditorView, { name, from }: SyntaxNodeRef): string {
  if (name !== 'Blockquote') return '';
  const [, kind] = callout.exec(state.sliceDoc(from, state.doc.lineAt(from).to)) ?? [];
  return kind === undefined ? '' : ` md-callout-box md-callout-${kind.toLowerCase()}`;
}

function addLines(
  view: EditorView,
  { name, from, to }: SyntaxNodeRef,
  className: string,
  decorations: Range<Decoration>[],
): void {
  const { doc } = view.state;
  const { from: top, to: bottom } = view.viewport;
  let line = doc.lineAt(Math.max(from, top));
  const last = name === 'ListItem' ? line.number : doc.lineAt(Math.min(to, bottom)).number;
  for (; ; line = doc.line(line.number + 1)) {
    decorations.push(Decoration.line({ class: className }).range(line.from));
    if (line.number >= last) return;
  }
}

function isActiveLine(view: EditorView, at: number): boolean {
  const line = view.state.doc.lineAt(at);
  return touchesCaret(view, line.from, line.to);
}

function touchesCaret(view: EditorView, from: number, to: number): boolean {
  return view.hasFocus && view.state.selection.ranges.some((range) => range.from <= to && range.to >= from);
}
