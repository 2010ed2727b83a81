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

/** A percent-encoded path as people read it; unchanged if it cannot be decoded. */
export function decodedOrSame(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
