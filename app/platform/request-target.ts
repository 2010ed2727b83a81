/** The path of a request target (RFC 9112, section 3.2): all before its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}
