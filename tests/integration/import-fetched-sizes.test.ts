// `--fetch-media`: which size of a picture comes from the old site.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importedFolder } from '#tests/support/imported-folder.ts';
import { picture } from '#tests/support/content-folders.ts';
import { serveFiles } from '#tests/support/serve-files.ts';
import { wxrFile } from '#tests/support/wxr.ts';

const requested: string[] = [];
const files: Record<string, Buffer> = {};
let old: Awaited<ReturnType<typeof serveFiles>>;
beforeAll(async () => void (old = await serveFiles('old.example', files, requested)));
afterAll(() => old?.close());

const uploads = '/wp-content/uploads/2020';

test('fetches a picture of WordPress in full size, and a smaller copy where there is no other', async () => {
  files[`${uploads}/a.png`] = await picture(1, 400, 300);
  files[`${uploads}/a-300x200.png`] = await picture(2, 30, 20);
  files[`${uploads}/b-300x200.png`] = await picture(3, 30, 20);
  files['/other/c-300x200.png'] = await picture(4, 30, 20);
  const names = ['a-300x200', 'a', 'b-300x200', 'none-300x200'].map((name) => `${uploads}/${name}.png`);
  const content = [...names, '/other/c-300x200.png'].map((name) => `<img src="${old.origin}${name}">`);
  const export1 = wxrFile([{ slug: 'one', content: content.join('\n\n') }], { blogUrl: old.origin });
  const { result, posts } = await importedFolder(
    { 'export.xml': export1 },
    { from: 'wordpress', below: 'export.xml', fetchMedia: true, fetcher: old.fetcher() },
  );
  expect(result.imported.media).toBe(3);
  expect(result.warnings).toEqual([
    expect.stringContaining('none-300x200.png was not fetched: the server answers 404.'),
  ]);
  const [whole, again, ...others] = posts.one!.body.split('\n\n');
  expect(whole).toBe(again);
  expect(others.join()).not.toContain(whole!);
  expect(requested).not.toContain(`${uploads}/a-300x200.png`);
  expect(requested.filter((path) => path.startsWith('/other'))).toEqual(['/other/c-300x200.png']);
});
