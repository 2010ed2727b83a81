import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';

/** Adds what GitHub's dialect has beyond markdown-it's: bare links, one-tilde strikethrough, task lists. */
export function gfm(parser: MarkdownIt): void {
  Object.assign(parser.linkify, bareLinks);
  parser.inline.ruler.at('strikethrough', strikethrough);
  parser.inline.ruler2.at('strikethrough', closeStrikethrough);
  parser.core.ruler.after('inline', 'task_list', taskList);
  parser.renderer.rules.task_checkbox = (tokens, index) =>
    `<input type="checkbox" disabled${tokens[index]!.meta?.checked ? ' checked' : ''}> `;
  // The parser aligns cells with inline styles, which the page's policy forbids.
  for (const cell of ['th_open', 'td_open'])
    parser.renderer.rules[cell] = (tokens, index, options, _env, renderer) => {
      const align = /text-align:(\w+)/.exec(String(tokens[index]!.attrGet('style') ?? ''))?.[1];
      if (align) tokens[index]!.attrs = [['align', align]];
      return renderer.renderToken(tokens, index, options);
    };
}

interface BareLink {
  schema: string;
  index: number;
  lastIndex: number;
  raw: string;
  text: string;
  url: string;
}

// The link finder that markdown-it expects, with the rules of the GFM specification ("Autolinks (extension)").
const bareLinks = {
  pretest: (text: string) => bareLinks.test(text),
  test: (text: string) => /www\.|@/i.test(text),
  /** Links with a scheme: called where `://` follows one. */
  matchAtStart(text: string): BareLink | null {
    const start = /^(https?|ftp):\/\/(?=[\p{L}\p{N}_-])/iu.exec(text);
    if (!start) return null;
    const end = linkEnd(text, start[0].length, { needsPeriod: start[1]!.toLowerCase() === 'ftp' });
    return end > 0 ? bareLink(text, 0, end, `${start[1]}:`, '') : null;
  },
  /** `www.` links and e-mail addresses, in order. */
  match(text: string): BareLink[] {
    const links = [...webLinks(text), ...mailLinks(text)].sort((a, b) => a.index - b.index);
    return links.filter((link, index) => index === 0 || link.index >= links[index - 1]!.lastIndex);
  },
};

function* webLinks(text: string): Generator<BareLink> {
  const start = /(?<=^|[\s*_~(])www\.(?=[\p{L}\p{N}_-])/giu;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const end = linkEnd(text, match.index, { needsPeriod: true });
    if (end < 0) continue;
    yield bareLink(text, match.index, end, '', 'http://');
    start.lastIndex = end;
  }
}

// Searches outwards from the `@`: a pattern that begins with the local part is quadratic on long words.
function* mailLinks(text: string): Generator<BareLink> {
  const domain = /[a-z0-9_-]+(?:\.[a-z0-9_-]+)+/iy;
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > from && /[a-z0-9._+-]/i.test(text[start - 1]!)) start -= 1;
    domain.lastIndex = at + 1;
    const match = domain.exec(text);
    from = at + 1;
    if (start === at || !match || /[-_]$/.test(match[0]) || /[/@]/.test(text[start - 1] ?? '')) continue;
    from = domain.lastIndex;
    yield bareLink(text, start, from, 'mailto:', 'mailto:');
  }
}

function bareLink(text: string, index: number, lastIndex: number, schema: string, prefix: string): BareLink {
  const raw = text.slice(index, lastIndex);
  return { schema, index, lastIndex, raw, text: raw, url: prefix + raw };
}

/**
 * What is in no bare link. Beside GFM's own characters the full-width punctuation of Chinese, Japanese and Korean texts,
 * after which they have no space: browsers encode it in addresses.
 */
const outside = /[\s<、。〈-】〔-〛！（），：；？［］｛｝｡-､]/g;

/** The end of a link that begins with a domain at `start`; -1 when the domain is not valid. */
function linkEnd(text: string, start: number, options: { needsPeriod: boolean }): number {
  const domain = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/u.exec(text.slice(start, start + 300))?.[0] ?? '';
  const labels = domain.split('.');
  if (options.needsPeriod && labels.length < 2) return -1;
  if (labels.slice(-2).some((label) => label.includes('_'))) return -1;
  outside.lastIndex = start;
  const stop = outside.exec(text)?.index ?? text.length;
  return trimmedEnd(text, start, stop);
}

/** Leaves out trailing punctuation, unbalanced closing parentheses and what looks like an entity. */
function trimmedEnd(text: string, start: number, stop: number): number {
  let surplus = 0;
  for (let index = start; index < stop; index += 1)
    surplus += text[index] === ')' ? 1 : text[index] === '(' ? -1 : 0;
  let end = stop;
  for (;;) {
    const last = text[end - 1]!;
    if (/[?!.,:*_~'"]/.test(last)) end -= 1;
    else if (last === ')' && surplus > 0) {
      surplus -= 1;
      end -= 1;
    } else if (last === ';') {
      const entity = /&[a-z0-9]+;$/i.exec(text.slice(Math.max(start, end - 40), end));
      end -= entity ? entity[0].length : 1;
    } else return end;
    if (end <= start) return -1;
  }
}

const TILDE = 0x7e;

// One tilde pairs with one, and two with two; three or more have no meaning. Each kind has its own delimiter number, so
// that markdown-it pairs only equals.
function strikethrough(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false;
  const { length, can_open, can_close } = state.scanDelims(state.pos, true);
  const token = state.push('text', '', 0);
  token.content = '~'.repeat(length);
  if (length <= 2)
    state.delimiters.push({
      marker: TILDE * length,
      length: 0,
      token: state.tokens.length - 1,
      end: -1,
      open: can_open,
      close: can_close,
    });
  state.pos += length;
  return true;
}

function closeStrikethrough(state: StateInline): boolean {
  const nested = state.tokens_meta.map((meta) => meta?.delimiters ?? []);
  for (const delimiters of [state.delimiters, ...nested])
    for (const delimiter of delimiters) {
      if (delimiter.marker % TILDE !== 0 || delimiter.end === -1) continue;
      const pair = [
        [delimiter.token, 1],
        [delimiters[delimiter.end]!.token, -1],
      ] as const;
      for (const [index, nesting] of pair) {
        const token = state.tokens[index]!;
        Object.assign(token, { type: nesting > 0 ? 's_open' : 's_close', tag: 'del', nesting, content: '' });
      }
    }
  return true;
}

function taskList(state: StateCore): void {
  const { tokens } = state;
  tokens.forEach((token, index) => {
    const [first] = token.children ?? [];
    const box = first?.type === 'text' ? /^\[([ \txX])\](?=\s)\s*/.exec(first.content) : null;
    if (!first || !box || tokens[index - 2]?.type !== 'list_item_open') return;
    first.content = first.content.slice(box[0].length);
    const checkbox = new state.Token('task_checkbox', 'input', 0);
    checkbox.meta = { checked: /x/i.test(box[1]!) };
    token.children!.unshift(checkbox);
  });
}

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
