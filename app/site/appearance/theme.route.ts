import type { LoaderFunctionArgs } from '@remix-run/node';
import { appOf } from '#app/compose.server.ts';
import { readOnly, textNotFound } from '#app/platform/http/responses.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { appearanceStylesheet, stylesheetHash } from './stylesheet.server.ts';

const FOREVER = 'public, max-age=31536000, immutable';

/** The stylesheet of the site's appearance; its name carries a hash of its bytes, so it may be cached forever. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const hash = /^([0-9a-f]{12})\.css$/.exec(params.file ?? '')?.[1];
  if (!hash) return textNotFound();
  const stylesheet = appearanceStylesheet(await readSettings(await appOf(context)));
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
