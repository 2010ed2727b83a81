// Items that are nested beyond reason are skipped with the reason; the rest is imported.
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from '#tests/support/content-folders.ts';
import { importedFolder, importedInput } from '#tests/support/imported-folder.ts';

const DEPTH = 20_000;
const nestedHtml = '<div>'.repeat(DEPTH) + 'x' + '</div>'.repeat(DEPTH);

function ghostExport(posts: object[]): string {
  const row = (post: object, index: number) => ({
    ...{
      id: `p${index}`,
      uuid: `u${index}`,
      title: `Post ${index}`,
      slug: `post-${index}`,
      status: 'published',
    },
    ...{ type: 'post', visibility: 'public', published_at: '2021-01-01T00:00:00.000Z', ...post },
  });
  return JSON.stringify({ db: [{ meta: { version: '5.0.0' }, data: { posts: posts.map(row) } }] });
}

function nestedLexical(): string {
  const node: object = { type: 'text', text: 'x', format: 0 };
  const open = '{"type":"paragraph","children":['.repeat(DEPTH);
  return `{"root":{"type":"root","children":[${open}${JSON.stringify(node)}${']}'.repeat(DEPTH)}]}}`;
}

test.each([
  ['lexical', { lexical: nestedLexical() }],
  ['HTML', { html: nestedHtml }],
  [
    'mobiledoc',
    {
      mobiledoc: `{"version":"0.3.1","sections":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)},"markups":[],"atoms":[],"cards":[]}`,
    },
  ],
])('a post of Ghost whose %s is nested', async (_name, nested) => {
  const folder = await folderWith({ 'ghost.json': ghostExport([{ html: '<p>Good</p>' }, nested]) });
  const { result, posts } = await importedInput({ from: 'ghost', input: path.join(folder, 'ghost.json') });
  expect(posts['post-0']).toMatchObject({ body: 'Good' });
  expect(result.skipped.length + Object.keys(posts).length).toBe(2);
});

test('a page of Medium that is nested', async () => {
  const page = (body: string) =>
    `<html><head><title>T</title></head><body><article class="h-entry"><h1 class="p-name">T</h1><section data-field="body" class="e-content">${body}</section><footer><time class="dt-published" datetime="2021-01-01T00:00:00.000Z"></time></footer></article></body></html>`;
  const folder = await folderWith({
    'posts/2021-01-01_Good-0123456789ab.html': page('<p>Good</p>'),
    'posts/2021-01-02_Bad-0123456789ac.html': page(nestedHtml),
  });
  const { result, posts } = await importedInput({ from: 'medium', input: folder });
  expect(Object.values(posts)).toHaveLength(1);
  expect(result.skipped).toMatchObject([{ reason: expect.stringContaining('nested too deeply') as string }]);
});

test.each([
  ['front matter', `---\ntitle: Bad\nx: ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}\n---\nText`],
  ['quotations', `---\ntitle: Bad\ndate: 2021-01-01\n---\n${'>'.repeat(DEPTH)} x`],
  [
    'lists',
    `---\ntitle: Bad\ndate: 2021-01-01\n---\n${Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join('\n')}`,
  ],
])('a Markdown file with nested %s leaves the others', async (_name, text) => {
  const { posts } = await importedFolder({
    'good.md': '---\ntitle: Good\ndate: 2021-01-01\n---\nText',
    'bad.md': text,
  });
  expect(posts.good).toMatchObject({ status: 'published' });
});
