import { parse } from 'css-tree';
import { expect, test } from 'vitest';
import type { Appearance } from '#app/settings/appearance/appearance.ts';
import { customCssProblem } from '#app/site/appearance/custom-css.ts';
import { appearanceStylesheet, stylesheetHash } from '#app/site/appearance/stylesheet.server.ts';
import { themes } from '#app/settings/appearance/themes.server.ts';
import { addressInView, htmlInView, textInView } from '#app/site/shell/site-view.ts';

const unset: Appearance = {
  preset: '',
  font_heading: '',
  font_body: '',
  text_scale: '',
  palette: '',
  accent_color: '',
  header_style: '',
  header_place: '',
  list_style: '',
  post_style: '',
  footer_style: '',
  corner_style: '',
  rule_style: '',
  custom_css: '',
};

test('there are six presets, each with a valid stylesheet of its own', () => {
  expect([...themes.keys()].sort()).toEqual(['atelier', 'gazette', 'journal', 'notebook', 'quiet', 'studio']);
  const sheets = [...themes.keys()].map((preset) => appearanceStylesheet({ ...unset, preset }));
  expect(new Set(sheets.map(stylesheetHash)).size).toBe(6);
  for (const sheet of sheets) parse(sheet, { onParseError: (error) => expect.fail(error.message) });
});

test('a preset of bundled fonts names their files and a fallback of the same metrics; system fonts load nothing', () => {
  const journal = appearanceStylesheet({ ...unset, preset: 'journal' });
  expect(journal).toContain("font-family: 'Source Serif 4 Variable Fallback'");
  expect(journal).toMatch(/size-adjust: \d/);
  expect(journal).toContain('font-display: swap');
  const system = { font_heading: 'system-serif', font_body: 'system-sans' } as const;
  expect(appearanceStylesheet({ ...unset, preset: 'quiet', ...system })).not.toContain('@font-face');
});

test('a choice of the site wins over the preset; an unknown preset is the default one', () => {
  const sheet = appearanceStylesheet({ ...unset, preset: 'quiet', palette: 'snow', accent_color: '#123456' });
  expect(sheet).toContain('--paper:#ffffff');
  expect(sheet).toContain('--accent:#123456');
  const sharp = appearanceStylesheet({ ...unset, preset: 'gazette' });
  const round = appearanceStylesheet({
    ...unset,
    preset: 'gazette',
    corner_style: 'round',
    rule_style: 'strong',
  });
  expect([sharp, round].map((each) => /--radius:[^;]*/.exec(each)?.[0])).toEqual([
    expect.stringContaining('0rem'),
    expect.stringContaining('1rem'),
  ]);
  expect([sharp, round].map((each) => each.includes('--rule: color-mix'))).toEqual([false, true]);
  expect(appearanceStylesheet({ ...unset, preset: 'gone' })).toBe(appearanceStylesheet(unset));
});

test.each([
  ['@import url(/x.css);', '@import is not allowed'],
  ['@\\69mport "x.css";', 'is not allowed'],
  ['a { beh\\61vior: none }', 'is not allowed'],
  ['a { width: \\65xpression(1) }', 'is not allowed'],
  ['a { background: \\75rl("https://evil.example/x.png") }', 'is not allowed'],
  ['a { background: url(https://evil.example/x.png) }', 'url() may only name files of this site'],
  ['a { background: url(//evil.example/x.png) }', 'url() may only name'],
  ["a { background: url('data:image/png;base64,x') }", 'url() may only name'],
  ['a { background: image-set("https://evil.example/x.png" 1x) }', 'image-set() is not allowed'],
  ['a { width: expression(alert(1)) }', 'expression() is not allowed'],
  ['a { behavior: url(/x.htc) }', 'behavior is not allowed'],
  ['a { -moz-binding: url(/x.xml) }', '-moz-binding is not allowed'],
  ['a { --x: url(https://evil.example/x) }', 'url() may only name'],
  ['a { --x: expression(1) }', 'expression() is not allowed'],
  ['@font-face { font-family: x; src: url(https://evil.example/x.woff2) }', 'url() may only name'],
  ['a { width: exp/* */ression(1) }', 'expression() is not allowed'],
  ['a { width: EXPRESSION (1) }', 'expression() is not allowed'],
  ['a { background: url("/\\9/evil.example/x.png") }', 'url() may only name'],
  ['a { background: url("\\2f\\a/evil.example/x.png") }', 'url() may only name'],
  ['a { background: url(/..//evil.example/x.png) }', 'url() may only name'],
  ['/* url(https://evil.example) /* */ .my-expression { color: red } /*', null],
  ['a { color: red', null],
  ['a { color: }; b }', 'not valid CSS'],
  ['</style><script>x</script>', 'must not contain HTML'],
  ['.prose { background: url(/uploads/2026/x.png) } .x { fill: url(#a) }', null],
  ['@media (min-width: 40rem) { .site-title { color: var(--accent) } }', null],
  ['', null],
] as const)('%s', (css, problem) => {
  const found = customCssProblem(css);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});

test('links of a page in a view stay inside; files, other sites and text keep their bytes', () => {
  const html =
    '<!DOCTYPE html><html><head><link rel="canonical" href="/posts/a"></head><body class="x">' +
    '<a href="/posts/a?x=1&amp;y=2">a</a><a href="https://blog.example/tags/b">b</a><a href="//other">c</a>' +
    '<img src="/uploads/x.png" alt=""/><form action="/search"></form><code>href="/posts/a" &amp; <b >x</b></code></body></html>';
  const view = { base: '/admin/site', bar: '<aside>Bar</aside>' };
  expect(htmlInView(html, view, 'https://blog.example')).toBe(
    '<!DOCTYPE html><html><head><link rel="canonical" href="/posts/a"></head><body class="x"><aside>Bar</aside>' +
      '<a href="/admin/site/posts/a?x=1&amp;y=2">a</a><a href="/admin/site/tags/b">b</a><a href="//other">c</a>' +
      '<img src="/uploads/x.png" alt=""/><form action="/admin/site/search"></form><code>href="/posts/a" &amp; <b >x</b></code></body></html>',
  );
  const skip = '<a class="skip-link" href="#content">Skip</a>';
  expect(htmlInView(`<body>${skip}<main>x</main></body>`, view, 'https://blog.example')).toBe(
    `<body>${skip}<aside>Bar</aside><main>x</main></body>`,
  );
  expect(addressInView('/', { base: '/v' }, 'https://b')).toBe('/v/');
  expect(addressInView('/?page=2', { base: '/v' }, 'https://b')).toBe('/v/?page=2');
  expect(addressInView('/uploads/x', { base: '/v' }, 'https://b')).toBe('/uploads/x');
});

test('a view of a page takes for a tag what is one: no comment, script, style, or value of an attribute', () => {
  const kept =
    '<!-- <a href="/x"> --><style>a::after { content: \'<a href="/x">\' }</style><script>"<a href=\\"/x\\">"</script>' +
    '<img alt="> <a href=" title=\' href="/x" \' src="/uploads/x.png"/><p title="a"> href="/x" </p>';
  const page = (links: string, bar = '') =>
    `<body>${bar}${kept}<a title="b > href=" href="${links}">${kept}</a></body>`;
  expect(htmlInView(page('/x'), { base: '/v', bar: '<i>Bar</i>' }, 'https://b.example')).toBe(
    page('/v/x', '<i>Bar</i>'),
  );
  // As many as a long page has, and more quotes than are closed.
  const long = '<a href="/x">x</a>'.repeat(20_000) + '<a "'.repeat(2_000);
  expect(htmlInView(long, { base: '/v', bar: '' }, 'https://b.example')).toContain('href="/v/x"');
});

test('a view of another instant moves every address of the site, also in stylesheets, sources, metadata and feeds', () => {
  const html =
    '<!DOCTYPE html><html><head><link rel="canonical" href="https://b.example/x"><link rel=stylesheet href=/theme/a.css>' +
    '<meta property="og:url" content="https://b.example"><meta name="description" content="/ It&#x27;s &amp; so"></head><body>' +
    '<img src=\'/uploads/x.png\' srcset="/uploads/x-400.png 400w, /uploads/x.png 800w" title="It&#x27;s" alt>' +
    '<script type="application/ld+json">{"url":"https://b.example/x","a":"/x"}</script><script src="/assets/a.js"></script>' +
    '<a href="https://b.example.org/x">c</a><code>https://b.example/x</code></body></html>';
  const view = { base: '/v', bar: '', moves: 'everything' } as const;
  expect(htmlInView(html, view, 'https://b.example')).toBe(
    '<!DOCTYPE html><html><head><link rel="canonical" href="https://b.example/v/x"><link rel=stylesheet href=/v/theme/a.css>' +
      '<meta property="og:url" content="https://b.example/v/"><meta name="description" content="/ It&#x27;s &amp; so"></head><body>' +
      '<img src=\'/v/uploads/x.png\' srcset="/v/uploads/x-400.png 400w, /v/uploads/x.png 800w" title="It&#x27;s" alt>' +
      '<script type="application/ld+json">{"url":"https://b.example/v/x","a":"/x"}</script><script src="/assets/a.js"></script>' +
      '<a href="https://b.example.org/x">c</a><code>https://b.example/x</code></body></html>',
  );
  expect(textInView('<link>https://b.example/x</link>', view, 'https://b.example')).toBe(
    '<link>https://b.example/v/x</link>',
  );
});
