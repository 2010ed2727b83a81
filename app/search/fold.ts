const beyondAscii = /[^\0-\x7f]/;

// Signs that a text may have or lack: accents, the vowel signs of Hebrew and Arabic with the hamza above and below a
// letter, the stroke that draws Arabic words out, soft hyphens and joiners. Vowel signs of Indic scripts are letters.
const optionalMarks =
  '\\u0300-\\u036f\\u0591-\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06ed\\u00ad\\u200b-\\u200d';
const foldedAway = new RegExp(`[${optionalMarks}]|[^\\p{L}\\p{N}\\p{M}.]`, 'gu');

/** Lower case without accents, optional vowel signs, width and ligature forms, in any script. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!beyondAscii.test(lower)) return lower;
  return (
    lower
      .normalize('NFKD')
      // Also removes what is not part of a word: folding splits `⑴` into a digit in brackets.
      .replace(foldedAway, '')
      .normalize('NFC')
      .toLowerCase()
      .replace(/[ßæœøłđðþıςةىیک]/g, (letter) => plainLetters[letter]!)
  );
}

const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  // The ends of Arabic words are written either way, and Persian keyboards have letters of their own.
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};
