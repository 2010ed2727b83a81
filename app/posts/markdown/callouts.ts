import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/** The kinds that GitHub has. */
export const calloutKinds = ['note', 'tip', 'important', 'warning', 'caution'] as const;

const titles: Record<string, readonly [string, string, string, string, string]> = {
  en: ['Note', 'Tip', 'Important', 'Warning', 'Caution'],
  de: ['Hinweis', 'Tipp', 'Wichtig', 'Warnung', 'Vorsicht'],
  fr: ['Remarque', 'Conseil', 'Important', 'Avertissement', 'Attention'],
  es: ['Nota', 'Consejo', 'Importante', 'Advertencia', 'Precaución'],
  it: ['Nota', 'Consiglio', 'Importante', 'Avvertenza', 'Attenzione'],
  pt: ['Nota', 'Dica', 'Importante', 'Aviso', 'Cuidado'],
  nl: ['Opmerking', 'Tip', 'Belangrijk', 'Waarschuwing', 'Let op'],
  pl: ['Uwaga', 'Wskazówka', 'Ważne', 'Ostrzeżenie', 'Ostrożnie'],
  ja: ['メモ', 'ヒント', '重要', '警告', '注意'],
  'zh-Hans': ['备注', '提示', '重要', '警告', '注意'],
  'zh-Hant': ['備註', '提示', '重要', '警告', '注意'],
  ar: ['ملاحظة', 'نصيحة', 'مهم', 'تحذير', 'تنبيه'],
};

const marker = new RegExp(`^\\[!(${calloutKinds.join('|')})\\](?:[ \\t]+(\\S.*))?$`, 'i');

/** `> [!NOTE]` begins a call-out; words after the mark are its title. The titles follow `env.language`. */
export function callouts(parser: MarkdownIt): void {
  parser.core.ruler.before('inline', 'callouts', (state) => {
    if (!state.src.includes('[!')) return;
    const open: Token[] = [];
    state.tokens = state.tokens.flatMap((token, index, tokens) => {
      if (token.type === 'blockquote_open') open.push(token);
      else if (token.type === 'blockquote_close') {
        if (open.pop()?.tag === 'div') token.tag = 'div';
      } else if (token.type === 'inline' && tokens[index - 2] && tokens[index - 2] === open.at(-1))
        return begin(state, open.at(-1)!, tokens[index - 1]!, token);
      return token;
    });
  });
}

/**
 * The tokens for the first paragraph of a quotation. In a call-out it becomes a title and a paragraph with the rest.
 */
function begin(state: StateCore, quote: Token, paragraph: Token, inline: Token): Token[] {
  const end = inline.content.indexOf('\n');
  const [, kind, ownTitle] =
    marker.exec((end < 0 ? inline.content : inline.content.slice(0, end)).trimEnd()) ?? [];
  if (kind === undefined) return [inline];
  const name = kind.toLowerCase() as (typeof calloutKinds)[number];
  quote.tag = 'div';
  quote.attrSet('class', `callout callout-${name}`);
  quote.attrSet('role', 'note');
  paragraph.attrSet('class', 'callout-title');
  const text = end < 0 ? '' : inline.content.slice(end + 1);
  const language = String((state.env as { language?: string }).language ?? '');
  inline.content = ownTitle ?? titlesIn(language)[calloutKinds.indexOf(name)]!;
  if (text.trim() === '') return [inline];
  const rest = new state.Token('inline', '', 0);
  Object.assign(rest, { content: text, children: [], level: inline.level, map: inline.map, block: true });
  return [inline, ...edges(state, inline.level - 1), rest];
}

/** The tokens that end one paragraph and begin the next one. */
function edges(state: StateCore, level: number): Token[] {
  return [-1 as const, 1 as const].map((nesting) => {
    const token = new state.Token(nesting < 0 ? 'paragraph_close' : 'paragraph_open', 'p', nesting);
    return Object.assign(token, { block: true, level });
  });
}

/** The titles for a language and script, else for the language, else in English. */
function titlesIn(language: string) {
  const { language: primary, script } = new Intl.Locale(language || 'en').maximize();
  return titles[`${primary}-${script}`] ?? titles[primary] ?? titles.en!;
}
