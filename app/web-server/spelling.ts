const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** A path in its normal percent-encoding (RFC 3986, section 6.2.2): nothing encoded needlessly, digits in capitals. */
function normalEncoding(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(parseInt(code.slice(1), 16));
    return UNRESERVED.test(character) ? character : code.toUpperCase();
  });
}

/**
 * The one spelling of a path that a route matches: the route's own words as they are written in its pattern, the rest
 * in normal percent-encoding. Routers compare without regard to case and after decoding; proxies do neither.
 * @param pattern as in `app/routes.ts`, such as `posts/:slug` or `uploads/*`
 */
export function spellingOf(path: string, pattern: string): string {
  const words = pattern === '' ? [] : pattern.split('/');
  const segments = normalEncoding(path).split('/').slice(1);
  return `/${segments.map((segment, index) => (/^[:*]/.test(words[index] ?? '*') ? segment : words[index])).join('/')}`;
}

/** True for the value of a `Host` header that can be in an address. */
export function isHost(value: string): boolean {
  return (
    /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(value.trim()) && URL.canParse(`http://${value.trim()}`)
  );
}
