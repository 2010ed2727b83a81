import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFrom } from '#app/import/run/import.server.ts';
import { describeWithApp } from '#tests/support/app.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { counts, importResult } from '#tests/support/import.ts';
import { blogUrl, wxrFile } from '#tests/support/wxr.ts';

const post = (title: string) => `---\ntitle: ${title}\ndate: 2026-01-01\n---\nText`;

const allKinds = {
  'a.md': `${post('A')} ![](pictures/used.png)`,
  'b.markdown': post('B'),
  'c.mdown': post('C'),
  'd.MDX': post('D'),
  'e.mkd': post('E'),
  'f.mkdn': post('F'),
  'broken.md': '---\ntitle: [\n---\n',
  'old.textile': 'h1. Title',
  'pictures/used.png': await picture(1),
  'pictures/unused.png': await picture(2),
  'css/site.CSS': 'a {}',
  'css/print.css': 'a {}',
  LICENSE: 'x',
  '.htaccess': 'x',
  '.git/HEAD': 'x',
  '.git/objects/ab/cd': 'x',
  'node_modules/x/readme.md': 'x',
};
const ignored = {
  '.png': 1,
  '.css': 2,
  LICENSE: 1,
  '.htaccess': 1,
  '.git/': 2,
  'node_modules/': 1,
  'symbolic link': 1,
};
const skipped = [
  { item: 'broken.md', reason: expect.stringContaining('front matter') as string },
  { item: 'old.textile', reason: 'Files of the format .textile cannot be read.' },
];

describeWithApp('an import accounts for everything', (getApp) => {
  test('every file of a folder is imported, unchanged, skipped or ignored', async () => {
    const app = getApp();
    const input = await folderWith(allKinds);
    await symlink('/etc', path.join(input, 'link.md'));
    expect(await importResult(app, { from: 'markdown', input })).toEqual({
      source: 'markdown',
      dialect: 'markdown',
      imported: counts({ posts: 6, media: 1 }),
      updated: 0,
      unchanged: 0,
      skipped,
      ignored,
      warnings: [],
    });
    expect(await importResult(app, { from: 'markdown', input })).toMatchObject({
      imported: counts(),
      unchanged: 6,
      skipped,
      ignored,
    });
  });

  test('every item of a WordPress export too, with the kinds of what is ignored', async () => {
    const app = getApp();
    const media = await folderWith({ 'used.png': await picture(1), 'unused.png': await picture(2) });
    const upload = (name: string) => `${blogUrl}/wp-content/uploads/${name}`;
    const input = await folderWith({
      'x.xml': wxrFile([
        { id: 1, content: `<img src="${upload('used.png')}">` },
        ...['used.png', 'unused.png', 'missing.png'].map((name, index) => ({
          id: 10 + index,
          type: 'attachment',
          status: 'inherit',
          attachmentUrl: upload(name),
        })),
        { id: 20, type: 'revision', status: 'inherit' },
        { id: 21, type: 'nav_menu_item' },
        { id: 22, status: 'trash' },
        { id: 23, type: 'recipe' },
      ]),
    });
    const options = { from: 'wordpress', input: path.join(input, 'x.xml'), media } as const;
    expect(await importResult(app, options)).toMatchObject({
      // A file that no post names comes into the library too.
      imported: { posts: 1, media: 2 },
      skipped: [{ item: 'old.example/?p=23', reason: 'Only posts and pages are imported, not “recipe”.' }],
      ignored: { attachment: 1, revision: 1, nav_menu_item: 1, trash: 1 },
    });
  });

  test('more than a tenth of skipped items is a problem unless that is accepted', async () => {
    const app = getApp();
    const files = Object.fromEntries(Array.from({ length: 18 }, (_, n) => [`${n}.md`, post(`${n}`)]));
    const few = await folderWith({ ...files, 'x.md': '---\n', 'y.md': '---\n' });
    const many = await folderWith({ ...files, 'x.md': '---\n', 'y.md': '---\n', 'z.md': '---\n' });
    const problems = async (input: string, acceptSkipped = false) =>
      (await importFrom(app, { from: 'markdown', input, dryRun: false, acceptSkipped })).problems;
    expect(await problems(few)).toEqual([]);
    expect(await problems(many)).toEqual([
      'More than a tenth of the items was skipped. See the reasons, or accept it with --accept-skipped.',
    ]);
    expect(await problems(many, true)).toEqual([]);
  });

  test('tags beyond the fiftieth are left out with a warning that names them', async () => {
    const app = getApp();
    const names = Array.from({ length: 60 }, (_, number) => `t${number}`);
    const input = await folderWith({ 'a.md': `---\ndate: 2026-01-01\ntags: [${names.join(', ')}]\n---\nx` });
    const { imported, warnings } = await importResult(app, { from: 'markdown', input });
    expect(imported).toMatchObject({ posts: 1, tags: 50 });
    expect(warnings).toEqual([
      'a.md: A post has at most 50 tags. 10 left out: t50, t51, t52, t53, t54, t55, t56, t57, t58, t59.',
    ]);
  });
});
