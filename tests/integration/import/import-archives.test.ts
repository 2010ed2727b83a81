import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MediaFetcher, type FetchOptions } from '#app/import/media/fetch.server.ts';
import { isPublicAddress } from '#app/platform/http/network-address.server.ts';
import type { ImportResult } from '#app/import/run/report.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';

let app: TestApp;
beforeAll(async () => void (app = await createTestApp()));
afterAll(() => app?.close());

const zipped = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])));
const postAt = (slug: string) =>
  app.db.post.findUniqueOrThrow({
    where: { slug },
    include: { redirects: { orderBy: { path: 'asc' } }, author: true },
  });

const privateAddresses = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.1.1',
  '172.31.0.1',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'ff02::1',
];

const csv = `post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url
101.first-letter,2023-04-05T06:07:08.000Z,true,,,newsletter,everyone,"First, a letter",What it is about,
102.paid-only,2023-05-05T06:07:08.000Z,true,,,newsletter,only_paid,Paid,,
103.an-idea,,false,,,newsletter,everyone,,,
104.sound,2023-06-05T06:07:08.000Z,true,,,podcast,everyone,Sound,,https://api.substack.example/a.mp3
105.lost,2023-06-05T06:07:08.000Z,true,,,newsletter,everyone,Lost,,
`;
const substack = {
  'posts.csv': csv,
  'posts/101.first-letter.html':
    '<p>Hello <strong>you</strong></p><div class="subscription-widget-wrap"><p>Subscribe now</p></div><div class="captioned-image-container"><figure><a class="image-link" href="https://cdn.example/a.png"><img src="https://cdn.example/a.png" alt="A"></a><figcaption>Cap</figcaption></figure></div>',
  'posts/102.paid-only.html': '<p>Paid</p>',
  'posts/103.an-idea.html': '<p>Idea</p>',
  'posts/104.sound.html': '<p>Listen</p>',
  'posts/101.first-letter.opens.csv': 'a,b\n',
};

describe('content:import --from substack', () => {
  describe('of a folder', () => {
    let result: ImportResult;
    beforeAll(async () => {
      result = await importResult(app, { from: 'substack', input: await folderWith(substack) });
    });

    test('counts posts.csv and the texts, and names what is left out or stays elsewhere', () => {
      expect(result).toMatchObject({
        source: 'substack',
        imported: { posts: 4 },
        skipped: [{ item: '105.lost', reason: 'The export holds no text of it.' }],
        ignored: { '.csv': 1 },
      });
      expect(result.warnings).toEqual([
        '101.first-letter: https://cdn.example/a.png stays as it is.',
        '102.paid-only: It was not for everybody (only_paid): the post becomes a draft.',
        '104.sound: https://api.substack.example/a.mp3 stays as it is.',
        'The export does not say where the publication was: readers of its feed may see posts as new.',
      ]);
    });

    test('takes the texts with their pictures and sounds', async () => {
      const post = await postAt('first-letter');
      expect(post).toMatchObject({
        title: 'First, a letter',
        excerpt: 'What it is about',
        status: 'published',
        publishedAt: new Date('2023-04-05T06:07:08.000Z'),
        redirects: [{ path: '/p/first-letter' }],
      });
      expect(post.body).toMatch(/^Hello \*\*you\*\*\n\n!\[A\]\(https:\/\/cdn\.example\/a\.png "Cap"\)/);
      expect(post.body).not.toContain('Subscribe');
      expect((await postAt('an-idea')).status).toBe('draft');
      expect((await postAt('sound')).body).toBe('![Sound](<https://api.substack.example/a.mp3>)\n\nListen');
    });

    test('redirects the addresses that Substack has, and not those that only other systems have', async () => {
      expect(await findRedirect(app, '/feed')).toBe('/rss.xml');
      for (const path of ['/author/ada', '/2023/04', '/page/2'])
        expect(await findRedirect(app, path), path).toBeNull();
    });

    test('finds the same in a ZIP file', async () => {
      const folder = await folderWith({ 'export.zip': zipped(substack) });
      const again = await importResult(app, { from: 'substack', input: path.join(folder, 'export.zip') });
      expect(again).toMatchObject({ imported: { posts: 0 }, unchanged: 4 });
    });
  });

  test('fills in what its page draws, and names what is lost', async () => {
    const embed = (name: string, details: unknown) =>
      `<div class="${name}" data-attrs="${JSON.stringify(details).replaceAll('"', '&quot;')}"></div>`;
    const gallery = { images: [{ src: 'https://cdn.example/1.png' }, { src: 'https://cdn.example/2.png' }] };
    const input = await folderWith({
      'posts.csv': 'post_id,post_date,is_published,title\n201.drawn,2023-04-05T06:07:08.000Z,true,Drawn\n',
      'posts/201.drawn.html': [
        embed('tweet', { url: 'https://x.com/a/status/1', full_text: 'So it is' }),
        embed('image-gallery-embed', { gallery }),
        embed('digest-post-embed', { canonical_url: 'https://b.example/p/x', title: 'A post' }),
        embed('instagram-embed-wrap', { instagram_id: 'abc' }),
        embed('native-video-embed', { mediaUploadId: 'x' }),
      ].join(''),
    });
    const { warnings } = await importResult(app, { from: 'substack', input });
    expect(warnings).toContain('201.drawn: An embed of Substack (native-video-embed) was left out.');
    expect((await postAt('drawn')).body).toBe(
      [
        '> So it is\n\n<https://x.com/a/status/1>',
        '![](https://cdn.example/1.png) ![](https://cdn.example/2.png)',
        '[A post](https://b.example/p/x)\n\n<https://www.instagram.com/p/abc/>',
      ].join('\n\n'),
    );
  });

  test('refuses what is something else', async () => {
    const input = await folderWith({ 'a.txt': 'x', 'posts.csv': 'a,b\n"' });
    for (const [from, file, message] of [
      ['substack', 'a.txt', /neither a folder nor a ZIP/],
      ['substack', '.', /posts\.csv cannot be read/],
      ['medium', '.', /not an export of Medium/],
      ['medium', 'none', /There is no folder or file/],
    ] as const)
      await expect(importResult(app, { from, input: path.join(input, file) })).rejects.toThrow(message);
  });
});

const medium = {
  'posts/2019-03-04_A-Story-0123456789ab.html': `<!DOCTYPE html><html><head><title>A Story</title></head><body><article class="h-entry">
<header><h1 class="p-name">A Story</h1></header>
<section data-field="subtitle" class="p-summary">Of a cat</section>
<section data-field="body" class="e-content"><section class="section section--body"><div class="section-divider"><hr class="section-divider"></div><div class="section-content"><div class="section-inner">
<h3 class="graf graf--h3 graf--leading graf--title">A Story</h3><h4 class="graf graf--h4 graf--subtitle">Of a cat and its ways</h4><p class="graf graf--p">Once</p><pre class="graf graf--pre">let a = 1</pre>
<h3 class="graf graf--h3">Then</h3><figure class="graf graf--figure"><img class="graf-image" src="https://cdn-images-1.medium.com/max/800/1*a.png"><figcaption class="imageCaption">Cat</figcaption></figure>
<pre data-code-block-mode="1" data-code-block-lang="python" class="graf graf--pre graf--preV2"><span class="pre--content"><span class="hljs-keyword">def</span> f():<br />    x</span></pre>
<div class="graf graf--mixtapeEmbed"><a href="https://x.example/a" class="markup--anchor" title="https://x.example/a"><strong>An article</strong><br><em>About it</em>x.example</a><a href="https://x.example/a" class="js-mixtapeImage"></a></div>
</div><div class="section-inner sectionLayout--outsetRow" data-paragraph-count="2"><figure class="graf graf--figure"><img class="graf-image" src="https://cdn-images-1.medium.com/1.png"></figure><figure class="graf graf--figure"><img class="graf-image" src="https://cdn-images-1.medium.com/2.png"></figure></div></div></section></section>
<footer><p>By <a href="https://medium.com/@ada" class="p-author h-card">Ada Lovelace</a> on <a href="https://medium.com/p/0123456789ab"><time class="dt-published" datetime="2019-03-04T05:06:07.000Z">March 4, 2019</time></a>.</p><p><a href="https://medium.com/@ada/a-story-0123456789ab" class="p-canonical">Canonical link</a></p></footer></article></body></html>`,
  'posts/draft_An-Idea-ba9876543210.html':
    '<html><body><header><h1 class="p-name">An Idea</h1></header><section data-field="body" class="e-content"><p>Draft</p></section></body></html>',
  'profile/profile.html': '<p>me</p>',
};

test('content:import --from medium takes stories, drafts, old addresses and feed ids', async () => {
  const folder = await folderWith({ 'm.zip': zipped(medium) });
  const result = await importResult(app, { from: 'medium', input: path.join(folder, 'm.zip') });
  expect(result).toMatchObject({ imported: { posts: 2 }, skipped: [], ignored: { '.html': 1 } });
  expect(await postAt('a-story')).toMatchObject({
    title: 'A Story',
    excerpt: 'Of a cat and its ways',
    status: 'published',
    publishedAt: new Date('2019-03-04T05:06:07.000Z'),
    sourceGuid: 'https://medium.com/p/0123456789ab',
    author: { displayName: 'Ada Lovelace' },
    redirects: [{ path: '/@ada/a-story-0123456789ab' }, { path: '/p/0123456789ab' }],
  });
  const { body } = await postAt('a-story');
  expect(body).toContain('Once\n\n```\nlet a = 1\n```\n\n### Then');
  expect(body).toContain(
    '```python\ndef f():\n    x\n```\n\n[An article](https://x.example/a)\n\n![](https://cdn-images-1.medium.com/1.png) ![](https://cdn-images-1.medium.com/2.png)',
  );
  expect(body.match(/A Story|Of a cat/)).toBeNull();
  expect((await postAt('an-idea-2')).status).toBe('draft');
  const again = await importResult(app, { from: 'medium', input: await folderWith(medium) });
  expect(again).toMatchObject({ imported: { posts: 0 }, unchanged: 2 });
});

describe('--fetch-media', () => {
  let server: Server;
  let origin = '';
  beforeAll(async () => {
    const png = await picture(7);
    server = createServer((request, response) => {
      const [, hops] = /^\/hops\/(\d+)/.exec(request.url ?? '') ?? [];
      if (hops !== undefined)
        response.writeHead(302, { location: hops === '0' ? '/a.png' : `/hops/${Number(hops) - 1}` }).end();
      else if (request.url === '/inside')
        response.writeHead(302, { location: 'http://10.1.2.3/a.png' }).end();
      else if (request.url === '/page.png') response.end('<p>no picture</p>');
      else if (request.url === '/login.png') response.end('<!DOCTYPE html><title>Log in</title>');
      else if (request.url?.startsWith('/a.png')) response.end(png);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://pictures.example:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  // The name leads to the test's own server, and nowhere else.
  const fetcher = (limits?: FetchOptions['limits']) =>
    new MediaFetcher({
      limits,
      resolve: (host) =>
        host === 'pictures.example'
          ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
          : Promise.reject(new Error('ENOTFOUND')),
      isAllowed: (address) => address === '127.0.0.1' || isPublicAddress(address),
    });

  test('fetches pictures and covers, follows three redirects, and names what is left', async () => {
    const body = [
      ...['a.png', 'hops/2', 'hops/3', 'inside', 'page.png', 'login.png', 'gone.png'].map(
        (name) => `![x](${origin}/${name})`,
      ),
      '![x](http://unknown.example/a.png)',
    ].join('\n\n');
    const text = `---\ndate: 2026-01-01\ncover: ${origin}/a.png?cover\n---\n${body}\n\n[a page](${origin}/gone)`;
    const input = await folderWith({ 'fetched.md': text });
    const result = await importResult(app, { from: 'markdown', input, fetchMedia: true, fetcher: fetcher() });
    expect(result.imported).toMatchObject({ posts: 1, media: 1 });
    expect(result.warnings).toEqual([
      `fetched.md: ${origin}/hops/3 was not fetched: it redirects more than 3 times.`,
      `fetched.md: ${origin}/inside was not fetched: its host is in a network that is not public.`,
      `fetched.md: ${origin}/page.png was not fetched: it is no picture that can be stored.`,
      `fetched.md: ${origin}/login.png was not fetched: the server sends a web page, such as a login.`,
      `fetched.md: ${origin}/gone.png was not fetched: the server answers 404.`,
      'fetched.md: http://unknown.example/a.png was not fetched: its host is unknown.',
    ]);
    const post = await postAt('fetched');
    expect(post.coverMediaId).not.toBeNull();
    expect(post.body.match(/!\[x\]\(\/uploads\//g)).toHaveLength(2);
  });

  test('asks nobody in a dry run, and never an address of an own network', async () => {
    const input = await folderWith({
      'left.md': `---\ndate: 2026-01-01\n---\n![x](${origin.replace('pictures.example', '127.0.0.1')}/a.png)`,
    });
    const dry = await importResult(app, { from: 'markdown', input, fetchMedia: true, dryRun: true });
    expect(dry).toMatchObject({ imported: { posts: 1, media: 0 } });
    expect(dry.warnings).toEqual([
      expect.stringContaining('/a.png was not fetched: a dry run fetches nothing, the import would.'),
    ]);
    const { warnings } = await importResult(app, { from: 'markdown', input, fetchMedia: true });
    expect(warnings).toEqual([expect.stringContaining('its host is in a network that is not public')]);
  });

  test('asks a host no more that left five pictures in a row without an answer', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const fetched = fetcher({ fileMs: 100 });
    const problems = [];
    for (let number = 0; number < 7; number += 1)
      problems.push(await fetched.fetch(`http://pictures.example:${port}/${number}.png`));
    expect(problems.slice(4)).toEqual([
      { problem: 'the server does not answer in time', isSilent: true },
      { problem: 'the server has not answered 5 times in a row' },
      { problem: 'the server has not answered 5 times in a row' },
    ]);
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
    await fetched.close();
  });

  test.each([...privateAddresses, 'x'])('takes %s for no public address', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111'])('takes %s for a public address', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

test('pages of Substack are pages, entities are signs, and buttons that subscribe are left out', async () => {
  const button = (address: string, text: string) =>
    `<p class="button-wrapper" data-attrs="{&quot;url&quot;:&quot;${address}&quot;}"><a class="button primary" href="${address}"><span>${text}</span></a></p>`;
  const input = await folderWith({
    'posts.csv':
      'post_id,post_date,is_published,type,audience,title,subtitle\n' +
      '301.about-us,2023-04-05T06:07:08.000Z,true,page,everyone,About &amp; us,&#x201C;This quote&#x2019;s rather short&#x201D;\n' +
      '302.letter,2023-04-05T06:07:08.000Z,true,newsletter,everyone,Letter &amp; more,\n',
    'posts/301.about-us.html': `<p>Us</p>${button('https://a.substack.com/subscribe?', 'Sign up now')}`,
    'posts/302.letter.html': `<p>Text</p>${button('https://shop.example/book', 'Buy')}`,
  });
  await importResult(app, { from: 'substack', input });
  const page = await app.db.post.findFirstOrThrow({ where: { title: 'About & us' } });
  expect(page).toMatchObject({
    ...{ type: 'page', slug: '/about-us', status: 'published', body: 'Us' },
    excerpt: '“This quote’s rather short”',
  });
  const letter = await app.db.post.findFirstOrThrow({ where: { slug: 'letter' } });
  expect(letter).toMatchObject({ type: 'post', title: 'Letter & more' });
  expect(letter.body).toContain('[Buy](https://shop.example/book)');
});
