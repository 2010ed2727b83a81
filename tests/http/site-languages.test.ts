// Contract, section 9: the site's other languages.
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { jsonForms, readerOf, type JsonForms, type See } from '#tests/support/json-forms.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let forms: JsonForms;
let see: See;

beforeAll(async () => {
  const site = await openSite();
  ({ app } = site);
  forms = jsonForms(site);
  see = readerOf(site);
});

/** The entries of the menu of a page: label and address. */
const menuOf = async (path: string) =>
  [
    ...(/<nav class="site-nav"[^]*?<\/nav>/.exec((await see(path)).text)?.[0] ?? '').matchAll(
      /<a href="([^"]*)">([^<]*)/g,
    ),
  ].map(([, href, label]) => `${label} ${href}`);

/** What a page tells search engines of its translations: language and address. */
const alternatesOf = async (path: string) =>
  [
    ...(await see(path)).text.matchAll(
      /<link rel="alternate" hrefLang="([^"]*)" href="https?:\/\/[^/"]*([^"]*)"/gi,
    ),
  ].map(([, language, href]) => `${language} ${href}`);

const categoryId = async (slug: string) => (await app.db.category.findUnique({ where: { slug } }))?.id;

it('the live preview has the words of the post’s language', async () => {
  const preview = async (language: string) =>
    JSON.stringify(await forms.inJson('preview', { body: '> [!NOTE]\n> Tides', language }));
  expect(await preview('de')).toContain('Hinweis');
  expect(await preview('')).toContain('Note');
  expect(await preview('d')).toContain('Note');
});

describe('languages', () => {
  it('leave the list of posts its address, as the backend does, and the list leaves them theirs', async () => {
    expect((await forms.settings('site', { posts_path: '/pt-br' })).status).toBe(200);
    expect((await forms.settings('site', { site_languages: 'pt-BR' })).body.errors.site_languages).toContain(
      'list of posts',
    );
    expect((await forms.settings('security', { admin_path: 'pt-br' })).body.errors.admin_path).toContain(
      'public site',
    );
    await forms.settings('site', { posts_path: '/', site_languages: 'pt-BR' });
    expect((await forms.settings('site', { posts_path: '/pt-br' })).body.errors.posts_path).toContain(
      'used by the site',
    );
    await forms.settings('site', { site_languages: '' });
  });

  it('are named by their codes', async () => {
    expect((await forms.settings('site', { site_language: 'english' })).body.errors.site_language).toContain(
      'pt-BR',
    );
  });
});

describe('a language of the site', () => {
  beforeAll(async () => {
    const english = await forms.make('Harbour');
    await forms.make('Hafen', { language: 'de', translationOf: english });
    const contact = await forms.page('Contact us');
    await forms.page('Kontakt', { language: 'de', translationOf: contact });
    await forms.page('Fees');
  });

  it('has its posts in the main list until it has a list of its own', async () => {
    expect((await see('/')).text).toContain('Hafen');
    expect((await forms.settings('site', { site_languages: 'de' })).status).toBe(200);
    expect((await see('/')).text).not.toContain('Hafen');
  });

  describe('that has its own list', () => {
    beforeAll(() => forms.settings('site', { site_languages: 'de' }));

    it('has its posts there, in feeds, sitemap and archive', async () => {
      const list = await see('/de');
      expect(list.text).toContain('Hafen');
      expect(list.text).toContain('<html lang="de"');
      expect(list.text).not.toContain('Harbour');
      for (const path of ['/de/rss.xml', '/de/atom.xml', '/de/feed.json', '/de/sitemap.xml', '/de/archive'])
        expect((await see(path)).text, path).toMatch(/hafen/i);
      const robots = await see('/robots.txt');
      expect(robots.text).toMatch(/^Sitemap: \S+\/sitemap\.xml\nSitemap: \S+\/de\/sitemap\.xml$/m);
    });

    it('has translations and lists that name each other', async () => {
      for (const path of ['/posts/harbour', '/posts/hafen']) {
        const { text } = await see(path);
        expect(text).toMatch(/<link rel="alternate" hrefLang="de" href="[^"]*\/posts\/hafen"/i);
        expect(text).toMatch(/<link rel="alternate" hrefLang="en" href="[^"]*\/posts\/harbour"/i);
      }
      for (const path of ['/', '/de'])
        expect((await see(path)).text).toMatch(/<link rel="alternate" hrefLang="de" href="[^"]*\/de"/i);
    });

    it('has a search of the whole site in its words, whose links stay in the language', async () => {
      const search = await see('/de/search?q=hafen');
      expect(search).toMatchObject({ status: 200 });
      expect(search.text).toContain('<html lang="de"');
      expect(search.text).toContain('action="/de/search"');
      expect(search.text).toContain('href="/posts/hafen"');
      expect((await see('/de/search?q=zzz')).text).toContain('href="/de/archive"');
    });

    it('has one address for each post and page', async () => {
      expect(await see('/de/posts/hafen')).toMatchObject({ status: 301, location: '/posts/hafen' });
      expect(await see('/de/kontakt')).toMatchObject({ status: 301, location: '/kontakt' });
      expect(await see('/de/contact-us')).toMatchObject({ status: 301, location: '/kontakt' });
      expect(await see('/de/fees')).toMatchObject({ status: 301, location: '/fees' });
      expect((await see('/de/nowhere')).status).toBe(404);
    });

    it('has no list beside the main one once it is the language of the site', async () => {
      await forms.settings('site', { site_language: 'de' });
      expect((await see('/')).text).toContain('Hafen');
      expect((await see('/de')).status).toBe(404);
      await forms.settings('site', { site_language: 'en' });
      expect((await see('/')).text).not.toContain('Hafen');
    });

    it('has its posts in the main list again once its own list is gone', async () => {
      await forms.settings('site', { site_languages: '' });
      expect((await see('/')).text).toContain('Hafen');
      expect((await see('/de')).status).toBe(404);
    });
  });
});

describe('pages of a language', () => {
  let about: string;
  let lowTide: string;
  beforeAll(async () => {
    await forms.settings('site', { site_languages: 'de' });
    about = await forms.page('About us');
    await forms.page('Über uns', { language: 'de', translationOf: about });
    await forms.inJson('categories', { name: 'Sea', slug: 'sea' });
    const header =
      'Home | /\nAbout | /about-us\n  Archive | /archive\n  Sea | /categories/sea\nElsewhere | https://example.org/';
    await forms.settings('navigation', { header });
    lowTide = await forms.make('Low tide');
    await forms.make('Ebbe', { language: 'de', translationOf: lowTide });
  });

  it('have menus whose entries lead to translations under their titles and to their own lists', async () => {
    const german = [
      'Home /de',
      'Über uns /%C3%BCber-uns',
      'Archiv /de/archive',
      'Sea /de/categories/sea',
      'Elsewhere https://example.org/',
    ];
    expect(await menuOf('/de')).toEqual(german);
    expect(await menuOf('/posts/ebbe')).toEqual(german);
    expect(await menuOf('/posts/low-tide')).toContain('About /about-us');
  });

  it('have a button and an announcement that lead to translations as well', async () => {
    await forms.settings('navigation', { header_button: 'Us | /about-us', announcement: 'New | /about-us' });
    const own = (await see('/de')).text;
    expect(own).toContain('<a class="header-button" href="/%C3%BCber-uns">Über uns</a>');
    expect(own).toContain(
      '<aside class="announcement" aria-label="Ankündigung"><p><a href="/%C3%BCber-uns">Über',
    );
    expect((await see('/')).text).toContain('<p><a href="/about-us">New</a></p>');
    await forms.settings('navigation', { header_button: '', announcement: 'Only text' });
    expect((await see('/de')).text).toContain('<p>Only text</p>');
    await forms.settings('navigation', { announcement: '' });
  });

  it('lead to the main list of a term until the language has one, and name both lists then', async () => {
    const inSea = { categoryId: (await categoryId('sea'))! };
    expect((await see('/de/categories/sea')).status).toBe(404);
    const { body } = await forms.inJson('posts/new', {
      ...{ title: 'Waves', body: 'Waves', intent: 'publish', ...inSea },
    });
    expect(body.id).toBeTruthy();
    expect(await see('/de/categories/sea')).toMatchObject({ status: 302, location: '/categories/sea' });
    await forms.make('Wellen', { language: 'de', ...inSea });
    expect((await see('/de/categories/sea')).text).toContain('Wellen');
    const sea = ['en /categories/sea', 'de /de/categories/sea', 'x-default /categories/sea'];
    expect(await alternatesOf('/categories/sea')).toEqual(sea);
    expect(await alternatesOf('/de/categories/sea')).toEqual(sea);
  });

  it('tell search engines of the lists of a tag or an author in each language that has one', async () => {
    await forms.make('Taggedly', { tags: 'Boats' });
    expect(await alternatesOf('/tags/boats')).toEqual([]);
    await forms.make('Boote', { language: 'de', tags: 'Boats' });
    expect(await alternatesOf('/tags/boats')).toEqual([
      'en /tags/boats',
      'de /de/tags/boats',
      'x-default /tags/boats',
    ]);
    const { username } = await app.db.user.findFirstOrThrow();
    expect(await alternatesOf(`/de/authors/${username}`)).toContain(`en /authors/${username}`);
  });

  it('name one of two translations into one language, but the other on its own page', async () => {
    await forms.make('Ebbe, neu', { language: 'de', translationOf: lowTide });
    expect(await alternatesOf('/posts/low-tide')).toEqual([
      'en /posts/low-tide',
      'de /posts/ebbe',
      'x-default /posts/low-tide',
    ]);
    expect(await alternatesOf('/posts/ebbe-neu')).toContain('de /posts/ebbe-neu');
    const switches = /<ul class="translations"[^]*?<\/ul>/.exec((await see('/posts/low-tide')).text)![0];
    expect(switches.match(/<li>/g)).toHaveLength(2);
  });

  it('change, where they are cached, with the title of a translation', async () => {
    expect(await menuOf('/posts/ebbe')).toContain('Über uns /%C3%BCber-uns');
    const translation = await app.db.post.findFirstOrThrow({ where: { translationOf: about } });
    await forms.save(translation.id, { title: 'Wer wir sind', slug: 'wir' });
    expect(await menuOf('/posts/ebbe')).toContain('Wer wir sind /wir');
  });
});
