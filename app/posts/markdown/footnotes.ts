import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';

/** What the plug-in records about a note while it reads the text. */
interface Note {
  label: string;
  /** How often the text refers to it. */
  count: number;
}

interface Notes {
  /** `:label` → the note's number from 0, or -1 while nothing refers to it. */
  refs?: Record<string, number>;
  /** In the order of their first reference. */
  list?: Note[];
}

/**
 * Adds footnotes: `[^label]` and `[^label]: text`. Replaces the plug-in's rules for references and for the list at the
 * end by rules that take linear time.
 */
export function linearFootnotes(parser: MarkdownIt): void {
  parser.use(footnotes);
  parser.inline.ruler.disable('footnote_inline');
  parser.inline.ruler.at('footnote_ref', reference);
  parser.core.ruler.at('footnote_tail', notesAtEnd);
  const rules = parser.renderer.rules;
  rules.footnote_ref = (tokens, index) => {
    const number = noteNumber(tokens[index]);
    return `<sup><a href="#fn-${number}" id="${referenceId(tokens[index])}" role="doc-noteref">${number}</a></sup>`;
  };
  rules.footnote_block_open = () => '<section class="footnotes" role="doc-endnotes">\n<ol>\n';
  rules.footnote_open = (tokens, index) => `<li id="fn-${noteNumber(tokens[index])}">`;
  rules.footnote_anchor = (tokens, index) =>
    ` <a href="#${referenceId(tokens[index])}" role="doc-backlink">↩\uFE0E</a>`;
}

function noteNumber(token: Token | undefined): number {
  return Number(token?.meta?.id) + 1;
}

function referenceId(token: Token | undefined): string {
  const repeated = Number(token?.meta?.subId);
  return `fnref-${noteNumber(token)}${repeated > 0 ? `-${repeated + 1}` : ''}`;
}

/**
 * A label is as long as a link's label may be. Without this limit, each of many `[^a` would be searched to the end of
 * the text.
 */
const label = /\[\^([^ \n\]]{1,999})\]/y;

function reference(state: StateInline, silent: boolean): boolean {
  const { refs, list = [] } = (state.env.footnotes ?? {}) as Notes;
  if (!refs || !state.src.startsWith('[^', state.pos)) return false;
  label.lastIndex = state.pos;
  const match = label.exec(state.src);
  const name = match?.[1];
  if (name === undefined || label.lastIndex > state.posMax) return false;
  const known = refs[`:${name}`];
  if (known === undefined) return false;
  if (!silent) {
    const id = known < 0 ? list.push({ label: name, count: 0 }) - 1 : known;
    const note = list[id]!;
    state.push('footnote_ref', '', 0).meta = { id, subId: note.count };
    note.count += 1;
    refs[`:${name}`] = id;
    (state.env.footnotes as Notes).list = list;
  }
  state.pos = label.lastIndex;
  return true;
}

/** Moves the notes to the end of the text, in the order of their first reference; drops notes without a reference. */
function notesAtEnd(state: StateCore): void {
  const { list } = (state.env.footnotes ?? {}) as Notes;
  if (!state.env.footnotes) return;
  const contents = removeNotes(state);
  if (!list) return;
  const { tokens } = state;
  const add = (type: string, nesting: 1 | 0 | -1, meta: Record<string, number> | null = null) => {
    const token = new state.Token(type, '', nesting);
    token.meta = meta;
    tokens.push(token);
  };
  add('footnote_block_open', 1);
  for (const [id, note] of list.entries()) {
    add('footnote_open', 1, { id });
    for (const token of contents.get(note.label) ?? []) tokens.push(token);
    // The links back are at the end of the note's last paragraph.
    const lastParagraph = tokens.at(-1)?.type === 'paragraph_close' ? tokens.pop() : undefined;
    for (let subId = 0; subId < note.count; subId += 1) add('footnote_anchor', 0, { id, subId });
    if (lastParagraph) tokens.push(lastParagraph);
    add('footnote_close', -1);
  }
  add('footnote_block_close', -1);
}

/**
 * Removes the tokens of notes from the text.
 * @returns the tokens by label; of two notes with one label, the last
 */
function removeNotes(state: StateCore): Map<string, Token[]> {
  const contents = new Map<string, Token[]>();
  let inside: Token[] | undefined;
  let name = '';
  state.tokens = state.tokens.filter((token) => {
    if (token.type === 'footnote_reference_open') {
      inside = [];
      name = String(token.meta?.label);
      return false;
    }
    if (token.type === 'footnote_reference_close') {
      if (inside) contents.set(name, inside);
      inside = undefined;
      return false;
    }
    inside?.push(token);
    return !inside;
  });
  return contents;
}
