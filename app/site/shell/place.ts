import type { AppLoadContext } from '@remix-run/node';
import { prefixOf } from '#app/posts/paths.ts';

/** The list of a place, and the prefix of its addresses; without a place, those of the main list. */
export function placeOf({ place }: Pick<AppLoadContext, 'place'>): { listedIn: string; prefix: string } {
  const listedIn = place?.listedIn ?? '';
  return { listedIn, prefix: prefixOf(listedIn) };
}

/** The language of a page if it is not the site's; `undefined` leaves it out of the answer. */
export function languageOf(context: Pick<AppLoadContext, 'place'>): string | undefined {
  return context.place?.listedIn || undefined;
}
