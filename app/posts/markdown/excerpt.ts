import { cutText } from '#app/platform/text/graphemes.ts';
import { decodeEntities } from '#app/platform/text/html.ts';

const MAX_CHARACTERS = 220;
// Enough markup to fill an excerpt. The rest of a long body is not read.
const MAX_MARKUP = 20_000;

/**
 * The beginning of a body as plain text: its first paragraphs, cut at a word (or, in scripts without
 * spaces, a character) with an ellipsis. Footnotes and the titles of call-outs are no part of it.
 */
export function excerptOf(html: string): string {
  const [beforeNotes = ''] = html.slice(0, MAX_MARKUP).split(/<section[^<>]*footnotes/);
  // A paragraph that is longer than what is read has no end.
  const paragraphs = withoutCutTag(beforeNotes).matchAll(
    /<p(?!\s[^>]*callout-title)(?:\s[^>]*)?>(.*?)(?:<\/p>|$)/gs,
  );
  let text = '';
  for (const [, inner = ''] of paragraphs) {
    text = `${text} ${plainText(inner)}`.trim();
    if ([...text].length >= MAX_CHARACTERS / 2) break;
  }
  return shorten(text, MAX_CHARACTERS);
}

/** HTML without a tag at its end that is cut off. A regular expression would take a second for attributes full of `<`. */
function withoutCutTag(html: string): string {
  const begin = html.indexOf('<', html.lastIndexOf('>') + 1);
  return begin === -1 ? html : html.slice(0, begin);
}

/** Text of at most `max` characters, cut between words if it has any spaces. */
export function shorten(text: string, max: number): string {
  if ([...text].length <= max) return text;
  const cut = cutText(text, max - 1);
  const atWord = cut.replace(/\s+\S*$/u, '');
  const shortened = atWord.length > cut.length / 2 ? atWord : cut;
  return `${shortened.replace(/[\s,;:.–—-]+$/u, '')}…`;
}

/** The mark of a footnote: a raised link within the page. */
const footnoteMark = /<sup(?:\s[^<>]*)?>\s*<a\s[^>]*href="#[^>]*>[^<]*<\/a>\s*<\/sup>/g;
const raised = Object.fromEntries(
  [...'0123456789+-−n'].map((sign, index) => [sign, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ'][index]!]),
);

/**
 * The text of HTML without tags and footnote marks. Decodes the entities that our serialiser writes. Raised numbers stay
 * raised: 10<sup>6</sup> is not 106.
 */
export function plainText(html: string): string {
  const raisedText = (_: string, signs: string) => [...signs].map((sign) => raised[sign]).join('');
  const bare = html
    .replace(footnoteMark, '')
    .replace(/<sup(?:\s[^<>]*)?>([\d+−n-]+)<\/sup>/g, raisedText)
    .replace(/<br\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '');
  return decodeEntities(bare).replace(/\s+/g, ' ').trim();
}
