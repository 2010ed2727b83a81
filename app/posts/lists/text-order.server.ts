import type { Db } from '#app/platform/services.ts';
import { readSetting } from '#app/settings/queries.server.ts';

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
