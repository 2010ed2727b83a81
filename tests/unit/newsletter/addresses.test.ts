import { expect, it } from 'vitest';
import { addressSchema } from '#app/newsletter/subscribers.server.ts';

it('refuses hostile addresses', () => {
  for (const hostile of [
    ...['a@b', 'a b@example.org', 'a@example.org\r\nBcc: b@example.org', '<a@example.org>', '@example.org'],
    ...['a@example.org, b@example.org', 'a@example.org;b@example.org', '"a b"@example.org', 'a@exa mple.org'],
    ...['a@@example.org', '', 'a@example.org\0', `${'a'.repeat(250)}@example.org`, 'a(x)@example.org'],
  ])
    expect(addressSchema.safeParse(hostile).success, hostile).toBe(false);
  expect(addressSchema.safeParse(' jörg+news@exämple.de ').success).toBe(true);
});
