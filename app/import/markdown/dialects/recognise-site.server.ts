import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import * as z from 'zod';
import { parseYaml } from '#app/platform/text/yaml.ts';
import type { DialectName } from './dialects.ts';
import { languagesOf, siteDefaultsSchema, type MarkdownSite } from './site.ts';
import { readScriptConfiguration } from './script-configuration.server.ts';

const collection = z.object({ output: z.literal(true), permalink: z.string().catch('') });

/** Jekyll's setting `collections`: the names and permalinks of those that Jekyll publishes. */
const collectionsSchema = z
  .record(z.string(), z.unknown())
  .catch({})
  .transform((written) => {
    const shown: Record<string, string> = {};
    for (const [name, value] of Object.entries(written)) {
      const parsed = collection.safeParse(value);
      if (parsed.success && name !== 'posts' && name !== 'drafts') shown[name] = parsed.data.permalink;
    }
    return shown;
  });

/** Folders that hold a generator's posts: its configuration is in a folder above. */
const postFolders = new Set('content _posts posts blog source src docs pages articles routes lib'.split(' '));
const SAMPLE = 200;
/** A generator's signs are looked for in so many characters of a file. */
const SIGN_WITHIN = 20_000;
const CONFIG_MAX_BYTES = 1_000_000;

/**
 * Recognises the generator by its configuration, else by the names of folders, else by what most files hold.
 * @param root absolute
 * @param texts the text of the n-th post file, for those that neither configuration nor names recognise
 */
export async function recogniseSite(
  root: string,
  posts: string[],
  textOf: (file: string) => Promise<string>,
): Promise<MarkdownSite> {
  for (const folder of projectFolders(root)) {
    const names = await readdir(folder).catch(() => []);
    const recognised = await byConfiguration(folder, names);
    if (recognised) return recognised;
  }
  const dialect = byFolders(root, posts) ?? (await byTexts(posts.slice(0, SAMPLE), textOf));
  return { ...unknownSite, dialect };
}

export const unknownSite: MarkdownSite = {
  dialect: 'markdown',
  permalink: null,
  permalinkOf: {},
  ...{ siteUrl: '', basePath: '', timeZone: '', sourceFolder: '', routes: [], defaults: [] },
  languages: [],
};

function projectFolders(root: string): string[] {
  const folders = [root];
  while (postFolders.has(path.basename(folders.at(-1)!)) && folders.length < 4)
    folders.push(path.dirname(folders.at(-1)!));
  return folders;
}

async function byConfiguration(folder: string, names: string[]): Promise<MarkdownSite | null> {
  const named = (pattern: RegExp) => names.find((name) => pattern.test(name));
  const scripted = await readScriptConfiguration(folder, names);
  if (scripted) return { ...unknownSite, ...scripted };
  const file = named(/^(hugo|zola|config)\.(toml|ya?ml|json)$/) ?? named(/^_config\.ya?ml$/);
  if (file !== undefined) return siteOf(await readConfiguration(path.join(folder, file)), file, names);
  if (names.includes('config')) return byHugoFolder(path.join(folder, 'config', '_default'));
  return names.includes('.obsidian') ? { ...unknownSite, dialect: 'obsidian' } : null;
}

/** Hugo's configuration as a folder: a file for each part. */
async function byHugoFolder(folder: string): Promise<MarkdownSite | null> {
  const names = await readdir(folder).catch(() => []);
  const read = async (name: RegExp) => {
    const file = names.find((candidate) => name.test(candidate));
    return file === undefined ? null : readData(path.join(folder, file));
  };
  const main = await read(/^(hugo|config)\.(toml|ya?ml|json)$/);
  if (typeof main !== 'object' || main === null) return null;
  const languages = await read(/^languages\.(toml|ya?ml|json)$/);
  const permalinks = await read(/^permalinks\.(toml|ya?ml|json)$/);
  const parts = { ...(languages ? { languages } : {}), ...(permalinks ? { permalinks } : {}) };
  return siteOf(configuration.parse(withZone({ ...main, ...parts })), 'hugo', []);
}

const text = z.string().catch('');
const configuration = z.object({
  ...{ baseURL: text, baseurl: text, base_url: text, url: text, root: text, permalink: text },
  ...{ timeZone: text, collections: collectionsSchema },
  permalinks: z.record(z.string(), z.unknown()).catch({}),
  defaults: siteDefaultsSchema,
  defaultContentLanguage: text,
  default_language: text,
  languages: z.record(z.string(), z.unknown()).catch({}),
});
type Configuration = z.output<typeof configuration>;

/** A configuration that cannot be read is ignored. */
async function readConfiguration(file: string): Promise<Configuration> {
  return configuration.parse(withZone(await readData(file)));
}

/** Jekyll and Hexo call it `timezone`, Hugo `timeZone` in any case. */
function withZone(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return {};
  const [, timeZone] = Object.entries(data).find(([name]) => name.toLowerCase() === 'timezone') ?? [];
  return { ...data, timeZone: typeof timeZone === 'number' ? String(timeZone) : timeZone };
}

async function readData(file: string): Promise<unknown> {
  try {
    const source = plainText(await readFile(file, 'utf8'));
    if (source.length > CONFIG_MAX_BYTES) return null;
    return file.endsWith('.toml') ? parseToml(source) : parseYaml(source);
  } catch {
    return null;
  }
}

function siteOf(config: Configuration, file: string, names: string[]): MarkdownSite | null {
  const address = config.baseURL || config.base_url || config.url || config.baseurl;
  const url = URL.canParse(address) ? new URL(address) : null;
  const below =
    url && url.pathname !== '/' ? url.pathname : config.root || (config.url ? config.baseurl : '');
  const site = {
    ...unknownSite,
    siteUrl: url === null ? '' : url.origin,
    basePath: (URL.canParse(below) ? '' : below).replace(/\/+$/, ''),
    timeZone: config.timeZone.trim(),
  };
  const main = config.defaultContentLanguage || config.default_language || 'en';
  const languages = languagesOf(main, config.languages);
  if (file.startsWith('_config'))
    return {
      ...site,
      dialect: names.includes('source') ? 'hexo' : 'jekyll',
      permalink: styles[config.permalink] ?? (config.permalink || null),
      permalinkOf: addressesOfCollections(config.collections, config.permalink),
      defaults: config.defaults,
    };
  if (file.startsWith('zola') || config.base_url !== '') return { ...site, dialect: 'zola', languages };
  if (file.startsWith('hugo') || config.baseURL !== '' || config.baseurl !== '')
    return { ...site, dialect: 'hugo', permalinkOf: patternsOf(config.permalinks), languages };
  return null;
}

/** Jekyll's names for schemes. */
const styles: Record<string, string> = {
  date: '/:categories/:year/:month/:day/:title.html',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title.html',
  none: '/:categories/:title.html',
};

// Either one scheme a section, or the same below `page`.
function patternsOf(permalinks: Record<string, unknown>): Record<string, string> {
  const { page } = permalinks;
  const all = { ...permalinks, ...(typeof page === 'object' ? (page as Record<string, unknown>) : {}) };
  return Object.fromEntries(
    Object.entries(all).flatMap(([section, pattern]) =>
      typeof pattern === 'string' ? [[section, pattern]] : [],
    ),
  );
}

function byFolders(root: string, posts: string[]): DialectName | null {
  const paths = [path.basename(root), ...posts].map((file) => `/${file}/`);
  if (paths.some((file) => file.includes('/source/_posts/'))) return 'hexo';
  return paths.some((file) => /\/_(posts|drafts)\//.test(file)) ? 'jekyll' : null;
}

const signs: [DialectName, RegExp][] = [
  ['hugo', /\{\{[<%]\s*\/?[\w-]+[\s\S]*?[%>]\}\}/],
  ['zola', /^\+\+\+\n[\s\S]*?^\[(taxonomies|extra)\]|\]\(@\//m],
  ['jekyll', /\{%\s*(highlight|post_url|include|link)\s|\{\{\s*site\.(baseurl|url)\s*\}\}/],
  ['astro', /^---\n[\s\S]*?^(pubDate|heroImage):/m],
  [
    'docusaurus',
    /^:::(note|tip|info|caution|warning|danger)\b|<!--\s*truncate\s*-->|\{\/\*\s*truncate\s*\*\/\}/m,
  ],
  ['pelican', /(?<![\s\S])(?=[\s\S]{0,500}?^date:)(?:[a-z][\w-]*:[^\n]*\n)*title:[^\n]*\n/im],
  ['obsidian', /!?\[\[[^[\]\n]+\]\]/],
];

/** The generator whose syntax at least a fifth of the files contain. */
async function byTexts(posts: string[], textOf: (file: string) => Promise<string>): Promise<DialectName> {
  const counts = new Map<DialectName, number>();
  for (const file of posts) {
    const content = plainText((await textOf(file).catch(() => '')).slice(0, SIGN_WITHIN));
    for (const [dialect, sign] of signs)
      if (sign.test(content)) counts.set(dialect, (counts.get(dialect) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return best && best[1] >= posts.length / 5 ? best[0] : 'markdown';
}

/** A text as the patterns and parsers here expect it: Windows writes a byte order mark and other line ends. */
function plainText(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/**
 * The scheme of addresses of each collection, by its folder.
 * @param permalink the site's own, which decides whether default addresses end in `/` or `.html`
 */
function addressesOfCollections(
  collections: Record<string, string>,
  permalink: string,
): Record<string, string> {
  const end = permalink === 'pretty' || permalink.endsWith('/') ? '/' : '.html';
  return Object.fromEntries(
    Object.entries(collections).map(([name, own]) => [
      `_${name}`,
      (own || `/:collection/:path${end}`).replaceAll(':collection', name),
    ]),
  );
}
