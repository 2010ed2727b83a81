import type { PageKey } from '#app/platform/http/page-keys.ts';
import { surrogateKeys } from '#app/platform/http/surrogate-keys.server.ts';
import type { Delivery, WholeAnswer } from '#app/web/pages/page-source.ts';

/** How long a cache in front keeps a page that it can purge. */
const PURGED_SECONDS = 24 * 60 * 60;

type Headers = Record<string, string>;

/**
 * The headers of a public answer for caches in front. Where they are purged, they keep pages; browsers still ask each time.
 * @param canPurge false: what the answer shows is not among the keys, so its own `Cache-Control` holds
 */
export function deliveryHeaders(
  { cache_keys, purge_form, purge_url }: Delivery,
  { status, headers }: Pick<WholeAnswer, 'status' | 'headers'>,
  { path, keys, canPurge }: { path: string; keys: Iterable<PageKey>; canPurge: boolean },
): Headers {
  const caching = headers['cache-control'] ?? 'no-cache';
  if (!cache_keys || /no-store|private/.test(caching)) return {};
  const names = surrogateKeys(path, keys);
  const named = { 'surrogate-key': names.join(' '), 'cache-tag': names.join(',') };
  if (purge_form === 'off' || purge_url === '') return named;
  const isKept = canPurge && caching.includes('no-cache') && (status === 200 || status === 404);
  if (!isKept) return { ...named, 'cdn-cache-control': caching };
  const kept = { ...named, 'cdn-cache-control': `public, max-age=${PURGED_SECONDS}` };
  // Cloudflare reads that header; the others keep what `s-maxage` allows.
  if (purge_form === 'cloudflare') return kept;
  return { ...kept, 'cache-control': `public, max-age=0, must-revalidate, s-maxage=${PURGED_SECONDS}` };
}
