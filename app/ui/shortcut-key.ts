/**
 * The letter or digit of a shortcut. A layout of another script types another letter on its key (Russian `ы` for S),
 * and with Shift the key of a digit types another character: then the key's place counts.
 */
export function shortcutKey({ key, code }: { key: string; code: string }): string {
  if (code.startsWith('Digit')) return code.slice(5);
  const typed = key.toLowerCase();
  return code.startsWith('Key') && !/^[a-z]$/.test(typed) ? code.slice(3).toLowerCase() : typed;
}
