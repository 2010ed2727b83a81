import { isStorable } from '#app/platform/text/schemas.ts';
import { numberedAddress } from '#app/posts/addresses/old-site-queries.ts';
import { decodePath } from '#app/posts/paths.ts';

/** An entry of an index of PostgreSQL has at most 2,704 bytes: fewer than 1,000 Chinese characters. */
const MAX_BYTES = 2_600;

/**
 * An old address of a post as redirects store it: a decoded path that begins with `/` and does not end with one. Only
 * the path of an absolute URL counts, except for WordPress's numbers of categories, files and authors (`/?cat=3`). Null
 * for an address without a path, such as `?p=12`.
 */
export function oldAddress(written: string): string | null {
  const address = written.trim();
  const numbered = numberedAddress(address);
  if (numbered !== null) return numbered;
  const path = /^https?:\/\//i.test(address) ? pathnameOf(address) : address.replace(/[?#].*$/s, '');
  if (path === null || path === '') return null;
  const decoded = decodePath(path);
  if (decoded === null) return null;
  const segments = decoded.split('/').filter((segment) => segment !== '' && segment !== '.');
  const clean = `/${segments.join('/')}`;
  const isPath = segments.length > 0 && !segments.includes('..') && isStorable(clean);
  return isPath && clean.length <= 1_000 && Buffer.byteLength(clean) <= MAX_BYTES ? clean : null;
}

function pathnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).pathname : null;
}

/** Old paths by their targets. Rules with patterns cannot be kept. */
export interface ReadRedirects {
  /** Path (decoded, no slash at the end) → old paths. */
  byTarget: Map<string, string[]>;
  /** In words. */
  leftOut: string[];
}

/** The rules of a redirects file. Rules that match no post and no tag are listed at the end. */
export class Redirects {
  private readonly rules: ReadRedirects;
  private readonly taken = new Set<string>();

  constructor(rules: ReadRedirects) {
    this.rules = rules;
  }

  /** The old paths that redirect to a path of the old site. */
  take(target: string): string[] {
    this.taken.add(target);
    return this.rules.byTarget.get(target) ?? [];
  }

  /** What could not be imported, in words. */
  notes(): string[] {
    const lost = [...this.rules.byTarget].filter(([target]) => !this.taken.has(target));
    return [
      ...this.rules.leftOut,
      ...lost.flatMap(([target, paths]) =>
        paths.map((path) => `The redirect from ${path} to ${target} leads to nothing here and was left out.`),
      ),
    ];
  }
}
