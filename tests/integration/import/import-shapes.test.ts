import path from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';
import { problemsIn, xssPayloads } from '#tests/support/xss-payloads.ts';
import { cdata, wxrEnd, wxrFile, wxrHead, wxrItem } from '#tests/support/wxr.ts';

/** What an import does does not differ by database: one is enough for what files can look like. */
async function imported<T>(
  xml: string | Buffer,
  look: (app: TestApp, result: Result) => Promise<T>,
): Promise<T> {
  const app = await createTestApp();
  try {
    const folder = await folderWith({ 'x.xml': xml });
    const input = path.join(folder, 'x.xml');
    return await look(app, await importResult(app, { from: 'wordpress', input, dryRun: false }));
  } finally {
    await app.close();
  }
}
type Result = Awaited<ReturnType<typeof importResult>>;

const bodies = async (app: TestApp) => {
  const posts = await app.db.post.findMany({ orderBy: { slug: 'asc' }, select: { slug: true, body: true } });
  return Object.fromEntries(posts.map(({ slug, body }) => [slug, body]));
};
const at = (id: number) => `old.example/?p=${id}`;

test('CDATA inside of CDATA, parted as WordPress does it or not at all', async () => {
  const naive = wxrItem({ id: 2, content: 'MARK' }).replace(
    cdata('MARK'),
    '<![CDATA[<pre>a <![CDATA[b]]> c</pre>\n\n<p>d ]]]]><![CDATA[> e</p>]]>',
  );
  await imported(
    wxrFile([{ id: 1, content: '<pre><![CDATA[x]]> y <item></item></pre>' }, naive, { id: 3 }]),
    async (app, { skipped }) => {
      expect(skipped).toEqual([]);
      expect(await bodies(app)).toEqual({
        // As every browser shows it: a section in HTML is a comment, an element that is unknown has no text.
        'post-1': '```\n y \n```',
        'post-2': '```\na  c\n```\n\nd ]]> e',
        'post-3': '',
      });
    },
  );
});

test('missing GUIDs and ids, duplicate slugs, the same item twice', async () => {
  const bare = (title: string, link: string) =>
    `<item><title>${title}</title><link>${link}</link><pubDate>Thu, 02 Jan 2020 03:04:05 +0000</pubDate></item>`;
  await imported(
    wxrFile([
      { id: 1, guid: null, slug: 'same' },
      { id: 2, guid: null, slug: 'same' },
      { id: 2, guid: null, slug: 'same' },
      bare('No id', 'https://old.example/no-id/'),
      bare('', ''),
      bare('No address', ''),
    ]),
    async (app, { skipped, warnings }) => {
      expect(skipped).toEqual([{ item: at(2), reason: 'The source has this item twice.' }]);
      expect(Object.keys(await bodies(app))).toEqual(['no-address', 'no-id', 'same', 'same-2', 'untitled']);
      expect(warnings).toContain(`${at(2)}: The slug “same” is taken; the post gets “same-2”.`);
    },
  );
});

test('comments by the thousand, and posts of two megabytes', async () => {
  const long = process.env.NIGHTLY
    ? '<p>Lorem <b>ipsum</b> dolor</p>\n'.repeat(60_000)
    : `<p>Lorem <b>ipsum</b> dolor${' sit amet'.repeat(200_000)}</p>`;
  await imported(
    wxrFile([
      { id: 1, comments: 20_000, content: 'a' },
      { id: 2, content: long },
      { id: 3, content: `<p>${'x'.repeat(2_200_000)}</p>` },
      { id: 4, content: '<div>'.repeat(60_000) },
      { id: 5, content: 'b' },
    ]),
    async (app, { skipped, warnings }) => {
      expect(skipped).toEqual([
        { item: at(3), reason: 'Body is too long: at most 2 MB.' },
        { item: at(4), reason: 'Its HTML is nested too deeply.' },
      ]);
      const found = await bodies(app);
      expect(Object.keys(found)).toEqual(['post-1', 'post-2', 'post-5']);
      expect(found['post-2']!.startsWith('Lorem **ipsum** dolor')).toBe(true);
      expect(warnings).toEqual(['Comments that were not public, and pingbacks: 20000 left out.']);
    },
  );
}, 240_000);

test('entities of HTML in XML, control characters, and characters that no database holds', async () => {
  const item = wxrItem({ id: 1, content: 'MARK' })
    .replace(cdata('Post 1'), 'A&nbsp;&copy; &bogus; &#x0B;&#8364; & B')
    .replace(cdata('MARK'), cdata('<p>a\u0000b\u000bc\ufffe &eacute; \ufdd00\ufdd1</p>'));
  await imported(wxrFile([item]), async (app, { skipped }) => {
    expect(skipped).toEqual([]);
    const post = await app.db.post.findFirstOrThrow();
    expect(post.title).toMatch(/^A © &bogus; .*€ & B$/);
    expect(post.body).toBe('abc é 0');
  });
});

test.each([
  ['UTF-8 that says it is Latin-1', 'ISO-8859-1', 'utf8', 'Grüße — 漢字'],
  ['Latin-1 that says it is UTF-8', 'UTF-8', 'latin1', 'Grüße'],
  ['Latin-1 that says so', 'ISO-8859-1', 'latin1', 'Grüße'],
  ['UTF-16', 'UTF-16', 'utf16le', 'Grüße — 漢字'],
  ['an encoding that nobody knows', 'x-none', 'utf8', 'Grüße — 漢字'],
] as const)('%s', async (_name, encoding, really, text) => {
  const xml = Buffer.from(wxrFile([{ title: text, content: text.repeat(30) }], { encoding }), really);
  const bytes = really === 'utf16le' ? Buffer.concat([Buffer.from([0xff, 0xfe]), xml]) : xml;
  await imported(bytes, async (app) => {
    expect(await app.db.post.findFirstOrThrow()).toMatchObject({ title: text, body: text.repeat(30) });
  });
});

test('a few broken bytes in UTF-8 cost a character each', async () => {
  const xml = Buffer.from(wxrFile([{ title: 'Grüße', content: '漢字 X 漢字' }]));
  xml[xml.indexOf('X')] = 0xc3;
  await imported(xml, async (app, { warnings }) => {
    expect(await app.db.post.findFirstOrThrow()).toMatchObject({ title: 'Grüße', body: '漢字 � 漢字' });
    expect(warnings).toEqual(['The file has bytes that are not UTF-8; they were replaced by �.']);
  });
});

test('half a file, an item that never ends, and XML that cannot be read', async () => {
  const whole = wxrHead() + wxrItem({ id: 1 }) + wxrItem({ id: 2 });
  await imported(whole + wxrItem({ id: 3, title: 'Half' }).slice(0, 600), async (app, { skipped }) => {
    expect(Object.keys(await bodies(app))).toEqual(['post-1', 'post-2']);
    expect(skipped).toEqual([
      { item: at(3), reason: 'The file ends, or another item begins, inside of it.' },
    ]);
  });
  const open = wxrItem({ id: 1 }).replace('</item>', '');
  const broken = wxrItem({ id: 2, raw: '<wp:x>' });
  await imported(wxrHead() + open + broken + wxrItem({ id: 3 }) + wxrEnd, async (app, { skipped }) => {
    expect(Object.keys(await bodies(app))).toEqual(['post-3']);
    expect(skipped).toEqual([
      { item: at(1), reason: 'The file ends, or another item begins, inside of it.' },
      { item: at(2), reason: expect.stringMatching(/^Its XML is damaged: /) as string },
    ]);
  });
});

test('a file that is no export, and an empty one', async () => {
  await expect(imported('{"a": 1}', async () => {})).rejects.toThrow('not a WordPress export');
  await expect(imported('', async () => {})).rejects.toThrow('not a WordPress export');
  const zip = Buffer.from(zipSync({ 'export.xml': Buffer.from(wxrFile([{}])) }));
  await expect(imported(zip, async () => {})).rejects.toThrow('This is a ZIP file. Unpack it');
  await expect(
    imported("<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'></feed>", async () => {}),
  ).rejects.toThrow('--from blogger');
  await imported(wxrFile([]), async (_app, result) => {
    expect(result).toMatchObject({ imported: { posts: 0 }, skipped: [] });
    expect(result.warnings).toEqual([expect.stringContaining('the export holds no items.')]);
  });
});

/** Everything in `xssPayloads`, wherever a source may have a text or an address. */
function attacks(): Record<string, string> {
  const markdown = Object.fromEntries(
    xssPayloads.map((payload, index) => [
      `${index}.md`,
      `---\ndate: 2020-01-01\ntitle: ${JSON.stringify(payload)}\n---\n${payload}\n`,
    ]),
  );
  const ghostPost = (fields: object) => ({
    title: 'T',
    status: 'published',
    published_at: '2020-01-01',
    ...fields,
  });
  const posts = xssPayloads.flatMap((payload, index) => [
    ghostPost({ id: `a${index}`, html: payload, title: payload }),
    ghostPost({
      id: `b${index}`,
      mobiledoc: JSON.stringify({
        sections: [
          [10, 0],
          [1, 'p', [[0, [], 0, payload]]],
        ],
        cards: [
          ['html', { html: payload }],
          ['image', { src: payload }],
        ],
      }),
    }),
    ghostPost({
      id: `c${index}`,
      lexical: JSON.stringify({
        root: {
          children: [
            { type: 'markdown', markdown: payload },
            { type: 'callout', calloutText: payload },
            { type: 'bookmark', url: payload, metadata: { title: payload } },
            { type: 'link', url: payload, children: [{ type: 'text', text: payload }] },
          ],
        },
      }),
    }),
  ]);
  const items = xssPayloads.map((content, index) => ({
    id: index + 1,
    content,
    title: content,
    excerpt: content,
  }));
  return {
    ...Object.fromEntries(Object.entries(markdown).map(([name, text]) => [`md/${name}`, text])),
    'g.json': JSON.stringify({ data: { posts } }),
    'w.xml': wxrFile(items),
    // As it stands in the CDATA of a source that parts nothing.
    'raw.xml': wxrFile(
      items.map((item) =>
        wxrItem({ ...item, content: 'MARK' }).replace(cdata('MARK'), () => `<![CDATA[${item.content}]]>`),
      ),
      { blogUrl: 'https://raw.example' },
    ),
  };
}

test('hostile content is inert, whichever importer reads it', async () => {
  const app = await createTestApp();
  try {
    const folder = await folderWith(attacks());
    const run = (from: 'markdown' | 'ghost' | 'wordpress', name: string) =>
      importResult(app, { from, input: path.join(folder, name), dryRun: false });
    const count = xssPayloads.length;
    expect((await run('markdown', 'md')).imported.posts).toBeGreaterThan(count * 0.9);
    expect((await run('ghost', 'g.json')).imported.posts).toBe(3 * count);
    expect((await run('wordpress', 'w.xml')).imported.posts).toBe(count);
    expect((await run('wordpress', 'raw.xml')).imported.posts).toBeGreaterThan(count - 10);
    const found = await app.db.post.findMany({ select: { slug: true, body: true, bodyHtml: true } });
    const live = found.map(({ body, bodyHtml }) => ({ body, problems: problemsIn(bodyHtml) }));
    expect(live.filter(({ problems }) => problems.length > 0)).toEqual([]);
  } finally {
    await app.close();
  }
}, 240_000);
