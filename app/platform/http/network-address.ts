const MAPPED_IPV4 = '0000:0000:0000:0000:0000:ffff:';
const FIRST_FOUR_GROUPS = '0000:0000:0000:0000'.length;

/**
 * The network that rate limits count by: an IPv4 address, or the /64 network of an IPv6 address, since one client has
 * all addresses of such a network. Anything else is returned unchanged.
 */
export function networkOf(client: string): string {
  const address = withoutPort(client);
  const full = fullIpv6(address.replace(/%.*$/, ''));
  if (full === null) return address;
  if (!full.startsWith(MAPPED_IPV4)) return `${full.slice(0, FIRST_FOUR_GROUPS)}::/64`;
  const bytes = full.slice(MAPPED_IPV4.length).replace(':', '').match(/../g) ?? [];
  return bytes.map((byte) => parseInt(byte, 16)).join('.');
}

/** Some proxies forward the port too, which differs for each connection of a client. */
function withoutPort(address: string): string {
  return address.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[(.*)\](?::\d+)?$/, '$1');
}

/** All eight groups of an IPv6 address, four hexadecimal digits each; null for anything else. */
function fullIpv6(address: string): string | null {
  const url = `http://[${address}]/`;
  if (!address.includes(':') || !URL.canParse(url)) return null;
  // The URL parser writes every spelling one way: hexadecimal groups and at most one `::`.
  const [head = '', tail = ''] = new URL(url).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(':');
}
