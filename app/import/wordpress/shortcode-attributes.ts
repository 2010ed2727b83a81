/** The attributes of a shortcode, by their names in lower case; signs may be as entities. */
export function attributesOf(written: string): Record<string, string> {
  const plain = written.replace(/&(?:quot|#8220|#8221|#8243);/g, '"');
  const pairs = [...plain.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))/g)];
  return Object.fromEntries(pairs.map(([, name, a, b, c]) => [name!.toLowerCase(), a ?? b ?? c ?? '']));
}
