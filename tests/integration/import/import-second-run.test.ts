// A second run of an import: posts whose item did not change at the source keep what was edited here.
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MediaFetcher } from '#app/import/media/fetch.server.ts';
import type { ImportFromOptions } from '#app/import/run/import.server.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { addFiles, folderWith, picture } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';
import { serveFiles } from '#tests/support/serve-files.ts';
import { wxrFile } from '#tests/support/wxr.ts';

let app: TestApp;
beforeAll(async () => void (app = await createTestApp()));
afterAll(() => app?.close());

const bodyOf = async (slug: string) => (await app.db.post.findUniqueOrThrow({ where: { slug } })).body;

describe('with pictures that were fetched', () => {
  const pictures: Record<string, Buffer> = {};
  let old: Awaited<ReturnType<typeof serveFiles>>;
  beforeAll(async () => void (old = await serveFiles('old.example', pictures)));
  afterAll(() => old?.close());

  const markdown = async (name: string) => ({
    from: 'markdown' as const,
    input: await folderWith({
      [`${name}.md`]: `---\ndate: 2026-01-01\n---\n![a](${old.origin}/a.png) ![b](${old.origin}/b.png)`,
    }),
  });
  const substack = async (name: string) => ({
    from: 'substack' as const,
    input: await folderWith({
      'posts.csv': `post_id,post_date,is_published,title\n1.${name},2026-01-01T00:00:00.000Z,true,A\n`,
      [`posts/1.${name}.html`]: `<p><img src="${old.origin}/a.png"><img src="${old.origin}/b.png"></p>`,
    }),
  });
  const run = (input: Pick<ImportFromOptions, 'from' | 'input'>, fetcher?: MediaFetcher) =>
    importResult(app, { ...input, ...(fetcher && { fetchMedia: true, fetcher }) });
  const unreachable = () => new MediaFetcher({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });

  test.each([
    ['markdown', markdown],
    ['substack', substack],
  ])('keeps them while the old site is away or sends them otherwise: %s', async (name, inputOf) => {
    Object.assign(pictures, { '/a.png': await picture(1), '/b.png': await picture(2) });
    const input = await inputOf(`kept-${name}`);
    await run(input, old.fetcher());
    const body = await bodyOf(`kept-${name}`);
    expect(body).not.toContain(old.origin);
    expect(await run(input, unreachable())).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await run(input)).toMatchObject({ updated: 0, unchanged: 1 });
    pictures['/a.png'] = await picture(3);
    expect(await run(input, old.fetcher())).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await bodyOf(`kept-${name}`)).toBe(body);
  });

  test('keeps those that came from a folder at first', async () => {
    Object.assign(pictures, { '/a.png': await picture(1), '/b.png': await picture(2) });
    const input = await markdown('from-a-folder');
    const media = await folderWith({ 'a.png': await picture(6), 'b.png': await picture(7) });
    await importResult(app, { ...input, media });
    const body = await bodyOf('from-a-folder');
    expect(body).not.toContain(old.origin);
    expect(await run(input, old.fetcher())).toMatchObject({ updated: 0, unchanged: 1, warnings: [] });
    expect(await bodyOf('from-a-folder')).toBe(body);
  });

  test.each([
    ['markdown', markdown],
    ['substack', substack],
  ])('brings one that the old site did not send at first: %s', async (name, inputOf) => {
    pictures['/a.png'] = await picture(1);
    delete pictures['/b.png'];
    const input = await inputOf(`late-${name}`);
    await run(input, old.fetcher());
    expect(await bodyOf(`late-${name}`)).toContain(`${old.origin}/b.png`);
    pictures['/b.png'] = await picture(2);
    expect(await run(input, old.fetcher())).toMatchObject({ updated: 1, unchanged: 0 });
    expect(await bodyOf(`late-${name}`)).not.toContain(old.origin);
  });

  test.each([
    ['markdown', markdown],
    ['substack', substack],
  ])('leaves a post that was changed since, and names the picture: %s', async (name, inputOf) => {
    pictures['/a.png'] = await picture(1);
    delete pictures['/b.png'];
    const slug = `changed-${name}`;
    const input = await inputOf(slug);
    await run(input, old.fetcher());
    const { id: postId } = await app.db.post.findUniqueOrThrow({ where: { slug } });
    const body = `Typed here. ${await bodyOf(slug)}`;
    await editPost(app, { postId, intent: 'save', fields: { body }, editorId: null });
    pictures['/b.png'] = await picture(2);
    const { updated, warnings } = await run(input, old.fetcher());
    expect(updated).toBe(0);
    const named = `stays as it is, without what was missing before: ${old.origin}/b.png.`;
    expect(warnings).toContainEqual(expect.stringContaining(named));
    expect(await bodyOf(slug)).toBe(body);
  });
});

test('leaves out posts whose pictures are missing by then, as where --media was forgotten', async () => {
  const content = '<img src="https://old.example/wp-content/uploads/a.png">';
  const input = path.join(
    await folderWith({ 'export.xml': wxrFile([{ slug: 'shown', content }]) }),
    'export.xml',
  );
  const media = await folderWith({ 'a.png': await picture(1) });
  const run = (media?: string) => importResult(app, { from: 'wordpress', input, media });
  expect(await run()).toMatchObject({ imported: { posts: 1 } });
  expect(await run(media)).toMatchObject({ updated: 1 });
  const body = await bodyOf('shown');
  expect(body).toContain('](/uploads/');
  expect(await run()).toMatchObject({ updated: 0, unchanged: 1 });
  await addFiles(media, { 'a.png': await picture(2) });
  expect(await run(media)).toMatchObject({ updated: 1 });
  expect(await bodyOf('shown')).not.toBe(body);
});

test('warns where a changed post has fewer files, as where --media was forgotten', async () => {
  const media = await folderWith({ 'a.png': await picture(1) });
  const run = async (title: string, media?: string) => {
    const content = '<img src="https://old.example/wp-content/uploads/a.png">';
    const folder = await folderWith({ 'export.xml': wxrFile([{ slug: 'reworded', title, content }]) });
    return importResult(app, { from: 'wordpress', input: path.join(folder, 'export.xml'), media });
  };
  await run('One', media);
  const { updated, warnings } = await run('Two');
  expect(updated).toBe(1);
  expect(warnings).toContainEqual(
    expect.stringContaining('Run it with the folder of its files (--media) to bring them back.'),
  );
  expect(await run('Two', media)).toMatchObject({ updated: 1 });
  expect(await bodyOf('reworded')).toContain('](/uploads/');
});

test('keeps the tags and authors of a Ghost post where the file is cut off before them', async () => {
  const tables = {
    posts: [
      { id: 'p', slug: 'tagged', title: 'Tagged', html: '<p>Text</p>', status: 'published', type: 'post' },
    ],
    posts_tags: [{ post_id: 'p', tag_id: 't' }],
    tags: [{ id: 't', name: 'Kept', slug: 'kept' }],
  };
  const whole = JSON.stringify({ db: [{ data: tables }] });
  const run = async (text: string) => {
    const input = path.join(await folderWith({ 'ghost.json': text }), 'ghost.json');
    return importResult(app, { from: 'ghost', input });
  };
  await run(whole);
  const cut = whole.slice(0, whole.indexOf('"posts_tags"'));
  const { unchanged, warnings } = await run(cut);
  expect(unchanged).toBe(1);
  expect(warnings).toContainEqual(expect.stringContaining('cut off before its tags and authors'));
  const where = { post: { slug: 'tagged' } };
  expect(await app.db.postTag.count({ where })).toBe(1);
});

test('warns where a file is missing by then, since another one may have changed', async () => {
  const text = { 'two.md': '---\ndate: 2026-01-01\n---\n![a](a.png) ![b](b.png)' };
  const run = (input: string) => importResult(app, { from: 'markdown', input });
  await run(await folderWith({ ...text, 'a.png': await picture(1), 'b.png': await picture(2) }));
  const body = await bodyOf('two');
  const { updated, warnings } = await run(await folderWith({ ...text, 'a.png': await picture(3) }));
  expect(updated).toBe(0);
  expect(warnings).toContain(
    'two.md: Some of its files are missing, so the post stays as it is, also where another one has changed.',
  );
  expect(await bodyOf('two')).toBe(body);
});

test('names a picture that came from the old site where another one is away by then', async () => {
  const pictures: Record<string, Buffer> = { '/a.png': await picture(4) };
  const old = await serveFiles('old.example', pictures);
  const text = `---\ndate: 2026-01-01\n---\n![a](${old.origin}/a.png) ![b](${old.origin}/b.png)`;
  const input = await folderWith({ 'turns.md': text });
  const run = () => importResult(app, { from: 'markdown', input, fetchMedia: true, fetcher: old.fetcher() });
  await run();
  delete pictures['/a.png'];
  pictures['/b.png'] = await picture(5);
  const { updated, warnings } = await run();
  expect(updated).toBe(0);
  const named = `has files that this run has not, so it stays as it is, without what was missing before: ${old.origin}/b.png.`;
  expect(warnings).toEqual([expect.stringContaining(named)]);
  await old.close();
});

test('leaves out a post that links to one whose address was changed here', async () => {
  const link = '<p><a href="https://a.example/p/linked">Linked</a></p>';
  const input = await folderWith({
    'posts.csv': [
      'post_id,post_date,is_published,title',
      '1.linked,2026-01-01T00:00:00.000Z,true,Linked',
      '2.linking,2026-01-01T00:00:00.000Z,true,Linking',
    ].join('\n'),
    'posts/1.linked.html': '<p>Text</p>',
    'posts/2.linking.html': link,
  });
  const options = { from: 'substack', input } as const;
  await importResult(app, options);
  expect(await bodyOf('linking')).toBe('[Linked](/posts/linked)');
  await app.db.post.update({ where: { slug: 'linked' }, data: { slug: 'renamed' } });
  expect(await importResult(app, options)).toMatchObject({ updated: 0, unchanged: 2 });
});
