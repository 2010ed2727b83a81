import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, isIPv6, BlockList } from 'node:net';
import { AppError, isAppError, messageOf, invalidInput } from '#app/platform/errors.ts';
import { chunksOf, readBeginning } from '#app/platform/files/chunks.ts';
import { say } from '#app/platform/message.ts';
import { isPublicAddress } from './network-address.server.ts';

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

/** Time limit of one request, from the look-up of the name to the end of the answer. */
const REQUEST_MS = 15_000;
/** Bytes of an answer that are read; the rest is dropped. */
const ANSWER_BYTES = 8 * 1024;

export interface NetworkAddress {
  address: string;
  family: number;
}

/** Which address of a host a request connects to. */
interface OutboundRules {
  /** Whether a connection to an address of a host is allowed. */
  isAllowed: (address: string, host: string) => boolean;
  /** Resolves a host to all its addresses; tests replace it. */
  resolve?: (host: string) => Promise<NetworkAddress[]>;
}

/** Public addresses, and what `OUTBOUND_ALLOW` names. */
export function outboundRules({ hosts, networks }: OutboundAllow): OutboundRules {
  const own = new BlockList();
  for (const { address, prefix, family } of networks) own.addSubnet(address, prefix, family);
  return {
    isAllowed: (address, host) =>
      isPublicAddress(address) ||
      hosts.includes(host.toLowerCase()) ||
      own.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'),
  };
}

/**
 * The one address that a request to a URL connects to. A name is resolved once, and all its addresses must be allowed.
 * @throws AppError `invalid_input` with the reason, which continues "… because"
 */
export async function resolveTarget(
  url: URL,
  { isAllowed, resolve = (host) => lookup(host, { all: true }) }: OutboundRules,
): Promise<NetworkAddress> {
  if (!/^https?:$/.test(url.protocol))
    throw invalidInput('its address has another scheme than http and https');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host).catch(() => []) : [{ address: host, family }];
  const [first] = addresses;
  if (first === undefined) throw invalidInput('its host is unknown');
  if (!addresses.every(({ address }) => isAllowed(address, host)))
    throw invalidInput('its host is in a network that is not public');
  return first;
}

/** Sends one request to an address that `resolveTarget` returned. Redirects are not followed. */
export function requestPinned(
  url: URL,
  { address, family }: NetworkAddress,
  {
    body,
    ...options
  }: { method?: string; headers: http.OutgoingHttpHeaders; signal: AbortSignal; body?: string },
): Promise<http.IncomingMessage> {
  const client = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    client
      .request(
        url,
        {
          ...options,
          agent: false,
          // Returns the address that was checked, even if the name resolves to another one now. With `all`, a list.
          lookup: (_host, { all }, done) =>
            all ? done(null, [{ address, family }]) : done(null, address, family),
        },
        resolve,
      )
      .on('error', reject)
      .end(body);
  });
}

/** The answer to an outgoing request: a status of any kind, and the beginning of the text. */
export interface OutboundAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

export interface OutboundRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Shorter, for tests. */
  timeoutMs?: number;
}

/**
 * Sends a request to a public address or one that `OUTBOUND_ALLOW` names: 15 seconds in all, no redirects.
 * @throws AppError `invalid_input` for an address that is refused, `unavailable` when no answer came
 */
export async function sendOutbound(
  rules: OutboundRules,
  { method, url: address, headers, body, timeoutMs = REQUEST_MS }: OutboundRequest,
): Promise<OutboundAnswer> {
  const url = new URL(address);
  const signal = AbortSignal.timeout(timeoutMs);
  const timedOut = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('timeout')), { once: true }),
  );
  try {
    // A look-up takes no signal.
    const target = await Promise.race([resolveTarget(url, rules), timedOut]);
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const response = await requestPinned(url, target, {
      method,
      headers: { 'User-Agent': 'Dateline', ...headers, ...length },
      signal,
      body,
    });
    const text = await readBeginning(chunksOf(response), ANSWER_BYTES);
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  } catch (error) {
    if (signal.aborted)
      throw new AppError(
        'unavailable',
        say('No answer within {seconds} seconds.', { seconds: timeoutMs / 1_000 }),
        {
          cause: error,
        },
      );
    if (isAppError(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new AppError('unavailable', say('The connection failed: {reason}.', { reason: code ?? message }), {
      cause: error,
    });
  } finally {
    timedOut.catch(() => {});
  }
}

/**
 * Checks an address that somebody enters, so that a form says at once what a request would.
 * @returns the reason in words for people, or null
 */
export async function outboundProblem(rules: OutboundRules, address: string): Promise<string | null> {
  if (!URL.canParse(address)) return 'Enter an address such as https://example.org/hook.';
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return 'The address must begin with https:// or http://.';
  if (url.username !== '' || url.password !== '') return 'The address must not contain a password.';
  try {
    await resolveTarget(url, rules);
    return null;
  } catch (error) {
    return /unknown/.test(messageOf(error))
      ? 'The host of this address is unknown.'
      : 'The host of this address is in a network that is not public. OUTBOUND_ALLOW can allow it.';
  }
}
