import { expect, it } from 'vitest';
import { embedCandidates } from '#app/posts/markdown/embed-candidates.ts';
import { embedAddress, embedDetailsSchema, frameOrigins } from '#app/posts/markdown/embeds.ts';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';

const hosts = [
  ...[
    'youtube.com',
    'vimeo.com',
    'codepen.io',
    'openstreetmap.org',
    'bsky.app',
    'social.example',
    'films.example',
  ],
];

it.each<[address: string, frame: string | null, source: string | null]>([
  [
    'https://youtu.be/dQw4w9WgXcQ',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1',
    'https://www.youtube.com/oembed?',
  ],
  [
    'https://m.youtube.com/watch?t=3&v=dQw4w9WgXcQ',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&start=3',
    'https://www.youtube.com/oembed?',
  ],
  [
    'https://vimeo.com/76979871',
    'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1',
    'https://vimeo.com/api/oembed.json?',
  ],
  [
    'https://codepen.io/team/pen/PNaGbb',
    'https://codepen.io/team/embed/PNaGbb?default-tab=result',
    'https://codepen.io/api/oembed?',
  ],
  [
    'https://www.openstreetmap.org/#map=15/52.5/13.4',
    'https://www.openstreetmap.org/export/embed.html?bbox=13.38901%2C52.49451%2C13.41099%2C52.50549&layer=mapnik',
    null,
  ],
  ['https://bsky.app/profile/a.example/post/3kabc12', null, 'https://public.api.bsky.app/xrpc/'],
  ['https://social.example/@ann/112233445566', null, 'https://social.example/api/v1/statuses/112233445566'],
  [
    'https://films.example/w/abcdefgh12',
    'https://films.example/videos/embed/abcdefgh12?autoplay=1',
    'https://films.example/services/oembed?',
  ],
])('%s', (address, frame, source) => {
  const embed = embedAddress(address, hosts)!;
  expect(embed.frame).toBe(frame);
  expect(embed.source?.url.slice(0, source?.length) ?? null).toBe(source);
  if (frame) expect([...frameOrigins(hosts)]).toContain(new URL(frame).origin);
});

it.each([
  'https://youtube.com/@somebody',
  'https://other.example/w/abcdefgh12',
  'http://youtu.be/dQw4w9WgXcQ',
  'https://youtu.be:444/dQw4w9WgXcQ',
  'https://youtu.be@evil.example/dQw4w9WgXcQ',
  'https://www.openstreetmap.org/#map=15/52.5/13.4"onload=',
])('%s is a link like others', (address) => {
  expect(embedAddress(address, hosts)?.frame ?? '').not.toMatch(/["']|evil/);
  if (!address.includes('onload')) expect(embedAddress(address, hosts)).toBeNull();
});

const address = 'https://youtu.be/dQw4w9WgXcQ';
const film = embedDetailsSchema.parse({
  provider: 'YouTube',
  title: 'A <b>film</b>',
  frame: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1',
  picture: { src: '/uploads/p.jpg', width: 480, height: 360 },
});
const words = embedDetailsSchema.parse({
  provider: 'Bluesky',
  title: '',
  author: 'Ann',
  text: 'One\n\nTwo',
  frame: null,
});
const render = async (text: string) =>
  (
    await renderMarkdown(text, {
      embeds: new Map([
        [address, film],
        ['https://bsky.app/x', words],
      ]),
    })
  ).html;

it('an address alone in its paragraph becomes a facade or a quotation; nothing else does', async () => {
  expect(await render(`A\n\n${address}\n\nB`)).toContain(
    '<figure class="embed"><details><summary><img src="/uploads/p.jpg" width="480" height="360" alt="" loading="lazy" decoding="async"><span class="embed-title">A &#x3C;b>film&#x3C;/b></span></summary><iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1" title="A <b>film</b>" loading="lazy"',
  );
  expect(await render('<https://bsky.app/x>')).toBe(
    '<figure class="embed embed-quote"><blockquote cite="https://bsky.app/x"><p>One</p><p>Two</p></blockquote><figcaption><a href="https://bsky.app/x" rel="external noopener">Ann</a> · Bluesky</figcaption></figure>',
  );
  for (const text of [
    `See ${address}`,
    `[Film](${address})`,
    `- ${address}`,
    'https://youtu.be/aaaaaaaaaaa',
    `<iframe src="${address}"></iframe>`,
  ])
    expect(await render(text)).not.toMatch(/figure|iframe/);
  expect(embedCandidates(`${address}\nx ${address}\n\n  <https://a.example/b>  \n`)).toEqual([
    address,
    'https://a.example/b',
  ]);
});
