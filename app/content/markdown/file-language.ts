import { canonicalLanguage } from '#app/platform/language-tag.ts';

/** One of the languages of a site that Hugo or Zola makes. */
export interface SiteLanguage {
  /** As file names and addresses have it. */
  key: string;
  tag: string;
  /** Hugo: the folder of its posts below the project; `''` for none. */
  folder: string;
  /** The one of files that name no language; its addresses have none either. */
  isMain: boolean;
}

/** What a file's place says of its language. */
export interface FileLanguage {
  /** Null where the site has one language. */
  tag: string | null;
  /** What addresses in the language begin with; blank for the main one. */
  prefix: string;
  /** The language as the name says it (`de` of `second.de.md`); blank for the main one. Slugs end in it: the original has the name itself. */
  nameEnding: string;
  /** The path without the language: the one that translations share. */
  path: string;
}

/** The languages that a configuration names, the main one among them; none where there is only one. */
export function languagesOf(main: string, languages: Readonly<Record<string, unknown>>): SiteLanguage[] {
  const keys = [...new Set([main, ...Object.keys(languages)])];
  const all = keys.flatMap((key) => {
    const tag = canonicalLanguage(key);
    const own = languages[key] as { contentDir?: unknown } | null | undefined;
    const folder = typeof own?.contentDir === 'string' ? own.contentDir.replace(/^\.?\/+|\/+$/g, '') : '';
    return tag === null ? [] : [{ key, tag, folder, isMain: key === main }];
  });
  return all.length > 1 ? all : [];
}

/** @param root the name of the folder that is read: languages name their folders from the project on */
export function languageOfFile(path: string, languages: readonly SiteLanguage[], root = ''): FileLanguage {
  const [, stem = '', key = '', ending = ''] = /^(.*)\.([\w-]+)(\.\w+)$/s.exec(path) ?? [];
  const named = languages.find((one) => one.key.toLowerCase() === key.toLowerCase());
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
  return { tag: language?.tag ?? null, prefix, nameEnding: '', path };
}
