/** A path of this site, safe to redirect to; null for anything else (other hosts, other schemes). */
export function localPath(target: string | null | undefined): string | null {
  if (!target || !target.startsWith('/') || /[\0-\x1f\\]/.test(target)) return null;
  const base = 'http://own.invalid';
  if (!URL.canParse(target, base)) return null;
  const url = new URL(target, base);
  // Resolved as a browser does: `/..//evil.example` begins with two slashes once its dots are resolved.
  if (url.origin !== base || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search + url.hash;
}
