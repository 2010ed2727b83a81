import path from 'node:path';
import { expect, test } from 'vitest';
import { createTestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';

interface Case {
  files: Record<string, string>;
  /** The folder that is given, below the project. */
  below?: string;
  siteLanguage?: string;
}

async function imported({ files, below = '', siteLanguage }: Case) {
  const app = await createTestApp();
  try {
    if (siteLanguage !== undefined)
      await app.db.setting.upsert({
        where: { key: 'site_language' },
        create: { key: 'site_language', value: siteLanguage, updatedAt: app.clock.now() },
        update: { value: siteLanguage },
      });
    const input = path.join(await folderWith(files), below);
    const result = await importResult(app, { from: 'markdown', input });
    const again = await importResult(app, { from: 'markdown', input });
    const rows = await app.db.post.findMany({ include: { redirects: { orderBy: { path: 'asc' } } } });
    const slugOf = (id: string | null) => rows.find((row) => row.id === id)?.slug ?? null;
    const bodies = Object.fromEntries(rows.map(({ slug, body }) => [slug, body]));
    const posts = Object.fromEntries(
      rows.map(({ slug, language, translationOf, redirects }) => [
        slug,
        { language, of: slugOf(translationOf), redirects: redirects.map((one) => one.path) },
      ]),
    );
    return { result, again, posts, bodies };
  } finally {
    await app.close();
  }
}

const post = (title: string, more = '') => `---\ntitle: ${title}\ndate: 2024-01-02\n${more}---\nText.`;
const hugo =
  'baseURL = "https://old.example/"\ndefaultContentLanguage = "en"\n[languages.en]\n[languages.de]\n[languages.pt-br]\n';

const hugoWithNames = {
  'hugo.toml': hugo,
  // Before its original, and without one.
  'content/posts/a.de.md': post('A, deutsch'),
  'content/posts/a.md': post('A'),
  'content/posts/only.de.md': post('Nur'),
  'content/posts/bundle/index.en.md': post('Bundle'),
  'content/posts/bundle/index.pt-br.md': post('Pacote'),
  'content/posts/version.2.md': post('Version'),
  'content/about.md': '---\ntitle: About\n---\nUs.',
  'content/about.de.md': '---\ntitle: Wir\n---\nWir.',
  'content/posts/_index.de.md': '---\ntitle: Beiträge\n---\n',
};

test('Hugo: a name that says the language is a translation of the file without it', async () => {
  const { result, again, posts } = await imported({ files: hugoWithNames });
  expect(result.warnings).toEqual([
    'Posts in de, pt-BR are in the main list: add the language to “Other languages” in the settings of the site.',
  ]);
  expect(posts).toEqual({
    a: { language: '', of: null, redirects: [] },
    'a-de': { language: 'de', of: 'a', redirects: ['/de/posts/a'] },
    'only-de': { language: 'de', of: null, redirects: ['/de/posts/only'] },
    bundle: { language: '', of: null, redirects: [] },
    'bundle-pt-br': { language: 'pt-BR', of: 'bundle', redirects: ['/pt-br/posts/bundle'] },
    'version-2': { language: '', of: null, redirects: ['/posts/version.2'] },
    '/about': { language: '', of: null, redirects: [] },
    '/about-de': { language: 'de', of: '/about', redirects: ['/de/about'] },
  });
  expect(again).toMatchObject({ imported: { posts: 0, pages: 0 }, updated: 0, unchanged: 8 });
});

test('Hugo: folders of languages and a configuration in parts; the same key joins other names', async () => {
  const files = {
    'config/_default/hugo.yaml': 'baseURL: https://old.example/\ndefaultContentLanguage: de\n',
    'config/_default/languages.yaml':
      'de:\n  contentDir: content/deutsch\nen:\n  contentDir: content/english\n',
    'content/deutsch/posts/a.md': post('A, deutsch'),
    'content/english/posts/a.md': post('A', 'slug: a-english\n'),
    'content/deutsch/posts/brot.md': post('Brot', 'translationKey: bread\n'),
    'content/english/posts/bread.md': post('Bread', 'translationKey: bread\n'),
  };
  const { posts } = await imported({ files, below: 'content', siteLanguage: 'de' });
  expect(posts).toMatchObject({
    a: { language: '', of: null },
    'a-english': { language: 'en', of: 'a' },
    brot: { language: '', of: null },
    bread: { language: 'en', of: 'brot' },
  });
  // This site is in another language than the old one.
  const english = await imported({ files });
  expect(english.posts).toMatchObject({
    a: { language: 'de', of: null },
    'a-english': { language: '', of: 'a' },
  });
});

test('Zola: the languages of its configuration; one language changes nothing', async () => {
  const toml = (title: string) => `+++\ntitle = "${title}"\ndate = 2024-01-02\n+++\nText.`;
  const { posts } = await imported({
    files: {
      'config.toml': 'base_url = "https://old.example"\ndefault_language = "en"\n[languages.fr]\n',
      'content/a.md': toml('A'),
      'content/a.fr.md': toml('A, français'),
    },
  });
  expect(posts).toMatchObject({
    a: { language: '', of: null, redirects: ['/a'] },
    'a-fr': { language: 'fr', of: 'a', redirects: ['/fr/a'] },
  });
  const single = await imported({
    files: { 'config.toml': 'base_url = "https://old.example"\n', 'content/a.fr.md': toml('A') },
  });
  expect(single.posts).toEqual({ 'a-fr': { language: '', of: null, redirects: ['/a.fr'] } });
});

test('a link in a text of one language leads to the post in it, where there is one', async () => {
  const text = (body: string) => `---\ntitle: T\ndate: 2024-01-02\n---\n${body}`;
  const { bodies, result } = await imported({
    files: {
      'hugo.toml': hugo,
      'content/posts/a.md': text('[b](b.md)'),
      'content/posts/a.de.md': text(
        '[b](b.md) [bundle](../posts/bundle/) [c](c.md) {{< ref "b" >}} {{< relref "c.md" >}}',
      ),
      'content/posts/b.md': text('[a](a.de.md)'),
      'content/posts/b.de.md': text('[a](a.md#x)'),
      'content/posts/c.md': text('Only here'),
      'content/posts/bundle/index.md': text('x'),
      'content/posts/bundle/index.de.md': text('x'),
    },
  });
  expect(result.skipped).toEqual([]);
  expect(bodies).toMatchObject({
    a: '[b](/posts/b)',
    'a-de': '[b](/posts/b-de) [bundle](/posts/bundle-de) [c](/posts/c) /posts/b-de /posts/c',
    b: '[a](/posts/a-de)',
    'b-de': '[a](/posts/a-de#x)',
  });
});
