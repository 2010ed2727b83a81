import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '#app/platform/errors.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';

const importFolder = (app: TestApp, input: string) =>
  importResult(app, { from: 'markdown', input, dryRun: false });

const brokenFiles = {
  'ancient.md': '---\ndate: 0000-01-01\n---\n',
  'date.md': '---\ndate: 2026-02-30\n---\n',
  'encoding.md': Buffer.from([0x2d, 0xff, 0xfe]),
  'good.md': '---\ndate: 2026-01-01\n---\nfine',
  'huge.md': `---\ndate: 2026-01-01\n---\n${'x'.repeat(2 * 1024 * 1024 + 1)}`,
  'nul.md': '---\ndate: 2026-01-01\n---\na\0b',
  'title.md': `---\ntitle: ${'x'.repeat(5 * 1024 * 1024)}\n---\n`,
  'tags.md': `---\ntags: [${Array.from({ length: 51 }, (_, n) => `t${n}`).join(', ')}]\n---\n`,
  'yaml.md': '---\na: 1\na: 2\n---\n',
};

describeWithApp('content:import --from markdown of what is broken', (getApp) => {
  test('bad files are skipped with a reason and stop nothing', async () => {
    const result = await importFolder(getApp(), await folderWith(brokenFiles));
    expect(result.imported.posts).toBe(7);
    expect(result.warnings).toEqual([
      'ancient.md: A date lies before the year 1. The post becomes a draft.',
      "date.md: The front matter's “date” is not a date such as 2026-11-20 or 2026-11-20T08:00:00Z: it was left out.",
      'date.md: No date: the post becomes a draft.',
      'nul.md: Characters that cannot be stored were removed: body.',
      'tags.md: No date: the post becomes a draft.',
      'tags.md: A post has at most 50 tags. 1 left out: t50.',
      'title.md: No date: the post becomes a draft.',
      'title.md: Title is too long: at most 300 characters. It was cut.',
      "yaml.md: The front matter's “a” is there twice: the last one counts.",
      'yaml.md: No date: the post becomes a draft.',
    ]);
    expect(result.skipped).toEqual([
      { item: 'encoding.md', reason: 'The file is not UTF-8 text.' },
      { item: 'huge.md', reason: 'Body is too long: at most 2 MB.' },
    ]);
  });

  test('a text that takes too long to render is skipped with the reason', async () => {
    const app = getApp();
    const renderMarkdown: TestApp['workers']['renderMarkdown'] = (text, options) =>
      text === 'slow'
        ? Promise.reject(new AppError('invalid_input', 'The text takes too long.'))
        : app.workers.renderMarkdown(text, options);
    const result = await importFolder(
      { ...app, workers: { ...app.workers, renderMarkdown } },
      await folderWith({
        'a.md': '---\ndate: 2026-01-01\n---\nslow',
        'b.md': '---\ndate: 2026-01-01\n---\nfine',
      }),
    );
    expect(result.imported.posts).toBe(1);
    expect(result.skipped).toEqual([{ item: 'a.md', reason: 'The text takes too long.' }]);
  });

  test('pictures: an SVG is drawn, a damaged one and one outside stay away', async () => {
    const app = getApp();
    const folder = await folderWith({
      'secret.png': await picture(1),
      'blog/a.md':
        '---\ndate: 2026-01-01\n---\n![](s.svg) ![](bad.png) ![](../secret.png) ![](evil.svg) [text](notes.txt) [page](b.html)',
      'blog/s.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40"/></svg>',
      'blog/evil.svg':
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><script>alert(1)</script><text>&x;</text></svg>',
      'blog/bad.png': Buffer.concat([(await picture(2)).subarray(0, 60)]),
      'blog/notes.txt': 'x',
    });
    const result = await importFolder(app, path.join(folder, 'blog'));
    const drawn = await app.db.media.findFirstOrThrow({ where: { originalName: 's.svg.png' } });
    expect(drawn).toMatchObject({ mimeType: 'image/png', width: 120, height: 80 });
    const { body } = await app.db.post.findUniqueOrThrow({ where: { slug: 'a' } });
    expect(body).toContain(`![](/uploads/${drawn.path}) ![](bad.png) ![](../secret.png)`);
    expect(result.warnings).toEqual([
      'a.md: ../secret.png: the file is outside of the folder.',
      'a.md: notes.txt: only pictures, sounds, films and PDF files come along; the link stays as it is.',
      expect.stringMatching(/^a\.md: bad\.png: The image is damaged/),
      // An SVG that wants another file is not drawn.
      expect.stringMatching(/^a\.md: evil\.svg: The image is damaged/),
    ]);
  });

  test('a folder that is not there, and one without posts', async () => {
    const app = getApp();
    const folder = await folderWith({});
    expect(await importFolder(app, folder)).toMatchObject({ imported: { posts: 0, media: 0 }, skipped: [] });
    await rm(folder, { recursive: true });
    await expect(importFolder(app, folder)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
