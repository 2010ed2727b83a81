// Contract, section 9: categories, tags and authors whose posts are all in another language of the site.
import { beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '#tests/support/factories.ts';
import { jsonForms, readerOf, type JsonForms, type See } from '#tests/support/json-forms.ts';
import { openSite } from '#tests/support/site.ts';

let forms: JsonForms;
let see: See;

beforeAll(async () => {
  const site = await openSite();
  const { app } = site;
  forms = jsonForms(site);
  see = readerOf(site);
  await createUser(app, { username: 'ute', displayName: 'Ute' });
  await forms.settings('site', { site_languages: 'de' });
  await forms.inJson('categories', { name: 'Fluss', slug: 'fluss' });
  const { id: categoryId } = await app.db.category.findUniqueOrThrow({ where: { slug: 'fluss' } });
  const german = { categoryId, tags: 'Boote', authors: 'ute' };
  await forms.make('Kahn', { ...german, language: 'de' });
  await forms.make('Zille', { ...german, language: 'de-AT' });
});

/** The addresses of this site that a text names, each once. */
const addressesIn = (text: string, expression: RegExp) =>
  [
    ...new Set([...text.matchAll(expression)].map(([, address]) => new URL(address!, 'http://x').pathname)),
  ].sort();

describe('a category, tag and author with posts in one other language only', () => {
  it.each(['kahn', 'zille'])('are linked where they are from the post /posts/%s', async (slug) => {
    const { text } = await see(`/posts/${slug}`);
    const links = addressesIn(text, /<a [^>]*?href="(\/[^"]*(?:categories|tags|authors)\/[^"]*)"/g);
    expect(links).toEqual(['/de/authors/ute', '/de/categories/fluss', '/de/tags/boote']);
    for (const link of links) expect((await see(link)).status).toBe(200);
    expect(text).toContain('href="/de/rss.xml"');
    const data = addressesIn(text, /"(?:url|item)":"([^"]*(?:categories|authors)\/[^"]*)"/g);
    expect(data).toEqual(['/de/authors/ute', '/de/categories/fluss']);
  });

  it('are linked where they are from feeds', async () => {
    expect((await see('/de/atom.xml')).text).toContain('/de/authors/ute</uri>');
    expect((await see('/de/feed.json')).text).toContain('/de/authors/ute"');
  });

  it('narrow a search to their posts', async () => {
    for (const filter of ['category=fluss', 'tag=boote'])
      expect((await see(`/search?q=kahn&${filter}`)).text, filter).toContain('href="/posts/kahn"');
    for (const unknown of ['none', 'a%2Fb'])
      expect((await see(`/search?q=kahn&category=${unknown}`)).text).not.toContain('href="/posts/kahn"');
  });
});

describe('a text in a language of its own', () => {
  it('has the direction of its language, whatever that of the page is', async () => {
    await forms.make('Shalom', { language: 'he' });
    expect((await see('/posts/shalom')).text).toContain('<article class="article" lang="he" dir="rtl">');
    await forms.page('Tietoja', { language: 'fi' });
    await forms.settings('site', { site_language: 'ar' });
    const finnish = (await see('/tietoja')).text;
    expect(finnish).toContain('<html lang="ar" dir="rtl">');
    expect(finnish).toContain('<article class="article article-page" lang="fi" dir="ltr">');
    await forms.settings('site', { site_language: 'en' });
  });

  it('has the same address for readers of other languages on the page of each translation', async () => {
    const translationOf = await forms.make('Barque', { language: 'fr' });
    await forms.make('Barca', { language: 'it', translationOf });
    await forms.make('Bateau', { language: 'fr', translationOf });
    for (const path of ['/posts/barque', '/posts/barca', '/posts/bateau'])
      expect((await see(path)).text, path).toMatch(/hrefLang="x-default" href="[^"]*\/posts\/barque"/);
  });

  it('is named by the address of the home where it is the home', async () => {
    const translationOf = await forms.page('Welcome');
    await forms.page('Willkommen', { language: 'de', translationOf });
    await forms.settings('site', { home_page: translationOf });
    for (const path of ['/', '/willkommen']) {
      const { text } = await see(path);
      expect(addressesIn(text, /hrefLang="(?:en|x-default)" href="([^"]*)"/g), path).toEqual(['/']);
      expect(addressesIn(text, /hrefLang="de" href="([^"]*)"/g), path).toEqual(['/willkommen']);
    }
    expect((await see('/willkommen')).text).toContain('<a href="/" hrefLang="en"');
    await forms.settings('site', { home_page: '' });
  });

  it('has one address: a page is not a post as well', async () => {
    expect((await see('/posts/%2Ftietoja')).status).toBe(404);
  });
});
