/** How Typesense's default tokenizer sees a text (recordings 06 and 07b): symbols join words, accents fold. */
export function typesenseTokens(
  text: string,
  { separators, symbols }: { separators: string[]; symbols: string[] },
): string[] {
  const tokens: string[] = [];
  let token = '';
  const end = () => {
    if (token !== '') tokens.push(token.slice(0, 100));
    token = '';
  };
  for (const character of text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')) {
    if (character === ' ' || character === '\n' || separators.includes(character)) end();
    else if (/[a-zA-Z0-9]/.test(character)) token += character.toLowerCase();
    // Beyond ASCII the default locale leaves case alone.
    else if (/[^\0-\x7f]/.test(character) || symbols.includes(character)) token += character;
  }
  end();
  return tokens;
}

/** Typos between two words; swapped neighbours are one. */
export function typos(a: string, b: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= a.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      if (i === 0) {
        rows[0]!.push(j);
        continue;
      }
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      rows[i]!.push(least);
    }
  }
  return rows[a.length]![b.length]!;
}
