import type { LoaderFunctionArgs } from '@remix-run/node';
import { appOf } from '#app/compose.server.ts';
import { readOnly, textNotFound } from '#app/platform/http/responses.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { appearanceStylesheet, stylesheetHash, textStylesheet } from './stylesheet.server.ts';

const FOREVER = 'public, max-age=31536000, immutable';

/** The stylesheet of the site's appearance, or (`text-`) of a text in the backend; its name carries a hash of its bytes, so it may be cached forever. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const [, ofText, hash] = /^(text-)?([0-9a-f]{12})\.css$/.exec(params.file ?? '') ?? [];
  if (!hash) return textNotFound();
  const settings = await readSettings(await appOf(context));
  const stylesheet = ofText ? textStylesheet(settings) : appearanceStylesheet(settings);
  // A page that was cached with an earlier appearance gets the present one.
  const isCurrent = stylesheetHash(stylesheet) === hash;
  return new Response(stylesheet, {
    headers: {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': isCurrent ? FOREVER : 'no-cache',
    },
  });
}

export const action = readOnly;
