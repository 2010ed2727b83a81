/**
 * The letter or digit of a shortcut. If the key types another character, its position on the keyboard decides: layouts
 * of other scripts type other letters (Russian `ы` for S), and a digit's key with Shift types a sign.
 */
export function shortcutKey({ key, code }: { key: string; code: string }): string {
  if (code.startsWith('Digit')) return code.slice(5);
  const typed = key.toLowerCase();
  return code.startsWith('Key') && !/^[a-z]$/.test(typed) ? code.slice(3).toLowerCase() : typed;
}
