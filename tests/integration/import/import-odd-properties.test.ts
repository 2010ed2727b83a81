import { expect, test } from 'vitest';
import { importedFolder } from '#tests/support/imported-folder.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { createTestApp } from '#tests/support/app.ts';
import { importResult } from '#tests/support/import.ts';

const noteOf = (...lines: string[]) => `---\n${lines.join('\n')}\n---\nBody\n`;
const vaultNotes: Record<string, string> = {
  one: noteOf('created: 2024-01-01', 'status: [draft, idea]'),
  two: noteOf('created: 2024-01-02', 'status:', '  - published'),
  three: noteOf('created: 2024-01-03', 'title: 2024'),
  four: noteOf('created: 2024-01-04', 'title: [A, B]'),
  five: noteOf('created: 2024-01-05', 'slug: 123'),
  six: noteOf('created: 2024-01-06', 'author: {name: Jo Do, email: jo@old.example}'),
  seven: noteOf('created: 2024-01-07', 'tags: {a: b}'),
  eight: noteOf('created: 2024-01-08', 'draft: "yes"'),
  nine: noteOf('created: 2024-01-09', 'description: [a, b]'),
  ten: noteOf('created: [2024-01-01]'),
  eleven: noteOf('created: 2024-01-11', 'cover: {}', 'image: [1]', 'category: [x]', 'categories: 5'),
  twelve: noteOf('created: 2024-01-12', 'status: idea'),
  thirteen: noteOf('created: 2024-01-13', 'status: 1', 'excerpt: 5'),
  fourteen: noteOf('created: 2024-01-14', 'language: [en, de]', 'lang: 3', 'type: [note]'),
  fifteen: noteOf(
    ...[
      'created: 2024-01-15',
      'status: ',
      '  state: done',
      'url: [x]',
      'permalink: {a: 1}',
      'aliases: {b: 1}',
    ],
  ),
};

test('a note with an odd property is imported without it, with a warning', async () => {
  const files = Object.fromEntries(
    Object.entries(vaultNotes).map(([name, text]) => [`vault/Notes/${name}.md`, text]),
  );
  const { result, posts } = await importedFolder(
    { 'vault/.obsidian/app.json': '{}', ...files },
    { below: 'vault' },
  );
  expect(result).toMatchObject({ dialect: 'obsidian', imported: { posts: 15 }, skipped: [] });
  expect(posts.one!.status).toBe('draft');
  expect(posts.eight!.status).toBe('draft');
  const open = Object.values(posts).filter(({ status }) => status === 'published');
  expect(open).toHaveLength(13);
  expect(posts.three!.title).toBe('2024');
  expect(posts.four!.title).toBe('A, B');
  expect(posts['123']).toMatchObject({ day: '2024-01-05' });
  expect(posts.six!.author).toBe('Jo Do');
  expect(posts.seven!.tags).toEqual([]);
  expect(posts.ten!.day).toBe('2024-01-01');
  expect(posts.eleven!.category).toBe('x');
  expect(result.warnings).toEqual(
    expect.arrayContaining([
      "Notes/one.md: The front matter's “status” says “draft”: the post becomes a draft, it would be public.",
      ...['two', 'twelve', 'thirteen', 'fifteen'].map(
        (name) =>
          `Notes/${name}.md: The front matter's “status” is not one of draft, scheduled, published, archived: it was left out.`,
      ),
      "Notes/seven.md: The front matter's “tags” is not a list of texts: it was left out.",
      "Notes/fifteen.md: The front matter's “permalink” is not a text: it was left out.",
      "Notes/fifteen.md: The front matter's “aliases” is not a list of texts: it was left out.",
    ]),
  );
});

test('tags of Jekyll are the texts that were written', async () => {
  const { result, posts } = await importedFolder({
    '_config.yml': 'title: X\n',
    '_posts/2021-01-01-num.md': noteOf('tags: [2021, review]'),
    '_posts/2021-01-02-null.md': noteOf('tags: [a, null, b]'),
    '_posts/2021-01-03-date.md': noteOf('tags: [2021-05-01, true, 3.10, 007]'),
    '_posts/2021-01-04-hash.md': noteOf('tags:', '  - name: a', '  - b', '  - {x: y}', '  - [c, [d]]'),
    '_posts/2021-01-05-catlist.md': noteOf('category: [one, two]'),
    '_posts/2021-01-06-none.md': noteOf('tags: false', 'categories: {}'),
  });
  expect(result).toMatchObject({ dialect: 'jekyll', imported: { posts: 6 }, skipped: [] });
  expect(posts.num!.tags).toEqual(['2021', 'review']);
  expect(posts.null!.tags).toEqual(['a', 'b']);
  expect(posts.date!.tags).toEqual(['2021-05-01', 'true', '3.10', '007']);
  expect(posts.hash!.tags).toEqual(['a', 'b', 'c', 'd']);
  expect(posts.catlist).toMatchObject({ category: 'one', tags: ['two'] });
  expect(posts.none!.tags).toEqual([]);
});

test('TOML and JSON, Hugo and Astro: a status that no generator knows', async () => {
  const hugo = await importedFolder({
    'hugo.toml': 'baseURL = "https://old.example/"',
    'content/posts/toml.md':
      "+++\ntitle = 'Toml'\ndate = 2021-09-02T07:00:00\ntags = ['a', 5, 2021-05-01]\nstatus = 'wip'\n+++\nx",
    'content/posts/list.md':
      "+++\ntitle = ['A', 'B']\ndate = 2021-09-02\nstatus = ['x']\ndescription = {a = 1}\n+++\nx",
    'content/posts/json.md':
      '{\n"title": "Json",\n"date": "2021-09-03",\n"tags": [1, {"a": 2}],\n"status": {"x": "in progress"},\n}\nx',
  });
  expect(hugo.result).toMatchObject({ imported: { posts: 3 }, skipped: [] });
  expect(hugo.posts.toml).toMatchObject({ status: 'draft', tags: ['a', '5', '2021-05-01'] });
  expect(hugo.posts.list).toMatchObject({ status: 'published', title: 'A, B' });
  expect(hugo.posts.json).toMatchObject({ status: 'draft', title: 'Json', tags: ['1'] });
  const astro = await importedFolder({
    'astro.config.mjs': '',
    'src/content/blog/a.md': noteOf("pubDate: 'Sep 02 2021'", 'status: wip', "tags: ['a']"),
    'src/content/blog/b.md': noteOf(
      'pubDate: 2021-09-02',
      'author: {name: Jo}',
      'image: {url: ./x.png, alt: Al}',
    ),
  });
  expect(astro.result).toMatchObject({ imported: { posts: 2 }, skipped: [] });
  expect(astro.posts.a!.status).toBe('draft');
  expect(astro.posts.b).toMatchObject({ status: 'published', author: 'Jo' });
});

const states = [
  ['draft: "maybe"', 'draft'],
  ['draft: [x]', 'draft'],
  ['draft: {a: b}', 'draft'],
  ['draft: 1', 'draft'],
  ['draft: 0', 'published'],
  ['draft: ""', 'published'],
  ['draft: [', 'draft'],
  ['draft: true\ndraft: false', 'draft'],
  ['private: maybe', 'draft'],
  ['password: [a, b]', 'draft'],
  ['password: {a: b}', 'draft'],
  ['published: not yet published', 'draft'],
  ['published: 0', 'draft'],
  ['visibility: members', 'draft'],
  ['visibility: public', 'published'],
  ['unlisted: 1', 'draft'],
  ['dg-publish: false', 'draft'],
  ['hide: [toc, navigation]', 'published'],
  ...['WIP', 'Work in progress', 'in-progress', '"[[Draft]]"', '🚧 Pending!', 'first draft', 'Entwurf'].map(
    (status) => [`status: ${status}`, 'draft'],
  ),
  ...['下書きです', 'Черновик', '草稿', 'مسودة', 'not published', 'Unlisted', 'Hidden', 'To review'].map(
    (status) => [`status: ${status}`, 'draft'],
  ),
  ...['idea', 'evergreen', 'live', 'reviewed', 'Fertig', 'true', '[]', '{}'].map((status) => [
    `status: ${status}`,
    'published',
  ]),
] as [line: string, status: string][];

test('a state that is not understood makes nothing public that says it is not', async () => {
  const { result, posts } = await importedFolder(
    Object.fromEntries(
      states.map(([line], index) => [`n-${index}.md`, noteOf('date: 2021-01-01', line)] as const),
    ),
  );
  expect(result.skipped).toEqual([]);
  const read = states.map(([line], index) => [line, posts[`n-${index}`]?.status]);
  expect(read).toEqual(states);
});

test('values that cannot be read as a whole are read one by one', async () => {
  const { result, posts } = await importedFolder({
    'colon.md': noteOf('title: Part 2: the sea', 'date: 2021-01-01', 'tags: [a]'),
    'tab.md': noteOf('title: Tab', 'date: 2021-01-01', 'tags:', '\t- a', '\t- b'),
    'twice.md': noteOf('date: 2021-01-01', 'tags: [a]', 'title: One', 'title: Two'),
    'quote.md': noteOf('title: "Big" news', 'description: @home: x', 'date: 2021-01-01'),
    'apostrophe.md': noteOf("title: 'It's fine'", 'date: 2021-01-01'),
    'open.md': noteOf('title: Open', 'tags: [a, b', 'date: 2021-01-01'),
    'toml.md':
      '+++\ntitle = Sea: here\ndate = 2021-1-1\ntags = ["a"\ntags = ["b"]\n[taxonomies]\ncategories = ["c"]\n+++\nx',
    'rule.md': '---\nA text between rules.\n\n---\n\nMore',
  });
  expect(result.skipped).toEqual([]);
  expect(posts.colon).toMatchObject({ title: 'Part 2: the sea', tags: ['a'], status: 'published' });
  expect(posts.tab).toMatchObject({ title: 'Tab', tags: ['a', 'b'], status: 'published' });
  expect(posts.twice).toMatchObject({ title: 'Two', tags: ['a'], status: 'published' });
  expect(posts.quote).toMatchObject({ title: '"Big" news', status: 'published' });
  expect(posts.apostrophe!.title).toBe("It's fine");
  expect(posts.open).toMatchObject({ title: 'Open', tags: [], status: 'published' });
  expect(posts.toml).toMatchObject({ title: 'Sea: here', day: '2021-01-01', category: 'c' });
  expect(posts.rule).toMatchObject({ status: 'draft', body: '---\nA text between rules.\n\n---\n\nMore' });
  expect(result.warnings).toContain(
    "twice.md: The front matter's “title” is there twice: the last one counts.",
  );
});

test('values that are too long or not allowed are left out, and a post without its date is a draft', async () => {
  const long = 'x'.repeat(3_000);
  const { result, posts } = await importedFolder({
    'a.md': noteOf(
      ...['date: 2021-01-01', `title: ${long}`, `category: ${long}`, `tags: [a, ${long}, b]`],
      ...[`author: ${long}`, `seo_title: ${long}`, 'canonical_url: none', 'cover_focus: centre'],
      ...[`aliases: [/old, /${long}]`, `slug: ${long}`, 'updated: 2026-02-30', 'expiryDate: soon'],
    ),
    'soon.md': noteOf('date: soon'),
    'table.md': noteOf('date: {a: b}'),
    'ancient.md': noteOf('date: 0000-01-01'),
    'blank.md': noteOf('date: 2021-01-01', 'title: "\\u200b"'),
  });
  expect(result.skipped).toEqual([]);
  const a = Object.values(posts).find(({ title }) => title.startsWith('xxx'))!;
  expect(a).toMatchObject({ status: 'published', tags: ['a', 'b'], redirects: ['/old'] });
  expect(a.title).toHaveLength(300);
  expect(a.category).toBeUndefined();
  expect(posts.blank!.title).toBe('blank');
  for (const name of ['soon', 'table', 'ancient']) expect(posts[name]!.status).toBe('draft');
  for (const message of ['Category is too long', 'Tag is too long', 'A canonical address begins'])
    expect(result.warnings).toContainEqual(expect.stringContaining(message));
});

test('front matter nested deeply is no end of the import', async () => {
  const app = await createTestApp();
  try {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const input = await folderWith({
      'deep.md': noteOf('date: 2021-01-01', `tags: ${deep}`),
      'deep-toml.md': `+++\ndate = 2021-01-01\ntags = ${deep}\n+++\n`,
      'deep-json.md': `{"title": "x", "date": "2021-01-01", "tags": ${deep}}\nx`,
      'middle.md': noteOf('date: 2021-01-01', `tags: ${'['.repeat(900)}a${']'.repeat(900)}`),
      'good.md': noteOf('date: 2021-01-01'),
    });
    const result = await importResult(app, { from: 'markdown', input });
    expect(result.imported.posts + result.skipped.length).toBe(5);
    expect(await app.db.post.findFirst({ where: { slug: 'good' } })).toMatchObject({ status: 'published' });
  } finally {
    await app.close();
  }
});
