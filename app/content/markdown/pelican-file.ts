import { toSlug } from '#app/platform/slug.ts';
import { readFrontMatter, type FrontMatter } from '../front-matter.ts';

/** A file of Pelican: what its first lines say, and what Pelican takes from its title and folder. */
export function readPelicanFile({ path, text }: { path: string; text: string }): FrontMatter {
  const { data, body } = readMetaLines(text) ?? readFrontMatter(text);
  const folder = /(?:^|\/)content\/(.+)\/[^/]+$/.exec(`/${path}`)?.[1] ?? '';
  const said = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(/^[{|](?:filename|static|attach)[}|]/, '') : value,
    ]),
  );
  return {
    data: {
      ...(typeof said.title === 'string' ? { slug: toSlug(said.title) } : {}),
      ...(folder === '' || /^(pages|images)(\/|$)/.test(folder)
        ? {}
        : { category: folder.split('/').at(-1) }),
      ...said,
      // Such a post is on no list, which there is no state for here.
      ...(said.status === 'hidden' ? { status: 'draft' } : {}),
    },
    body,
  };
}

const line = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/;

/**
 * The values that a file of Pelican begins with: lines such as `Tags: a, b`, up to the first blank one. Null where it
 * begins with none, or with a sentence that only looks like one.
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
  return { data, body: text.slice(head.length).replace(/^\n+/, '').replace(/\n$/, '') };
}

/** With semicolons, where a value has a comma. */
function listOf(written: string): string[] {
  return written
    .split(written.includes(';') ? ';' : ',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
