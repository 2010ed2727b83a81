import type { IncomingMessage } from 'node:http';

const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * A path in its normal percent-encoding (RFC 3986, section 6.2.2): only necessary characters encoded, hexadecimal
 * digits in capitals.
 */
function normalEncoding(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(parseInt(code.slice(1), 16));
    return UNRESERVED.test(character) ? character : code.toUpperCase();
  });
}

/**
 * The one spelling of a path that a route matches: fixed segments as in the route's pattern, the rest in normal
 * percent-encoding. Routers ignore case and compare decoded paths; proxies do neither.
 * @param pattern as in `app/routes.ts`, such as `posts/:slug` or `uploads/*`
 */
export function spellingOf(path: string, pattern: string): string {
  const words = pattern === '' ? [] : pattern.split('/');
  const segments = normalEncoding(path).split('/').slice(1);
  return `/${segments.map((segment, index) => (/^[:*]/.test(words[index] ?? '*') ? segment : words[index])).join('/')}`;
}

/** True when a request has one `Host` header at most: of several, Node drops all but the first. */
export function hasOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts <= 1;
}

/** True for the value of a `Host` header that can be in an address. */
export function isHost(value: string): boolean {
  return (
    /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(value.trim()) && URL.canParse(`http://${value.trim()}`)
  );
}
