const wikiLink = /!?\[\[([^[\]|#\n]*)(?:#[^[\]|\n]*)?(?:\|([^[\]\n]*))?\]\]/g;
const markdownLink = /^!?\[([^[\]\n]*)\]\(<?([^()<>\n]*)>?\)$/;

/**
 * The properties of a note without Obsidian's marks: of `[[People/Jo Doe|Jo]]` the words that readers see, of a picture
 * the file, and tags without `#`.
 * @param pictureNames the properties that name a picture
 */
export function readProperties(
  data: Record<string, unknown>,
  pictureNames: readonly string[],
): Record<string, unknown> {
  const pictures = new Set(pictureNames);
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      name === 'tags' || name === 'tag'
        ? tagsOf(value)
        : converted(value, pictures.has(name) ? targetOf : wordsOf),
    ]),
  );
}

function converted(value: unknown, read: (text: string) => string): unknown {
  if (typeof value === 'string') return read(value);
  if (!Array.isArray(value)) return value;
  const link = unquotedLink(value);
  if (link !== null) return read(link);
  return value.map((item: unknown) => {
    const inner = Array.isArray(item) ? unquotedLink(item) : null;
    return inner === null ? (typeof item === 'string' ? read(item) : item) : read(inner);
  });
}

/** A link without quotes is a list in a list for YAML: `[[Jo Doe]]`. Null for any other list. */
function unquotedLink(list: unknown[]): string | null {
  const [inner, ...others] = list as [unknown, ...unknown[]];
  const isLink =
    others.length === 0 && Array.isArray(inner) && inner.every((part) => typeof part === 'string');
  return isLink ? `[[${inner.join(', ')}]]` : null;
}

function wordsOf(text: string): string {
  const [, label] = markdownLink.exec(text.trim()) ?? [];
  if (label !== undefined) return label;
  return text.replace(
    wikiLink,
    (_, target: string, words?: string) => words?.trim() || target.trim().replace(/^.*\/|\.md$/gi, ''),
  );
}

function targetOf(text: string): string {
  const [, , address] = markdownLink.exec(text.trim()) ?? [];
  return address ?? text.replace(wikiLink, (_, target: string) => target.trim());
}

/** In Obsidian a tag has no spaces: they separate tags. */
function tagsOf(value: unknown): unknown {
  const items = typeof value === 'string' ? wordsOf(value).split(/[\s,]+/) : converted(value, wordsOf);
  return Array.isArray(items)
    ? items.map((item: unknown) => (typeof item === 'string' ? item.replace(/^#+/, '') : item))
    : items;
}
