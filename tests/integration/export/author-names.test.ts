import path from 'node:path';
import { expect, test } from 'vitest';
import { exportContent } from '#app/export/export-content.server.ts';
import { createTestApp, describeWithApp, type TestApp } from '#tests/support/app.ts';
import { folderOf, folderWith } from '#tests/support/content-folders.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { importResult } from '#tests/support/import.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const authorOf = async (app: TestApp, slug: string) =>
  (await app.db.post.findUniqueOrThrow({ where: { slug }, include: { author: true } })).author?.displayName;

const exported = async (app: TestApp) => {
  const outputDir = path.join(await tempFolder(), 'export');
  await exportContent(app, { outputDir });
  return outputDir;
};

/** Such as YAML takes for something else. */
const names = ['Felix Klock, Wesley Wiser', ', ,', 'a,b', '[a, b]', '- a', '{name: x}', '12', "O'Neil, 3rd"];

describeWithApp('the author of a Markdown file', (getApp, dialect) => {
  test('is one name where it is a text, commas and all; a list is several names', async () => {
    const app = getApp();
    const file = (author: string) => `---\ndate: 2026-01-01\n${author}\n---\nx`;
    const input = await folderWith({
      'text.md': file('author: Felix Klock, Wesley Wiser'),
      'plural.md': file('authors: "King, Martin, Jr."'),
      'toml.md': '+++\ndate = 2026-01-01\nauthor = "Ada, Countess of Lovelace"\n+++\nx',
      'list.md': file('authors: [Grace Hopper, Jean Bartik]'),
      'table.md': file('author: {name: "Curie, Marie"}'),
    });
    const { skipped, warnings } = await importResult(app, { from: 'markdown', input });
    expect({ skipped, warnings }).toEqual({
      skipped: [],
      warnings: [],
    });
    expect(await authorOf(app, 'text')).toBe('Felix Klock, Wesley Wiser');
    expect(await authorOf(app, 'plural')).toBe('King, Martin, Jr.');
    expect(await authorOf(app, 'toml')).toBe('Ada, Countess of Lovelace');
    expect(await authorOf(app, 'list')).toBe('Grace Hopper');
    expect(await authorOf(app, 'table')).toBe('Curie, Marie');
  });

  test('comes back as it was from an export, whatever the name holds', async () => {
    const app = getApp();
    for (const [index, displayName] of names.entries()) {
      const author = await createUser(app, { displayName, username: `author-${index}` });
      await createPost(app, { slug: `post-${index}`, authorId: author.id });
    }
    const input = await exported(app);
    const other = await createTestApp({ dialect });
    try {
      expect(await importResult(other, { from: 'markdown', input })).toMatchObject({
        skipped: [],
        warnings: [],
      });
      for (const [index, name] of names.entries()) expect(await authorOf(other, `post-${index}`)).toBe(name);
      expect(await folderOf(await exported(other))).toEqual(await folderOf(input));
    } finally {
      await other.close();
    }
  });
});
