// Names of categories and tags that differ only by signs, such as C, C++ and C#, whose slugs would be the same.
import path from 'node:path';
import { expect, it } from 'vitest';
import { exportContent } from '#app/export/export-content.server.ts';
import { exportTargetNames } from '#app/export/targets.ts';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { postFields } from '#app/posts/fields/fields.ts';
import { termSchema } from '#app/posts/terms/form.ts';
import { changePosts } from '#app/publishing/posts/change-many.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { restoreRevision } from '#app/publishing/posts/restore-revision.server.ts';
import { createTerm, saveTerm } from '#app/publishing/terms/save.server.ts';
import { restoreTerm, trashTerm } from '#app/publishing/terms/trash.server.ts';
import { createTestApp, describeWithApp, type TestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { createCategory, createTag } from '#tests/support/factories.ts';
import { importResult } from '#tests/support/import.ts';
import { said } from '#tests/support/texts/said.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const post = (title: string, tags: string) =>
  `---\ntitle: ${title}\ndate: 2021-01-01\ntags: [${tags}]\n---\nx\n`;

describeWithApp('names that differ by signs', (getApp) => {
  it('are tags of their own in the form', async () => {
    const app = getApp();
    await write(app, 'All', 'C, C++, C#, F#, F, .NET, NET, A/B, A B, c++');
    expect(await tagsOf(app, 'All')).toEqual(['C', 'C++', 'C#', 'F#', 'F', '.NET', 'NET', 'A/B', 'A B']);
    await write(app, 'Sharp', 'c#');
    expect(await tagsOf(app, 'Sharp')).toEqual(['C#']);
    const slugs = (await app.db.tag.findMany()).map(({ name, slug }) => [name, slug]);
    expect(Object.fromEntries(slugs)).toMatchObject({
      C: 'c',
      'C++': 'c-2',
      'C#': 'c-3',
      'F#': 'f',
      F: 'f-2',
    });
  });

  it('are one tag where only case, composition or the width of spaces differ', async () => {
    const app = getApp();
    await write(app, 'One', 'Öl++, New  York!, JavaScript');
    await write(app, 'Two', 'O\u0308L++, new york!, javascript');
    expect(await tagsOf(app, 'Two')).toEqual(['Öl++', 'New  York!', 'JavaScript']);
    // Also where the slug says something else.
    await createTag(app, { name: 'Ångström', slug: 'unit' });
    await createTag(app, { name: 'TypeScript', slug: 'ts' });
    await write(app, 'Three', 'ångström, typescript, TS');
    expect(await tagsOf(app, 'Three')).toEqual(['Ångström', 'TypeScript']);
  });

  it('are not found by the slug of a tag that has another name now', async () => {
    const app = getApp();
    const { id } = await createTag(app, { name: 'C', slug: 'c' });
    await saveTerm(app, 'tag', id, { name: 'The language C', slug: 'c', description: '' });
    await write(app, 'Old name', 'c');
    await write(app, 'Another', 'C++');
    expect(await tagsOf(app, 'Old name')).toEqual(['The language C']);
    expect(await tagsOf(app, 'Another')).toEqual(['C++']);
  });

  it('are tags of their own when saves create them at once', async () => {
    const app = getApp();
    const names = ['C', 'C++', 'C#', 'C', 'C++', 'C#'];
    await Promise.all(names.map((name, index) => write(app, `Save ${index}`, name)));
    for (const [index, name] of names.entries()) expect(await tagsOf(app, `Save ${index}`)).toEqual([name]);
    expect(await app.db.tag.count()).toBe(3);
  });

  it('leave the slug of another tag alone that has a number', async () => {
    const app = getApp();
    await write(app, 'Version', 'C 2');
    await write(app, 'Post', 'C, C++');
    expect(await tagsOf(app, 'Post')).toEqual(['C', 'C++']);
    expect(await app.db.tag.findUnique({ where: { slug: 'c-2' } })).toMatchObject({ name: 'C 2' });
  });

  it('are kept by actions on many posts, and by a restored revision', async () => {
    const app = getApp();
    const { id, version } = await write(app, 'Post', 'C');
    await changePosts(app, { ids: [id], intent: 'tag', tags: ['c', 'C++', 'c#'], editorId: null });
    expect(await tagsOf(app, 'Post')).toEqual(['C', 'C++', 'c#']);
    await editPost(app, { postId: id, intent: 'save', fields: { tags: ['C'] }, editorId: null });
    const revision = await app.db.revision.findFirstOrThrow({
      where: { postId: id, postVersion: version + 1 },
    });
    const latest = await app.db.post.findUniqueOrThrow({ where: { id } });
    await restoreRevision(app, {
      postId: id,
      revisionId: revision.id,
      version: latest.version,
      editorId: null,
    });
    expect(await tagsOf(app, 'Post')).toEqual(['C', 'C++', 'c#']);
  });

  it('are categories and tags of their own on their screens', async () => {
    const app = getApp();
    for (const kind of ['category', 'tag'] as const) {
      for (const name of ['C', 'C++', 'C#']) await createTerm(app, kind, termSchema.parse({ name }));
      await expect(createTerm(app, kind, termSchema.parse({ name: 'c++' }))).rejects.toMatchObject({
        fields: { slug: [said(`The slug is used by the ${kind} “C++”. Choose another.`)] },
      });
      await expect(createTerm(app, kind, termSchema.parse({ name: 'C&', slug: 'c' }))).rejects.toMatchObject({
        fields: { slug: [said(`The slug is used by the ${kind} “C”. Choose another.`)] },
      });
      const table = kind === 'tag' ? app.db.tag : (app.db.category as unknown as typeof app.db.tag);
      const sharp = await table.findUniqueOrThrow({ where: { slug: 'c-3' } });
      await saveTerm(app, kind, sharp.id, termSchema.parse({ name: 'C#', description: 'Microsoft' }));
      const rows = await table.findMany({ orderBy: { slug: 'asc' } });
      expect(rows.map(({ name, slug }) => `${name} ${slug}`)).toEqual(['C c', 'C++ c-2', 'C# c-3']);
    }
    const { id } = await write(app, 'Post', '');
    const added = { postId: id, intent: 'save' as const, fields: {}, editorId: null, newCategory: 'c++' };
    await editPost(app, added);
    await editPost(app, { ...added, newCategory: 'C--' });
    expect((await app.db.category.findMany({ orderBy: { slug: 'asc' } })).map(({ name }) => name)).toEqual([
      'C',
      'C++',
      'C#',
      'C--',
    ]);
  });

  it('come back from the trash beside a tag of another name', async () => {
    const app = getApp();
    await write(app, 'Before', 'C, C++');
    const { id } = await app.db.tag.findFirstOrThrow({ where: { name: 'C++' } });
    await trashTerm(app, byCommand, { kind: 'tag', id });
    await write(app, 'Meanwhile', 'C#');
    await restoreTerm(app, byCommand, { kind: 'tag', id });
    expect(await tagsOf(app, 'Before')).toEqual(['C', 'C++']);
    expect(await tagsOf(app, 'Meanwhile')).toEqual(['C#']);
    // An import brought a tag with the slug.
    await trashTerm(app, byCommand, { kind: 'tag', id });
    await createTag(app, { name: 'C--', slug: 'c-2' });
    await restoreTerm(app, byCommand, { kind: 'tag', id });
    expect(await tagsOf(app, 'Before')).toEqual(['C', 'C++']);
  });

  it('are imported as tags and categories of their own, also in a second run', async () => {
    const app = getApp();
    const input = await folderWith({
      '_config.yml': 'title: x\n',
      '_posts/2021-01-06-emptytag.md': post('All', `'a/b', 'C#', 'C++', 'C', 'A B'`),
      '_posts/2021-01-08-cs.md': post('Sharp', `'C#'`),
      '_posts/2021-01-09-cat.md': '---\ntitle: Cat\ncategory: C++\n---\nx\n',
      '_posts/2021-01-10-cat.md': '---\ntitle: Dog\ncategory: C\n---\nx\n',
    });
    await write(app, 'Here', 'c++');
    const dry = await importResult(app, { from: 'markdown', input, dryRun: true });
    expect(dry.imported).toMatchObject({ tags: 4, categories: 2 });
    const real = await importResult(app, { from: 'markdown', input });
    expect(real.imported).toMatchObject({ posts: 4, tags: 4, categories: 2 });
    expect(await tagsOf(app, 'All')).toEqual(['a/b', 'C#', 'c++', 'C', 'A B']);
    expect(await tagsOf(app, 'Sharp')).toEqual(['C#']);
    const again = await importResult(app, { from: 'markdown', input });
    expect(again.imported).toMatchObject({ posts: 0, tags: 0, categories: 0 });
    const named = await app.db.post.findMany({
      where: { title: { in: ['Cat', 'Dog'] } },
      select: { category: true },
      orderBy: { title: 'asc' },
    });
    expect(named.map(({ category }) => category!.name)).toEqual(['C++', 'C']);
  });

  it('are imported into the tags that a source gives their slugs', async () => {
    const app = getApp();
    await createTag(app, { name: 'C', slug: 'c' });
    const input = await folderWith({
      'a.md': '---\ntitle: A\ntags: [C++, C#]\ntag_slugs: [cpp, c]\n---\nx\n',
      'b.md': '---\ntitle: B\ntags: [c++, C#]\n---\nx\n',
    });
    await importResult(app, { from: 'markdown', input });
    expect(await tagsOf(app, 'A')).toEqual(['C++', 'C']);
    expect(await tagsOf(app, 'B')).toEqual(['C++', 'C#']);
  });

  it('survive an export to every system and an import of it', async () => {
    const app = getApp();
    await createTag(app, { name: 'C++', slug: 'c' });
    const category = await createCategory(app, { name: 'D#', slug: 'd-2' });
    const { id } = await write(app, 'All', 'C, C++, C#, .NET, NET');
    await editPost(app, { postId: id, intent: 'save', fields: { categoryId: category.id }, editorId: null });
    for (const name of ['C', 'C++', 'C#', '.NET', 'NET']) await write(app, name, name);
    for (const to of exportTargetNames) {
      const output = path.join(await tempFolder(), to);
      await exportContent(app, { to, outputDir: output });
      const target = await createTestApp();
      const source =
        to === 'ghost'
          ? { from: to, input: path.join(output, 'ghost.json') }
          : to === 'wordpress'
            ? { from: to, input: path.join(output, 'wordpress.xml') }
            : { from: 'markdown' as const, input: output };
      await importResult(target, source);
      const titles = ['All', 'C', 'C++', 'C#', '.NET', 'NET'];
      const read = async (site: TestApp) => {
        const slugs = await site.db.tag.findMany({
          orderBy: { slug: 'asc' },
          select: { name: true, slug: true },
        });
        const { category } = await site.db.post.findFirstOrThrow({
          where: { title: 'All' },
          select: { category: { select: { name: true, slug: true } } },
        });
        return { slugs, category, posts: await Promise.all(titles.map((title) => tagsOf(site, title))) };
      };
      const before = await read(app);
      expect(await read(target), to).toEqual(before);
      await target.close();
    }
  });
});

function write(app: TestApp, title: string, tags: string) {
  const fields = { title, tags: postFields.tags.form().parse(tags) };
  return createPost(app, { intent: 'publish', fields, editorId: null });
}

async function tagsOf(app: TestApp, title: string): Promise<string[]> {
  const { tags } = await app.db.post.findFirstOrThrow({
    where: { title },
    select: { tags: { select: { tag: true }, orderBy: { position: 'asc' } } },
  });
  return tags.map(({ tag }) => tag.name);
}
