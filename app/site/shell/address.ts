import type { AppLoadContext } from '@remix-run/node';
import { cutText } from '#app/platform/text/graphemes.ts';
import { isStorable } from '#app/platform/text/schemas.ts';
import { prefixOf } from '#app/posts/paths.ts';

/** A slug from an address, ready for a query; null for an invalid one. */
export function readSlug(param: string | null | undefined): string | null {
  return param && param.length <= 1_000 && isStorable(param) ? param.normalize('NFC') : null;
}

/** The page that `?page=` asks for: 1 without it or if it is blank, null for anything but a positive number. */
export function readPageNumber(url: URL): number | null {
  const value = url.searchParams.get('page') ?? '';
  if (value === '') return 1;
  return /^[1-9]\d{0,6}$/.test(value) ? Number(value) : null;
}

/** The words of `?q=`: one line, of a length that a person types. */
export function readQuery(url: URL): string {
  const query = (url.searchParams.get('q') ?? '')
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return cutText(query, 200).trim();
}

/** The list of a place, and the prefix of its addresses; without a place, those of the main list. */
export function placeOf({ place }: Pick<AppLoadContext, 'place'>): { listedIn: string; prefix: string } {
  const listedIn = place?.listedIn ?? '';
  return { listedIn, prefix: prefixOf(listedIn) };
}

/** The language of a page if it is not the site's; `undefined` leaves it out of the answer. */
export function languageOf(context: Pick<AppLoadContext, 'place'>): string | undefined {
  return context.place?.listedIn || undefined;
}
