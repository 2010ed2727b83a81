import { isIP } from 'node:net';
import type { RequestHandler } from 'express';

/**
 * Replaces `X-Forwarded-For` by the addresses in it that can be trusted, before Express reads it. The proxies append to
 * it, and the client writes what stands further left. So only the last addresses count, one for each trusted hop, and
 * none to the left of one that is no address.
 */
export function readForwardedFor(hops: number): RequestHandler {
  return (request, _response, next) => {
    const header = request.get('X-Forwarded-For');
    if (header !== undefined) {
      const addresses: string[] = [];
      for (const entry of header.split(',').slice(-hops).reverse()) {
        const address = hops > 0 ? parseAddress(entry) : null;
        if (address === null) break;
        addresses.unshift(address);
      }
      if (addresses.length > 0) request.headers['x-forwarded-for'] = addresses.join(', ');
      else delete request.headers['x-forwarded-for'];
    }
    next();
  };
}

/** An IP address as proxies write it, with a port, brackets or a zone; null for anything else. */
export function parseAddress(entry: string): string | null {
  const [, bracketed, version4] =
    /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d+(?:\.\d+){3}):\d{1,5})$/.exec(entry.trim()) ?? [];
  const address = (bracketed ?? version4 ?? entry.trim()).replace(/%[\w.-]{1,32}$/, '');
  return isIP(address) === 0 ? null : address.toLowerCase();
}
