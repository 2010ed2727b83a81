import { expect, it } from 'vitest';
import { dialects, type DialectName } from '#app/import/markdown/dialects/dialects.ts';
import { transformBody } from '#app/import/markdown/syntax/transform-body.ts';

const read = (text: string, dialect: DialectName) =>
  transformBody(text, dialects[dialect].syntax, {
    postAt: () => null,
    postNamed: () => null,
    fileNamed: () => null,
    warn: () => {},
  });

it.each<[DialectName, string, string]>([
  ['jekyll', 'A {::comment}secret{:/comment} B', 'A  B'],
  ['jekyll', 'A {::comment}secret{:/} B', 'A  B'],
  ['jekyll', 'A\n\n{::comment}\nsecret\n\nsecret\n{:/comment}\n\nB', 'A\n\nB'],
  ['jekyll', '{::options parse_block_html="true" /}\n\nA', 'A'],
  ['jekyll', 'A {::comment note="secret" /} B', 'A  B'],
  ['jekyll', 'foo{::nomarkdown}<i>{:/nomarkdown}', 'foo<i>'],
  ['jekyll', 'A {% # secret %} B', 'A  B'],
  ['jekyll', 'A {%- # secret 50 % off -%} B', 'A  B'],
  ['jekyll', 'A {%- comment -%}secret{%- endcomment -%} B', 'A  B'],
  [
    'jekyll',
    'A {% comment %}\n```\nsecret\n{% endcomment %}\n\nB `{% comment %}`',
    'A \n\nB `{% comment %}`',
  ],
  ['jekyll', '{% assign note = "secret" %}A{% capture x %}secret{% endcapture %} B', 'A B'],
  ['markdown', 'A {% comment %}secret{% endcomment %} B', 'A  B'],
  ['eleventy', 'A {# secret #} B {#secret#} C', 'A  B  C'],
  ['eleventy', '{# secret\n\nsecret #}\n\nA', 'A'],
  ['hexo', 'A {# secret `code` #} B', 'A  B'],
  ['hugo', 'A {{< comment >}}secret{{< /comment >}} B', 'A  B'],
  ['hugo', 'A\n\n{{% comment %}}\nsecret\n{{% /comment %}}\n\nB', 'A\n\nB'],
  ['hugo', 'A {{/* secret */}} B {{- /* secret */ -}} C', 'A  B  C'],
  ['obsidian', 'A %%secret%% B', 'A  B'],
  ['astro', 'A', 'A'],
])('a comment of %s is not shown: %s', (dialect, text, shown) => {
  expect(read(text, dialect)).toBe(shown);
  expect(read(text, dialect)).not.toContain('secret');
});

it.each<[DialectName, string]>([
  ['eleventy', 'Code: `{# shown #}`'],
  ['eleventy', '```\n{# shown #}\n{% comment %}shown{% endcomment %}\n```'],
  ['jekyll', '    {::comment}shown{:/comment}'],
  ['hexo', '## Heading {#name}\n\nText with #} later'],
  ['hexo', '## Heading {#name .wide}\n\nText with #} later'],
  ['zola', 'A {# shown #} B'],
  ['obsidian', 'A {# shown #} B'],
  ['jekyll', 'A {% comment %} that never ends'],
])('what shows a comment in %s stays: %s', (dialect, text) => {
  expect(read(text, dialect)).toBe(text);
});

it('shows what is raw or escaped', () => {
  expect(read('{% raw %}{# shown #}{% endraw %}', 'eleventy')).toBe('{# shown #}');
  expect(read('{{</* comment */>}}', 'hugo')).toBe('{{< comment >}}');
});

it('takes time in proportion to the text', () => {
  for (const piece of [
    '{# ',
    '{% comment %}',
    '{% comment %}\n```\n{% endcomment %}\n',
    '{%# x',
    '{::comment}',
    '{{/* ',
  ]) {
    const cost = (times: number) => {
      const text = piece.repeat(times);
      const before = process.cpuUsage();
      read(text, 'jekyll');
      return process.cpuUsage(before).user / 1_000;
    };
    expect(cost(20_000), piece).toBeLessThan(5_000);
  }
});
