/** The path of a request target (RFC 9112, section 3.2): all before its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

/** A request target without its origin: a client may send the whole address (RFC 9112, section 3.2.2). */
export function withoutOrigin(target: string): string {
  if (target.startsWith('/')) return target;
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  return local.startsWith('/') || local === target ? local : `/${local}`;
}

/** An address without its query and fragment. */
export function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}

/** The host of an address without `www.`. */
export function hostOf({ host }: Pick<URL, 'host'>): string {
  return host.replace(/^www\./, '');
}

/** A percent-encoded path as people read it; unchanged if it cannot be decoded. */
export function decodedOrSame(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

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
