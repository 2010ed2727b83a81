import { expect, it } from 'vitest';
import { excerptOf } from '#app/posts/markdown/excerpt.ts';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';
import { textFromHtml } from '#app/search/text-from-html.ts';

/** The markup without what every picture gets. */
const html = async (markdown: string) =>
  (await renderMarkdown(markdown)).html.replace(
    / (?:loading="lazy"|decoding="async"|preload="metadata")/g,
    '',
  );

const boats = '<img src="/uploads/b.jpg" alt="Boats">';

it.each<[what: string, markdown: string, expected: string]>([
  ['without a title as before', '![Boats](/uploads/b.jpg)', `<p>${boats}</p>`],
  [
    'with a title as a figure',
    '![Boats](/uploads/b.jpg "At <dawn> & later")',
    `<figure>${boats}<figcaption>At &#x3C;dawn> &#x26; later</figcaption></figure>`,
  ],
  ['wide without a caption', '![Boats](/uploads/b.jpg){.wide}', `<figure class="wide">${boats}</figure>`],
  [
    'full with a caption',
    '![Boats](/uploads/b.jpg "Dawn") {.full}',
    `<figure class="full">${boats}<figcaption>Dawn</figcaption></figure>`,
  ],
  [
    'decorative alone',
    '![](/uploads/b.jpg){.decorative}',
    '<p><img src="/uploads/b.jpg" alt="" role="presentation"></p>',
  ],
  [
    'decorative and wide',
    '![](/uploads/b.jpg){.wide .decorative}',
    '<figure class="wide"><img src="/uploads/b.jpg" alt="" role="presentation"></figure>',
  ],
  [
    'with Markdown in its caption',
    '![Boats](/uploads/b.jpg "At *dawn*, by [Ana](/ana): `f/8`, ~~two~~ three")',
    `<figure>${boats}<figcaption>At <em>dawn</em>, by <a href="/ana">Ana</a>: <code>f/8</code>, <del>two</del> three</figcaption></figure>`,
  ],
  [
    'with Markdown in the caption of a definition',
    '![Boats][b]\n\n[b]: /uploads/b.jpg "**Dawn** \\\\*"',
    `<figure>${boats}<figcaption><strong>Dawn</strong> *</figcaption></figure>`,
  ],
  [
    'with a picture and HTML in its caption',
    '![Boats](/uploads/b.jpg "![Sea](/s.jpg) </figure><script>x</script>")',
    `<figure>${boats}<figcaption>Sea &#x3C;/figure>&#x3C;script>x&#x3C;/script></figcaption></figure>`,
  ],
  [
    'with a note in its caption',
    '![Boats](/uploads/b.jpg "Dawn[^1]")\n\n[^1]: Six.',
    `<figure>${boats}<figcaption>Dawn<sup><a href="#user-content-fn-1" id="user-content-fnref-1" role="doc-noteref">1</a></sup></figcaption></figure>\n<section class="footnotes" role="doc-endnotes">\n<ol>\n<li id="user-content-fn-1"><p>Six. <a href="#user-content-fnref-1" role="doc-backlink">↩︎</a></p>\n</li>\n</ol>\n</section>`,
  ],
  [
    'several as a gallery',
    '![Boats](/uploads/b.jpg "Dawn")\n![Boats](/uploads/b.jpg)',
    `<div class="gallery"><figure>${boats}<figcaption>Dawn</figcaption></figure><figure>${boats}</figure></div>`,
  ],
  [
    'a wide gallery on one line',
    '![Boats](/uploads/b.jpg) ![Boats](/uploads/b.jpg){.wide}',
    `<div class="gallery wide"><figure>${boats}</figure><figure>${boats}</figure></div>`,
  ],
  [
    'beside words as before',
    'See ![Boats](/uploads/b.jpg "Dawn")',
    `<p>See <img src="/uploads/b.jpg" alt="Boats" title="Dawn"></p>`,
  ],
  ['before words as before', '![Boats](/uploads/b.jpg) {.wide} sails', `<p>${boats} {.wide} sails</p>`],
  [
    'in a link as before',
    '[![Boats](/uploads/b.jpg "Dawn")](/x)',
    '<p><a href="/x"><img src="/uploads/b.jpg" alt="Boats" title="Dawn"></a></p>',
  ],
  ['of an unknown size as text', '![Boats](/uploads/b.jpg){.huge}', `<p>${boats}{.huge}</p>`],
  [
    'a sound as a player',
    '![Interview](/uploads/i.mp3)',
    '<p><audio src="/uploads/i.mp3" aria-label="Interview" controls></audio></p>',
  ],
  ['a document as a link', '![Tables](/uploads/t.pdf)', '<p><a href="/uploads/t.pdf">Tables</a></p>'],
  [
    'a film with a caption',
    '![Waves](/uploads/w.mp4 "At noon"){.wide}',
    '<figure class="wide"><video src="/uploads/w.mp4" aria-label="Waves" controls></video><figcaption>At noon</figcaption></figure>',
  ],
])('a paragraph with nothing but a picture, %s', async (_, markdown, expected) => {
  expect(await html(markdown)).toBe(expected);
});

it('captions are text for search and word counts, and no excerpt', async () => {
  const {
    html: rendered,
    plainText,
    wordCount,
  } = await renderMarkdown('![Boats](/uploads/b.jpg "Dawn catch")\n\nText.');
  expect([plainText, wordCount]).toEqual(['Dawn catch\n\nText.', 3]);
  expect(textFromHtml(rendered)).toBe('Boats\nDawn catch\nText.');
  expect(excerptOf(rendered)).toBe('Text.');
});

it('a sound may say how long it is, and nothing else does', async () => {
  const { html: sound } = await renderMarkdown('![A talk](/uploads/t.mp3 "On tides"){duration=1:02:30}');
  expect(sound).toContain('data-duration="1:02:30"');
  expect(sound).toContain('<figcaption>On tides</figcaption>');
  for (const text of ['![](/uploads/p.jpg){duration=1:02}', '![](/uploads/f.mp4){duration=1:02}'])
    expect((await renderMarkdown(text)).html).not.toContain('duration');
  expect((await renderMarkdown('![](/uploads/t.mp3){duration=long}')).html).toContain('{duration=long}');
});

it('facts in braces are not shown in a paragraph of several sounds', async () => {
  const two = '![One](/uploads/a.mp3){duration=1:02}\n![Two](/uploads/b.mp3){duration=2:03}';
  const { html: sounds } = await renderMarkdown(two);
  expect(sounds).toContain('data-duration="2:03"');
  expect(sounds).not.toContain('{');
});

it('nothing of a film or sound from elsewhere loads before it is played', async () => {
  const options = { siteUrl: 'https://blog.example' };
  for (const [text, expected] of [
    [
      '![](https://x.example/f.mp4)',
      '<p><video src="https://x.example/f.mp4" controls preload="none"></video></p>',
    ],
    ['![](//x.example/s.mp3)', '<p><audio src="//x.example/s.mp3" controls preload="none"></audio></p>'],
    [
      '<audio preload="auto"><source src="https://x.example/s.mp3"></audio>',
      '<p><audio preload="none" controls><source src="https://x.example/s.mp3"></audio></p>',
    ],
    [
      '<video src="/uploads/f.mp4" poster="https://x.example/p.jpg"></video>',
      '<p><video src="/uploads/f.mp4" controls preload="metadata"></video></p>',
    ],
    [
      '<video src="https://blog.example/uploads/f.mp4" poster="/uploads/p.jpg"></video>',
      '<p><video src="https://blog.example/uploads/f.mp4" poster="/uploads/p.jpg" controls preload="metadata"></video></p>',
    ],
  ] as const)
    expect((await renderMarkdown(text, options)).html).toBe(expected);
});

it('a film shows its poster, which is an upload; a picture has none', async () => {
  for (const [text, expected] of [
    [
      '![A film](/uploads/f.mp4){poster=/uploads/a_b-c_d.jpg}',
      '<p><video src="/uploads/f.mp4" aria-label="A film" poster="/uploads/a_b-c_d.jpg" controls preload="metadata"></video></p>',
    ],
    [
      '![](/uploads/f.mp4 "At dawn"){.wide poster=/uploads/p.jpg}',
      '<figure class="wide"><video src="/uploads/f.mp4" poster="/uploads/p.jpg" controls preload="metadata"></video><figcaption>At dawn</figcaption></figure>',
    ],
    [
      '![](/uploads/s.mp3){poster=/uploads/p.jpg}',
      '<p><audio src="/uploads/s.mp3" controls preload="metadata"></audio></p>',
    ],
  ] as const)
    expect((await renderMarkdown(text)).html).toBe(expected);
  expect((await renderMarkdown('![](/uploads/a.jpg){poster=/uploads/p.jpg}')).html).not.toContain('poster');
  const elsewhere = await renderMarkdown('![](/uploads/f.mp4){poster=https://x.example/p.jpg}');
  expect(elsewhere.html).not.toContain('poster="');
});

it('captions that share the long title of one definition are parsed within the length of the text', async () => {
  const title = '**a** '.repeat(5_000);
  const text = `${'![b][b]\n\n'.repeat(100)}[b]: /uploads/b.jpg "${title}"`;
  const before = process.cpuUsage();
  const { html } = await renderMarkdown(text);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(20);
  expect(html).toContain('**a** **a**');
});
