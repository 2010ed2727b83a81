import path from 'node:path';
import { readText } from '#app/import/source/read-text.server.ts';
import { eleventyScheme } from './eleventy-scheme.ts';
import type { SiteDefaults } from './site-defaults.ts';

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
  try {
    const data = JSON.parse(text) as Record<string, unknown> | null;
    return Object.fromEntries(
      importedFields.flatMap((name) => (Object.hasOwn(data ?? {}, name) ? [[name, data![name]]] : [])),
    );
  } catch {
    return {};
  }
}

/** The first text after `permalink`, which may be the result of a function. */
function programValues(text: string): Record<string, unknown> {
  const code = text.replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, '');
  const [, , permalink] = /\bpermalink["']?\s*(?::|\()[^"'`]*(["'`])((?:(?!\1)[^\n])+)\1/.exec(code) ?? [];
  return permalink === undefined ? {} : { permalink };
}
