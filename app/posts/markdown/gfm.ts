import type { MarkdownIt, StateCore, StateInline } from 'markdown-it';

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
