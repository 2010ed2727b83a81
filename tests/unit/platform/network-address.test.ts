import { expect, test } from 'vitest';
import { networkOf } from '#app/platform/http/network-address.server.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::7', '2001:0db8:0001:0002::/64'],
  ['2001:0DB8:0001:0002:ffff:eeee:dddd:cccc', '2001:0db8:0001:0002::/64'],
  ['2001:db8::1', '2001:0db8:0000:0000::/64'],
  ['::1', '0000:0000:0000:0000::/64'],
  ['fe80::1%eth0', 'fe80:0000:0000:0000::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['[2001:db8:1:2::7]:51234', '2001:0db8:0001:0002::/64'],
  ['[2001:db8:1:2::7]', '2001:0db8:0001:0002::/64'],
  ['', ''],
  ['device a_b-c', 'device a_b-c'],
  ['not:an:address', 'not:an:address'],
])('counts %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
