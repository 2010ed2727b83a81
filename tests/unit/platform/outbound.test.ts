import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  parseOutboundAllow,
  outboundProblem,
  outboundRules,
  sendOutbound,
} from '#app/platform/http/outbound.server.ts';

const nothing = { hosts: [], networks: [] };
const post = (url: string) => ({ method: 'POST', url, headers: {}, body: 'text' });

/** Own networks in all spellings. */
const refused = [
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '0.0.0.0',
    '0',
  ],
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.0.1',
    '192.168.1.1',
    '169.254.169.254',
  ],
  ...['100.64.0.1', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1'],
  ...[
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ],
  ...['[::ffff:10.0.0.1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[fe80::1]', '[fc00::1]', '[fd12:3456::1]'],
  ...['[ff02::1]', '[2001:db8::1]', '[2002:7f00:1::]', '[100::1]', '[fec0::1]', 'localhost'],
  ...[
    'localhost.',
    'LOCALHOST',
    'any.localhost',
    '0x7f.1',
    '0300.0250.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
  ],
  ...[
    '[::ffff:0:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b:1::7f00:1]',
    '[2001::7f00:1]',
    '[fe80::7f00:1]',
  ],
];

/** The parser of addresses knows no zones. */
const unreadable = ['[fe80::1%25lo]', '[::1%lo]', '127.0.0.256', '[::ffff:127.0.0.1.1]'];

describe('outgoing requests', () => {
  let server: Server;
  let port: number;
  let requests: string[] = [];
  let connections = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request.url!);
      if (request.url === '/redirect') response.writeHead(302, { Location: '/target' });
      if (request.url === '/hang') return;
      if (request.url === '/half') return void response.write('a', () => request.socket.destroy());
      response.end('x'.repeat(20_000));
    });
    server.on('connection', () => (connections += 1));
    // All addresses of this machine, of both kinds.
    await new Promise<void>((resolve) => server.listen(0, resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const own = { hosts: [], networks: [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' as const }] };

  it.each(refused)('never go to %s, and a form says so', async (host) => {
    connections = 0;
    const url = `http://${host}:${port}/`;
    await expect(sendOutbound(outboundRules(nothing), post(url))).rejects.toThrow(/not public|unknown/);
    expect(await outboundProblem(outboundRules(nothing), url)).toMatch(/^The host of this address/);
    expect(connections).toBe(0);
  });

  it.each(unreadable)('a form refuses %s, which is no address', async (host) => {
    const url = `http://${host}:${port}/`;
    expect(await outboundProblem(outboundRules(nothing), url)).toMatch(/^Enter an address/);
    await expect(sendOutbound(outboundRules(nothing), post(url))).rejects.toThrow('Invalid URL');
  });

  it('never go to where a name leads after it was looked up', async () => {
    connections = 0;
    let lookups = 0;
    // 192.0.2.0/24 is nobody's: the connection to it cannot succeed.
    const resolve = async () => [{ address: (lookups += 1) === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }];
    const rules = { isAllowed: (address: string) => address === '192.0.2.1', resolve };
    const request = { ...post(`http://changes.example:${port}/`), timeoutMs: 500 };
    await expect(sendOutbound(rules, request)).rejects.toThrow(/No answer|The connection failed/);
    expect([lookups, connections]).toEqual([1, 0]);
  });

  it('never go to a name that also resolves to an own address', async () => {
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const rules = { ...outboundRules(nothing), resolve };
    await expect(sendOutbound(rules, post(`http://mixed.example:${port}/`))).rejects.toThrow(/not public/);
  });

  it('resolve a name once, and use that address', async () => {
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    };
    const rules = { ...outboundRules(own), resolve };
    const answer = await sendOutbound(rules, post(`http://changes.example:${port}/once`));
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.text).toHaveLength(8 * 1024);
    expect(lookups).toBe(1);
  });

  it('follow no redirect', async () => {
    requests = [];
    const answer = await sendOutbound(outboundRules(own), post(`http://127.0.0.1:${port}/redirect`));
    expect(answer.status).toBe(302);
    expect(requests).toEqual(['/redirect']);
  });

  it('end after their time, and when the connection breaks off', async () => {
    const send = (path: string) =>
      sendOutbound(outboundRules(own), { ...post(`http://127.0.0.1:${port}${path}`), timeoutMs: 300 });
    await expect(send('/hang')).rejects.toThrow('No answer within 0.3 seconds.');
    await expect(send('/half')).rejects.toThrow(/The connection failed/);
  });

  it.each([
    ['', { hosts: [], networks: [] }],
    ['Hooks.internal, 10.0.0.0/8', { hosts: ['hooks.internal'], networks: [expect.anything()] }],
    ['::1', { hosts: [], networks: [{ address: '::1', prefix: 128, family: 'ipv6' }] }],
    ['10.0.0.0/33', null],
    ['10.0.0.0/8/8', null],
    ['https://hooks.internal', null],
  ])('OUTBOUND_ALLOW %s', (value, expected) => {
    expect(parseOutboundAllow(value)).toEqual(expected);
  });

  it('an allowed host may be in an own network, others there may not', async () => {
    const rules = {
      ...outboundRules({ hosts: ['hooks.internal'], networks: [] }),
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    };
    expect(await sendOutbound(rules, post(`http://hooks.internal:${port}/`))).toMatchObject({ status: 200 });
    await expect(sendOutbound(rules, post(`http://other.internal:${port}/`))).rejects.toThrow(/not public/);
  });
});
