/** The one builder of links into the backend: `adminUrl('admin', 'posts', id)` is `/admin/posts/<id>`. */
export function adminUrl(adminPath: string, ...segments: string[]): string {
  return `/${[adminPath, ...segments].map(encodeURIComponent).join('/')}`;
}

/** A path of this site, safe to redirect to; null for anything else (other hosts, other schemes). */
export function ownPath(target: string | null | undefined): string | null {
  if (!target || !/^\/(?![/\\])/.test(target) || /[\0-\x1f\\]/.test(target)) return null;
  const url = new URL(target, 'http://own.invalid');
  return url.host === 'own.invalid' ? url.pathname + url.search + url.hash : null;
}
