import { isIP, isIPv6 } from 'node:net';

/** Own hosts and networks that outgoing requests may reach besides public addresses. Plain data: workers get it too. */
export interface OutboundAllow {
  /** Lower-case. */
  hosts: string[];
  networks: { address: string; prefix: number; family: 'ipv4' | 'ipv6' }[];
}

/** Reads `OUTBOUND_ALLOW`: host names, addresses and CIDR blocks, separated by commas. @returns null for a wrong value */
export function parseOutboundAllow(value = ''): OutboundAllow | null {
  const allow: OutboundAllow = { hosts: [], networks: [] };
  for (const entry of value.split(',').map((each) => each.trim().toLowerCase())) {
    if (entry === '') continue;
    const [address = '', prefix, ...more] = entry.split('/');
    if (isIP(address) > 0) {
      const bits = isIPv6(address) ? 128 : 32;
      const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
      if (more.length > 0 || !(length <= bits)) return null;
      allow.networks.push({ address, prefix: length, family: isIPv6(address) ? 'ipv6' : 'ipv4' });
    } else if (/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(entry)) allow.hosts.push(entry);
    else return null;
  }
  return allow;
}
