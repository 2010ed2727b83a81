import type { LoaderFunctionArgs } from '@remix-run/node';
import { readOnly, textNotFound } from '#app/platform/responses.ts';
import { readTheme } from '#app/site/theme.server.ts';

/** The accent colour's stylesheet; its name carries a hash of its bytes, so it may be kept for good. */
export function loader({ params }: LoaderFunctionArgs) {
  const stylesheet = readTheme(params.file ?? '');
  if (stylesheet === null) return textNotFound();
  return new Response(stylesheet, {
    headers: {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  });
}

export const action = readOnly;
