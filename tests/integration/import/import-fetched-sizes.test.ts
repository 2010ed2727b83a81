// `--fetch-media`: which pictures come from the old site, and in which size.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

test('counts pictures, not the addresses that it tries for them', async () => {
  files['/one.png'] = await picture(5);
  files['/two.png'] = await picture(6);
  const fetcher = old.fetcher({ files: 1 });
  for (const name of ['gone', 'gone-too']) await fetcher.fetch(`${old.origin}/${name}.png`);
  expect(await fetcher.fetch(`${old.origin}/one.png`)).toHaveProperty('file');
  expect(await fetcher.fetch(`${old.origin}/two.png`)).toEqual({
    problem: 'at most 1 files are fetched in one run',
  });
  await fetcher.close();
});

test('asks an old site again that reset connections for a moment, as at its restart', async () => {
  let requests = 0;
  const bytes = await picture(7);
  const starting = createServer(({ socket }, response) => {
    requests += 1;
    if (requests <= 7) socket.destroy();
    else response.end(bytes);
  });
  await new Promise<void>((resolve) => starting.listen(0, '127.0.0.1', resolve));
  const origin = `http://old.example:${(starting.address() as AddressInfo).port}`;
  const fetcher = old.fetcher();
  for (let number = 0; number < 7; number += 1)
    expect(await fetcher.fetch(`${origin}/${number}.png`)).toEqual({ problem: 'the server does not answer' });
  expect(await fetcher.fetch(`${origin}/7.png`)).toHaveProperty('file');
  await new Promise((resolve) => starting.close(resolve));
  await fetcher.close();
});
