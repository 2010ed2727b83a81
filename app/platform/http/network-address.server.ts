import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What is handed out of the address space of IPv6 for the public internet. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** True for an address of the public internet. An IPv4 address that is written as an IPv6 one is none. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIpv6));
}

/**
 * The network that rate limits count by: an IPv4 address, or the /64 network of an IPv6 address, since one client has
 * all addresses of such a network. Anything else is returned unchanged.
 */
export function networkOf(client: string): string {
  const address = withoutPort(client);
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16).padStart(4, '0'));
  return `${groups.join(':')}::/64`;
}

/** Some proxies forward the port too, which differs for each connection of a client. */
function withoutPort(address: string): string {
  return address.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[(.*)\](?::\d+)?$/, '$1');
}
