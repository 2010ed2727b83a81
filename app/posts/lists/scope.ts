import { coveringLanguage } from '#app/platform/text/languages.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import type { Settings } from '#app/settings/catalogue.ts';

/** The only public state; every public read has it in its condition. */
export const isPublic = { status: 'published' } as const;

/** Which posts a list is about; nothing set means all, pages too. */
export interface ListScope {
  /** `''`: the site's main list, else the list of another language. Absent: any list. */
  listedIn?: string;
  categoryId?: string;
  tagId?: string;
  authorId?: string;
}

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
