import * as z from 'zod';
import { canonicalLanguage } from '#app/platform/text/languages.ts';
import type { DialectName } from './dialects.ts';

/** A language of a site that Hugo or Zola makes. */
interface SiteLanguage {
  /** The language in file names and addresses. */
  key: string;
  tag: string;
  /** Hugo: the folder of its posts below the project; `''` for none. */
  folder: string;
  /** Hugo: the zone of times that name none, as the configuration has it; `''` for that of the site. */
  timeZone: string;
  /** True for the main language. Its files do not name a language, and neither do its addresses. */
  isMain: boolean;
}

/** The language that a file's path names. */
interface FileLanguage {
  /** Null on a site with one language. */
  tag: string | null;
  /** The beginning of addresses in the language; blank for the main one. */
  prefix: string;
  /**
   * The language in the file's name (`de` of `second.de.md`); blank for the main one. Slugs of translations end in it.
   */
  nameEnding: string;
  /** The language's own time zone, as the configuration has it; `''` without one. */
  timeZone: string;
  /** The path without the language, which translations share. */
  path: string;
}

/** The languages of a configuration, with the main one; empty for a site with one language. */
export function languagesOf(main: string, languages: Readonly<Record<string, unknown>>): SiteLanguage[] {
  const keys = [...new Set([main, ...Object.keys(languages)])];
  const all = keys.flatMap((key) => {
    const tag = canonicalLanguage(key);
    const settings = languages[key] as Record<string, unknown> | null | undefined;
    const [, zone] = Object.entries(settings ?? {}).find(([name]) => name.toLowerCase() === 'timezone') ?? [];
    const timeZone = typeof zone === 'string' ? zone.trim() : '';
    const folder =
      typeof settings?.contentDir === 'string' ? settings.contentDir.replace(/^\.?\/+|\/+$/g, '') : '';
    return tag === null ? [] : [{ key, tag, folder, timeZone, isMain: key === main }];
  });
  return all.length > 1 ? all : [];
}

/** @param root the name of the imported folder: languages name their folders by paths from the project */
export function languageOfFile(path: string, languages: readonly SiteLanguage[], root = ''): FileLanguage {
  const [, stem = '', key = '', ending = ''] = /^(.*)\.([\w-]+)(\.\w+)$/s.exec(path) ?? [];
  const named = languages.find((language) => language.key.toLowerCase() === key.toLowerCase());
  if (named)
    return { ...inLanguage(named, stem + ending), nameEnding: named.isMain ? '' : named.key.toLowerCase() };
  const whole = `/${root}/${path}`;
  const [inFolder] = languages
    .filter(({ folder }) => folder !== '' && whole.includes(`/${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length);
  if (!inFolder) return inLanguage(languages.find(({ isMain }) => isMain) ?? null, path);
  const start = whole.indexOf(`/${inFolder.folder}/`) + inFolder.folder.length + 2;
  return inLanguage(inFolder, whole.slice(start));
}

function inLanguage(language: SiteLanguage | null, path: string): FileLanguage {
  const prefix = language === null || language.isMain ? '' : `/${language.key.toLowerCase()}`;
  return { tag: language?.tag ?? null, prefix, nameEnding: '', timeZone: language?.timeZone ?? '', path };
}

/** Values from Jekyll's configuration or a data file of Eleventy, for files that do not set them. */
export interface SiteDefaults {
  /** A folder or file below the imported folder, to which the values apply; `''` for all files. */
  path: string;
  /** `posts`, `pages`, `drafts` or another collection; `''` for all. */
  type: string;
  values: Readonly<Record<string, unknown>>;
}

/**
 * The values that are read. Others, such as pictures and addresses made of words, have no meaning without the theme.
 */
const importedFields = new Set('author authors category categories tags layout published'.split(' '));

const text = z.string().catch('');
const entry = z.object({
  scope: z.object({ path: text, type: text }).catch({ path: '', type: '' }),
  values: z.record(z.string(), z.unknown()),
});

/** `defaults` of a configuration; entries that cannot be read are left out. */
export const siteDefaultsSchema = z
  .array(z.unknown())
  .catch([])
  .transform((entries) =>
    entries.flatMap((candidate): SiteDefaults[] => {
      const parsed = entry.safeParse(candidate);
      if (!parsed.success) return [];
      const { scope, values } = parsed.data;
      const imported = Object.entries(values).filter(([name]) => importedFields.has(name));
      return [{ ...scope, path: scope.path.replace(/^\/+|\/+$/g, ''), values: Object.fromEntries(imported) }];
    }),
  );

/** The values for a file. Of several entries the longest path wins, then the later entry, as in Jekyll. */
export function defaultsFor(file: string, defaults: readonly SiteDefaults[]): Record<string, unknown> {
  const [, collection] = /(?:^|\/)_(\w+)\//.exec(file) ?? [];
  const type = collection ?? 'pages';
  return defaults
    .filter(
      (defaultsEntry) =>
        defaultsEntry.type === '' || defaultsEntry.type === type || `${defaultsEntry.type}s` === type,
    )
    .filter(({ path }) => path === '' || file === path || file.startsWith(`${path}/`))
    .sort((a, b) => a.path.length - b.path.length)
    .reduce((all, { values }) => ({ ...all, ...values }), {});
}

/** The generator that a folder of Markdown files is written for, and its configuration of addresses. */
export interface MarkdownSite {
  dialect: DialectName;
  /** The scheme of addresses, such as `/:year/:title/`; null: the dialect's own. */
  permalink: string | null;
  /** Schemes by the first folder of a post's path: Hugo's sections, and Jekyll's collections that are pages of the site. */
  permalinkOf: Readonly<Record<string, string>>;
  /** Address of the old site without a slash at the end; `''` when it is unknown. */
  siteUrl: string;
  /** Path of the old site, such as `/blog`; `''` for the root of its host. */
  basePath: string;
  /** The zone of times that name none, as the configuration has it; `''` without one. */
  timeZone: string;
  /** VitePress: the folder of the texts (`srcDir`) below that of the configuration; `''` for the same. */
  sourceFolder: string;
  /**
   * The beginnings of post addresses that differ from the post's folder: routes of Astro and SvelteKit that show posts,
   * the prefix in Gatsby's program, the blog of Docusaurus. Several count as unknown.
   */
  routes: readonly string[];
  /** Values for many files at once: from Jekyll's configuration and Eleventy's data files. */
  defaults: readonly SiteDefaults[];
  /** The languages of a site by Hugo or Zola that has several. */
  languages: readonly SiteLanguage[];
}

export interface MarkdownContext {
  /** IANA name of the zone of dates that name none. */
  timeZone: string;
  now: Date;
  site: MarkdownSite;
  /** The name of the imported folder. */
  folder?: string;
  /** `--permalink`: the scheme of old addresses, before any other. */
  permalink: string | null;
  /** Names of authors by their keys in `authors.yml`. */
  authors: ReadonlyMap<string, string>;
  /** The language of this site; posts in it get no `language`. */
  siteLanguage?: string;
}
