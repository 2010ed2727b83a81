import { canonicalLanguage } from '#app/platform/text/language-tag.ts';

/** A language of a site that Hugo or Zola makes. */
export interface SiteLanguage {
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
export interface FileLanguage {
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
