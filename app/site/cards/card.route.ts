import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { appOf } from '#app/compose.server.ts';
import { readOnly, textNotFound } from '#app/platform/http/responses.ts';
import { findPageById } from '#app/posts/lists/queries.server.ts';
import { cachedCard } from './cached.server.ts';
import { cardHash, cardOf, cardPath } from './card.server.ts';

/** The social card of a published post. Its name carries a hash of what it shows, so it may be cached forever. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const [, id, hash] =
    /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([0-9a-f]{12})\.png$/.exec(params.file ?? '') ?? [];
  if (!id) return textNotFound();
  const app = await appOf(context);
  const post = await findPageById(app, id);
  const card = post && (await cardOf(app, post));
  if (!card) return textNotFound();
  // A page that was cached before a change names the former card.
  if (cardHash(card) !== hash)
    return redirect(cardPath(id, card), { status: 302, headers: { 'Cache-Control': 'no-cache' } });
  const picture = await cachedCard(app, id, card);
  if (!picture)
    return new Response('Too many images are waiting to be drawn.\n', {
      status: 503,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '10' },
    });
  return new Response(new Uint8Array(picture), {
    headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=31536000, immutable' },
  });
}

export const action = readOnly;
