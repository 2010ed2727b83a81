import { readFrontMatter, type FrontMatter } from '#app/export/front-matter.ts';
import { toSlug } from '#app/platform/text/slug.ts';

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

/** Reads a Pelican file: the metadata in its first lines, and the slug and category that Pelican takes from title and folder. */
export function readPelicanFile({ path, text }: { path: string; text: string }): FrontMatter {
  const read = readMetaLines(text) ?? readFrontMatter(text);
  const { data } = read;
  const folder = /(?:^|\/)content\/(.+)\/[^/]+$/.exec(`/${path}`)?.[1] ?? '';
  const values = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(/^[{|](?:filename|static|attach)[}|]/, '') : value,
    ]),
  );
  return {
    ...read,
    data: {
      ...(typeof values.title === 'string' ? { slug: toSlug(values.title) } : {}),
      ...(folder === '' || /^(pages|images)(\/|$)/.test(folder)
        ? {}
        : { category: folder.split('/').at(-1) }),
      ...values,
      // Pelican shows such a post in no list. Dateline has no state for that.
      ...(values.status === 'hidden' ? { status: 'draft' } : {}),
    },
  };
}

const line = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/;

/**
 * The metadata lines at the start of a file, such as `Tags: a, b`, up to the first blank line. Null when it starts
 * with none, or with a sentence that only looks like one.
 */
function readMetaLines(file: string): FrontMatter | null {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const [head = ''] = /^(?:[^\n]*\S[^\n]*(?:\n|$))+/.exec(text) ?? [];
  const data: Record<string, unknown> = {};
  let last = '';
  for (const written of head.trimEnd().split('\n')) {
    const [, name, value = ''] = line.exec(written.trimEnd()) ?? [];
    if (name !== undefined) {
      last = name.toLowerCase();
      data[last] = value.trim();
    } else if (last !== '' && /^(?: {4}|\t)/.test(written)) {
      data[last] = `${data[last] as string} ${written.trim()}`.trim();
    } else return null;
  }
  if (!('title' in data || 'date' in data)) return null;
  for (const name of ['tags', 'authors']) if (name in data) data[name] = listOf(data[name] as string);
  return {
    data,
    warnings: [],
    uncertain: [],
    body: text.slice(head.length).replace(/^\n+/, '').replace(/\n$/, ''),
  };
}

/** Pelican separates values by semicolons when one of them contains a comma. */
function listOf(written: string): string[] {
  return written
    .split(written.includes(';') ? ';' : ',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
