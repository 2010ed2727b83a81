// A link of the navigation leads where it seems to lead.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settingsCatalogue } from '#app/settings/catalogue.ts';

const read = (href: string) => settingsCatalogue.navigation.schema.safeParse(`Label | ${href}`);
const SITE = 'https://blog.example.org';

describe('the navigation', () => {
  it.each([
    '/\\evil.example',
    '//evil.example',
    '/\\/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/%2e%2e//evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https:\\\\evil.example',
    'http://',
    'https://[',
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:nobody',
    'tel:x',
  ])('refuses %s', (href) => {
    expect(read(href).success).toBe(false);
  });

  it.each([
    '/',
    '/archive',
    '/posts/a?x=1#y',
    'https://example.org/a',
    'http://example.org',
    '/标题',
    'mailto:ada@example.org',
    'tel:+49-30-1234',
  ])('takes %s', (href) => {
    expect(read(href).success).toBe(true);
  });

  it('never takes a path that a browser reads as another site', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '@',
      ':',
      'evil.example',
      '\t',
      '?',
      '#',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const href = `/${parts.join('')}`;
        if (read(href).success) expect(new URL(href.trim(), SITE).origin).toBe(SITE);
      }),
      { numRuns: 3_000 },
    );
  });
});
