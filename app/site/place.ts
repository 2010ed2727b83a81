import type { AppLoadContext } from '@remix-run/node';

/** The place of a public address whose first part is a setting: a language, a page or the list of posts. */
export interface Place {
  /** The list that it shows: `''`, or one of the site's other languages. */
  listedIn: string;
  /** The address that was asked for, decoded. */
  path: string;
}

/** The list of a place, and the prefix of its addresses; without a place, those of the main list. */
export function placeOf({ place }: Pick<AppLoadContext, 'place'>): { listedIn: string; prefix: string } {
  const listedIn = place?.listedIn ?? '';
  return { listedIn, prefix: prefixOf(listedIn) };
}

/** The beginning of the addresses of a list's pages. */
export function prefixOf(listedIn: string): string {
  return listedIn === '' ? '' : `/${listedIn}`;
}

/** The language of a page if it is not the site's; `undefined` leaves it out of the answer. */
export function languageOf(context: Pick<AppLoadContext, 'place'>): string | undefined {
  return context.place?.listedIn || undefined;
}
