import { listKey, translationsKey } from '#app/platform/http/page-keys.ts';
import type { Reading, Db } from '#app/platform/services.ts';
import { isHome, postPath } from '#app/posts/paths.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { countPosts } from './counts.server.ts';
import type { Translation } from './public-post.ts';
import { isPublic, type ListScope } from './scope.ts';

/** The largest number of languages of one text. */
const LANGUAGES_MAX = 50;

/**
 * The same text in every language in which it is public; empty if there is only one.
 * @param options.hasTranslations false: it is known to have none
 */
export async function listTranslations(
  app: Reading,
  post: { id: string; translationOf: string | null },
  { hasTranslations = true } = {},
): Promise<Translation[]> {
  const original = post.translationOf ?? post.id;
  app.recordKeys?.(translationsKey(original));
  if (!hasTranslations) return [];
  const select = { id: true, slug: true, language: true, status: true } as const;
  const translated = await app.db.post.findMany({
    where: { translationOf: original },
    select,
    orderBy: { id: 'asc' },
    take: LANGUAGES_MAX,
  });
  if (translated.length === 0) return [];
  const first = await app.db.post.findUnique({ where: { id: original }, select });
  const all = [...(first ? [first] : []), ...translated].filter(({ status }) => status === isPublic.status);
  if (all.length < 2) return [];
  const home = await readSetting(app, 'home_page');
  return all.map((post) => ({
    slug: post.slug,
    path: isHome(post, home) ? '/' : postPath(post.slug),
    language: post.language,
  }));
}

/**
 * The lists in the site's languages that contain posts of a category, tag or author: `''` for the main one, else the
 * tag.
 */
export async function listLanguages(app: Reading, scope: Omit<ListScope, 'listedIn'>): Promise<string[]> {
  const others = await readSetting(app, 'site_languages');
  if (others.length === 0) return [];
  app.recordKeys?.(listKey(scope));
  const lists = ['', ...others];
  const counts = await Promise.all(lists.map((listedIn) => countPosts(app, { ...scope, listedIn })));
  return lists.filter((_, index) => counts[index]! > 0);
}

/**
 * Compares texts by the rules of a language, for lists of the public site. A database would sort by the rules of its own
 * locale, and a list at another instant comes from another database.
 * @param language blank: the site's
 */
export async function textOrder(app: Db, language: string): Promise<(a: string, b: string) => number> {
  const wanted = language || (await readSetting(app, 'site_language'));
  // Without a second language, one that is unknown would be replaced by that of the process.
  return new Intl.Collator([wanted, 'en']).compare;
}
