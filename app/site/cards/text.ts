/**
 * The characters of the fonts in `cards/fonts`: Latin with its usual additions, Greek, Cyrillic, punctuation and
 * currencies.
 */
const drawable =
  /^[ -~\u00a0-\u00ac\u00ae-\u012b\u012e-\u0131\u0134-\u0148\u014a-\u0165\u0168-\u017f\u018f\u0192\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u0218-\u021b\u0259\u02bb\u02bc\u02c6-\u02cc\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u045f\u0490-\u0493\u0496-\u049b\u04a0-\u04a3\u04ae-\u04b3\u04b6\u04b7\u04ba\u04bb\u04d8\u04d9\u04e8\u04e9\u1e0c-\u1e0f\u1e24\u1e25\u1e36-\u1e3b\u1e42-\u1e49\u1e5a-\u1e63\u1e6c-\u1e6f\u1e80-\u1e85\u1e9e\u1ea0-\u1ef9\u2002-\u2007\u2009\u200b\u2010\u2012-\u2015\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u202f\u2030\u2032\u2033\u2039\u203a\u2044\u20a9\u20ab\u20ac\u20b4\u20b9\u20ba\u20bd\u2116\u2122\u2190-\u2193\u2212\u2248\u2260\u2264\u2265]*$/u;

const emoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u200d\ufe0f]|\p{Emoji_Modifier}/gu;

/**
 * A text as a card shows it, cut after `length` characters: on one line, without emoji.
 * @returns null if the fonts lack one of its characters: a card with boxes in it is worse than no card
 */
export function cardText(text: string, length: number): string | null {
  const plain = text
    .normalize('NFC')
    .replace(emoji, '')
    .replaceAll('\u00ad', '')
    .replaceAll('\u2011', '\u2010')
    .replace(/\s+/g, ' ')
    .trim();
  if (!drawable.test(plain)) return null;
  if (plain.length <= length) return plain;
  return `${plain.slice(0, length - 1).replace(/\s+\S*$/, '')}…`;
}
