import path from 'node:path';
import { readFrontMatter } from '#app/export/front-matter.ts';
import { eleventyScheme } from '#app/import/addresses/permalink-words.ts';
import { readText } from '#app/import/source/read-text.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { parseJson } from '#app/platform/json.ts';
import { withHugoNames } from './hugo-names.ts';
import type { SiteDefaults } from './site.ts';

/** The values that are read from data files. Tags are not: they name the collection of the folder's files. */
const importedFields = ['author', 'authors', 'category', 'categories', 'draft', 'layout', 'permalink'];

/**
 * The values that Eleventy's data files give to the files in their folder: `posts/posts.json`,
 * `posts/posts.11tydata.js`. A program is read as text and not run: only a literal address of its posts is found.
 */
export async function readEleventyData(root: string, files: string[]): Promise<SiteDefaults[]> {
  const data: SiteDefaults[] = [];
  for (const file of files) {
    const folder = path.posix.dirname(file);
    const folderName = folder === '.' ? path.basename(root) : path.posix.basename(folder);
    const ending = path.posix.basename(file).startsWith(`${folderName}.`)
      ? path.posix.basename(file).slice(folderName.length)
      : '';
    if (!/^(?:\.11tydata)?\.json$|^\.11tydata\.[cm]?js$/.test(ending)) continue;
    const text = await readText(path.join(root, file)).catch(() => '');
    const values = ending.endsWith('json') ? valuesOf(text) : programValues(text);
    const { permalink } = values;
    if (typeof permalink === 'string') values.permalink = eleventyScheme(permalink) ?? permalink;
    data.push({ path: folder === '.' ? '' : folder, type: '', values });
  }
  return data;
}

function valuesOf(text: string): Record<string, unknown> {
  const data = (parseJson(text) ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    importedFields.flatMap((name) => (Object.hasOwn(data, name) ? [[name, data[name]]] : [])),
  );
}

/** The first text after `permalink`, which may be the result of a function. */
function programValues(text: string): Record<string, unknown> {
  const code = text.replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, '');
  const [, , permalink] = /\bpermalink["']?\s*(?::|\()[^"'`]*(["'`])((?:(?!\1)[^\n])+)\1/.exec(code) ?? [];
  return permalink === undefined ? {} : { permalink };
}

const sectionFile = /(^|\/)_index(\.[\w-]+)?\.\w+$/;
/** The values that decide who may read a post, and when. */
const readFields = new Set(['draft', 'publishDate', 'expiryDate', 'build', '_build', 'headless']);

/**
 * What the files of sections, `_index.md`, say of all posts below them: `cascade` in Hugo, `draft` in Zola. Only what
 * keeps a post from its readers is read.
 * @param root absolute
 */
export async function readSectionDefaults(
  root: string,
  files: string[],
  dialect: 'hugo' | 'zola',
): Promise<SiteDefaults[]> {
  const defaults: SiteDefaults[] = [];
  for (const file of files.filter((candidate) => sectionFile.test(candidate))) {
    const data = await sectionValues(path.join(root, file));
    const folder = path.posix.dirname(file);
    const said = dialect === 'zola' ? [data.draft === true ? { draft: true } : {}] : tablesOf(data.cascade);
    for (const table of said) {
      const values = Object.entries(table).filter(([name]) => readFields.has(name));
      if (values.length > 0)
        defaults.push({ path: folder === '.' ? '' : folder, type: '', values: Object.fromEntries(values) });
    }
  }
  return defaults;
}

/** The values of a section's file; none if it cannot be read. */
async function sectionValues(file: string): Promise<Record<string, unknown>> {
  try {
    return withHugoNames(readFrontMatter(await readText(file)).data);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return {};
  }
}

/**
 * One table, or several with a target each. A target's path is not read: it may only narrow a section, and a draft too
 * many is better than a post that becomes public.
 */
function tablesOf(cascade: unknown): Record<string, unknown>[] {
  const tables: unknown[] = Array.isArray(cascade) ? cascade : [cascade];
  return tables.flatMap((table) =>
    typeof table === 'object' && table !== null ? [withHugoNames(table as Record<string, unknown>)] : [],
  );
}
