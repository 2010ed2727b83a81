// A title or a beginning on a page in another language says its own, for screen readers, hyphens and typefaces.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let editorId: string;
const ids = new Map<string, string>();

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  ({ id: editorId } = await createUser(app, { username: 'ada', displayName: 'Ada' }));
  const texts = [
    { slug: 'plain', title: 'Lights of the harbour', language: '' },
    { slug: 'same', title: 'Harbour in English', language: 'en' },
    { slug: 'arabic', title: 'أضواء المرفأ harbour', language: 'ar' },
    { slug: 'german', title: 'Lichter am Harbour', language: 'de' },
  ];
  for (const [hours, text] of texts.entries()) {
    const publishedAt = new Date(Date.now() - (hours + 1) * 3_600_000);
    const fields = { ...text, publishedAt, tags: ['Sea'], body: `${text.title}.`, excerpt: `${text.title}!` };
    ids.set(text.slug, (await createPost(app, { intent: 'publish', fields, editorId })).id);
  }
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const see = async (path: string) => (await server.client().get(path)).text;
/** The `lang` and `dir` of every element in a page's content that has one, and the words in it. */
const named = (html: string) =>
  [.../<main[^]*<\/main>/.exec(html)![0].matchAll(/<(\w+)([^>]*\blang="[^"]*"[^>]*)>([^]*?)<\/\1>/g)].map(
    ([, , attributes = '', content = '']) =>
      [
        /\blang="([^"]*)"/.exec(attributes)?.[1],
        /\bdir="([^"]*)"/.exec(attributes)?.[1],
        content.replace(/<[^>]*>/g, '').trim(),
      ].join(' '),
  );

const arabic = 'ar rtl أضواء المرفأ harbour';
const german = 'de ltr Lichter am Harbour';

test.each(['/', '/tags/sea', '/authors/ada'])('%s: headline and beginning', async (path) => {
  expect(named(await see(path))).toEqual([arabic, `${arabic}!`, german, `${german}!`]);
});

test('the archive, the 404 page and search', async () => {
  expect(named(await see('/archive'))).toEqual([arabic, german]);
  expect(named(await see('/nothing-here'))).toEqual([arabic, german]);
  await expect.poll(async () => named(await see('/search?q=harbour'))).toContain(arabic);
  expect(named(await see('/search?q=harbour'))).toContain(german);
});

test('a post: those before and after it, in the language of its own page', async () => {
  expect(named(await see('/posts/same'))).toContain(arabic);
  // The page of an Arabic post is in Arabic, so its English neighbour says that it isn't.
  const page = named(await see('/posts/arabic'));
  expect(page).toContain('en ltr Harbour in English');
  expect(page).toContain(german);
});

test('a list that is kept in memory changes with the language of a post', async () => {
  expect(await see('/')).toContain('lang="de"');
  await editPost(app, { postId: ids.get('german')!, intent: 'save', fields: { language: '' }, editorId });
  expect(await see('/')).not.toContain('lang="de"');
});
