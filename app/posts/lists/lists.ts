import { coveringLanguage } from '#app/platform/text/language-tag.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import type { Settings } from '#app/settings/catalogue.ts';

/** The list of all pages. Readers never see it. */
export const PAGES_LIST = 'pages';

/** The published posts of one list: part of the condition of every public list. */
export function isListed(listedIn = '') {
  return { listedIn, status: 'published' } as const;
}

/**
 * The list that shows a post: `''` for the site's main one, the tag of one of the site's other languages, or
 * `PAGES_LIST`. Stored with the post, so that every list is a range of one index.
 */
export function listOf(
  { type, language }: Pick<PostFields, 'type' | 'language'>,
  { site_languages: languages }: Pick<Settings, 'site_languages'>,
): string {
  if (type === 'page') return PAGES_LIST;
  return (language !== '' && coveringLanguage(language, languages)) || '';
}
