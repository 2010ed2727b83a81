import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportResult } from '#app/import/run/report.ts';
import { readRedirection } from '#app/import/wordpress/redirection.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';
import { blogUrl, wxrFile, type WxrItemOptions } from '#tests/support/wxr.ts';

/** A file of the library of the old blog. */
function attachment(id: number, file: string, item: WxrItemOptions = {}): WxrItemOptions {
  const attachmentUrl = `${blogUrl}/wp-content/uploads/${file}`;
  return { id, type: 'attachment', status: 'inherit', slug: `file-${id}`, attachmentUrl, ...item };
}

const uploads = `${blogUrl}/wp-content/uploads`;
const items: WxrItemOptions[] = [
  {
    id: 1,
    slug: 'files',
    content: `[gallery]\n\n<a href="${uploads}/2020/paper.pdf">Paper</a>\n\n[audio mp3="${uploads}/talk.mp3"][/audio]\n\n[video src="${uploads}/film.mov"][/video]\n\n<a href="${uploads}/data.zip">Data</a>\n\nOne<!--nextpage-->Two`,
    raw: '<wp:is_sticky>1</wp:is_sticky>',
  },
  attachment(11, 'b.png', {
    link: `${blogUrl}/2020/01/files/b/`,
    excerpt: 'A <em>boat</em>',
    raw: '<wp:post_parent>1</wp:post_parent><wp:menu_order>2</wp:menu_order>',
  }),
  attachment(12, 'a.png', {
    link: `${blogUrl}/?attachment_id=12`,
    excerpt: 'Air',
    meta: { _wp_attachment_image_alt: 'Sky' },
    raw: '<wp:post_parent>1</wp:post_parent><wp:menu_order>1</wp:menu_order>',
  }),
  attachment(13, '2020/paper.pdf'),
  attachment(14, 'talk.mp3'),
  attachment(15, 'film.mov'),
];

let app: TestApp;
let result: ImportResult;

beforeAll(async () => {
  app = await createTestApp();
  const folder = await folderWith({
    'export.xml': wxrFile(items),
    'redirection.json': JSON.stringify({
      plugin: {},
      redirects: [
        { url: '/short/', action_type: 'url', action_data: { url: `${blogUrl}/2020/01/files/` } },
        { url: '/off', action_type: 'url', action_data: { url: '/2020/01/files/' }, enabled: false },
        { url: '/away', action_type: 'url', action_data: { url: 'https://far.example/2020/01/files/' } },
        { url: '^/old/(.*)', action_type: 'url', action_data: { url: '/2020/01/files/' }, regex: true },
        { url: '/lost', action_type: 'url', action_data: { url: '/nowhere' } },
      ],
    }),
    'uploads/a.png': await picture(1),
    'uploads/b.png': await picture(2),
    'uploads/2020/paper.pdf': '%PDF-1.7\n',
    'uploads/talk.mp3': Buffer.from('ID3\x04\0\0', 'latin1'),
    'uploads/film.mov': Buffer.from('\0\0\0\x14ftypqt  ', 'latin1'),
    'uploads/data.zip': 'PK',
  });
  result = await importResult(app, {
    from: 'wordpress',
    input: path.join(folder, 'export.xml'),
    redirects: path.join(folder, 'redirection.json'),
  });
});
afterAll(() => app.close());

const bodyOf = async (slug: string) => (await app.db.post.findUniqueOrThrow({ where: { slug } })).body;

describe('a site of WordPress', () => {
  test('files of every kind of the library come along, and galleries of a post’s own pictures', async () => {
    const media = await app.db.media.findMany();
    const at = (name: string) => `/uploads/${media.find(({ originalName }) => originalName === name)?.path}`;
    expect(await bodyOf('files')).toBe(
      [
        `![Sky](${at('a.png')} "Air")`,
        `![](${at('b.png')})`,
        '*A _boat_*',
        `[Paper](${at('paper.pdf')})`,
        `![](${at('talk.mp3')})`,
        `![](${at('film.mov')})`,
        `[Data](${uploads}/data.zip)`,
        'One',
        'Two',
      ].join('\n\n'),
    );
    expect(result.imported.media).toBe(5);
    expect(result.warnings).toEqual(
      expect.arrayContaining([expect.stringContaining('data.zip stays as it is')]),
    );
  });

  test('pages of attachments and further pages of a post lead to the post', async () => {
    for (const old of ['/2020/01/files/b/', '/2020/01/files/2/', '/2020/01/files/'])
      expect([old, await findRedirect(app, old)]).toEqual([old, '/posts/files']);
  });

  test('rules of the plug-in Redirection lead to posts, others are listed', async () => {
    expect(await findRedirect(app, '/short')).toBe('/posts/files');
    expect(await findRedirect(app, '/off')).toBe(null);
    for (const left of ['/away', '^/old/(.*)', '/lost'])
      expect(result.warnings).toContainEqual(expect.stringContaining(`The redirect from ${left} to `));
    const csv = 'source,target,regex\n"/a","/b",0\n"/c.*","/b",1\n';
    const { byTarget, leftOut } = readRedirection(csv, blogUrl);
    expect([[...byTarget], leftOut.length]).toEqual([[['/b', ['/a']]], 1]);
    expect(() => readRedirection('a,b\n1,2', blogUrl)).toThrow('plug-in Redirection');
  });
});
