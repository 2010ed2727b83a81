import { expect, it } from 'vitest';
import { addressSchema, keyOf } from '#app/newsletter/subscribers.server.ts';

it('refuses hostile addresses', () => {
  for (const hostile of [
    ...['a@b', 'a b@example.org', 'a@example.org\r\nBcc: b@example.org', '<a@example.org>', '@example.org'],
    ...['a@example.org, b@example.org', 'a@example.org;b@example.org', '"a b"@example.org', 'a@exa mple.org'],
    ...['a@@example.org', '', 'a@example.org\0', `${'a'.repeat(250)}@example.org`, 'a(x)@example.org'],
    ...[
      'a%b.example@example.org',
      'b.example!a@example.org',
      'a@[127.0.0.1]',
      'a@127.0.0.1',
      'a@example.org.',
    ],
    ...[
      'a@example..org',
      'a@exa%6dple.org',
      "a@exa'mple.org",
      'a@example.org\u202e',
      'a\u200b@example.org',
      'a@-',
    ],
  ])
    expect(addressSchema.safeParse(hostile).success, hostile).toBe(false);
  expect(addressSchema.safeParse(' jörg+news@exämple.de ').success).toBe(true);
  expect(addressSchema.safeParse("o'brien@example.co.uk").success).toBe(true);
});

it('knows the spellings of one address', () => {
  const key = 'jörg@bücher.example';
  for (const email of ['Jörg@bücher.example', 'jörg@BÜCHER.example', 'jo\u0308rg@xn--bcher-kva.example'])
    expect(keyOf(email)).toBe(key);
});
