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

const categoryId = async (slug: string) => (await app.db.category.findUnique({ where: { slug } }))?.id;

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

  it('have lists, feeds and sitemaps of their own, and translations know each other', async () => {
    expect((await forms.settings('site', { site_language: 'english' })).body.errors.site_language).toContain(
      'pt-BR',
    );
    const english = await forms.make('Harbour');
    await forms.make('Hafen', { language: 'de', translationOf: english });
    expect((await see('/')).text).toContain('Hafen');
    expect((await forms.settings('site', { site_languages: 'de' })).status).toBe(200);
    expect((await see('/')).text).not.toContain('Hafen');
    const list = await see('/de');
    expect(list.text).toContain('Hafen');
    expect(list.text).toContain('<html lang="de"');
    expect(list.text).not.toContain('Harbour');
    for (const path of ['/de/rss.xml', '/de/atom.xml', '/de/feed.json', '/de/sitemap.xml', '/de/archive'])
      expect((await see(path)).text, path).toMatch(/hafen/i);
    for (const path of ['/posts/harbour', '/posts/hafen']) {
      const { text } = await see(path);
      expect(text).toMatch(/<link rel="alternate" hrefLang="de" href="[^"]*\/posts\/hafen"/i);
      expect(text).toMatch(/<link rel="alternate" hrefLang="en" href="[^"]*\/posts\/harbour"/i);
    }
    for (const path of ['/', '/de'])
      expect((await see(path)).text).toMatch(/<link rel="alternate" hrefLang="de" href="[^"]*\/de"/i);
    expect(await see('/de/posts/hafen')).toMatchObject({ status: 301, location: '/posts/hafen' });
    // The search is the whole site's, with the words of the language, and its links stay there.
    const search = await see('/de/search?q=hafen');
    expect(search).toMatchObject({ status: 200 });
    expect(search.text).toContain('<html lang="de"');
    expect(search.text).toContain('action="/de/search"');
    expect(search.text).toContain('href="/posts/hafen"');
    expect((await see('/de/search?q=zzz')).text).toContain('href="/de/archive"');
    // A page has one address, as a post has.
    const contact = await forms.page('Contact us');
    await forms.page('Kontakt', { language: 'de', translationOf: contact });
    await forms.page('Fees');
    expect(await see('/de/kontakt')).toMatchObject({ status: 301, location: '/kontakt' });
    expect(await see('/de/contact-us')).toMatchObject({ status: 301, location: '/kontakt' });
    expect(await see('/de/fees')).toMatchObject({ status: 301, location: '/fees' });
    expect((await see('/de/nowhere')).status).toBe(404);
    const robots = await see('/robots.txt');
    expect(robots.text).toMatch(/^Sitemap: \S+\/sitemap\.xml\nSitemap: \S+\/de\/sitemap\.xml$/m);
    // The site's own language has no list beside the main one.
    await forms.settings('site', { site_language: 'de' });
    expect((await see('/')).text).toContain('Hafen');
    expect((await see('/de')).status).toBe(404);
    await forms.settings('site', { site_language: 'en' });
    expect((await see('/')).text).not.toContain('Hafen');
    await forms.settings('site', { site_languages: '' });
    expect((await see('/')).text).toContain('Hafen');
    expect((await see('/de')).status).toBe(404);
  });

  it('have menus whose entries lead to translations under their titles and to their own lists', async () => {
    await forms.settings('site', { site_languages: 'de' });
    const about = await forms.page('About us');
    await forms.page('Über uns', { language: 'de', translationOf: about });
    await forms.inJson('categories', { name: 'Sea', slug: 'sea' });
    const header =
      'Home | /\nAbout | /about-us\n  Archive | /archive\n  Sea | /categories/sea\nElsewhere | https://example.org/';
    await forms.settings('navigation', { header });
    const post = await forms.make('Low tide');
    await forms.make('Ebbe', { language: 'de', translationOf: post });
    const menuOf = async (path: string) =>
      [
        ...(/<nav class="site-nav"[^]*?<\/nav>/.exec((await see(path)).text)?.[0] ?? '').matchAll(
          /<a href="([^"]*)">([^<]*)/g,
        ),
      ].map(([, href, label]) => `${label} ${href}`);
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
    // So do the button beside them and the line above.
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
    // A list that the language does not have yet is the main one.
    expect((await see('/de/categories/sea')).status).toBe(404);
    const { body } = await forms.inJson('posts/new', {
      title: 'Waves',
      body: 'Waves',
      intent: 'publish',
      categoryId: (await categoryId('sea'))!,
    });
    expect(body.id).toBeTruthy();
    expect(await see('/de/categories/sea')).toMatchObject({ status: 302, location: '/categories/sea' });
    await forms.make('Wellen', { language: 'de', categoryId: (await categoryId('sea'))! });
    expect((await see('/de/categories/sea')).text).toContain('Wellen');
    // Search engines are told of the list in each language that has it, as they are of translations.
    await forms.make('Taggedly', { tags: 'Boats' });
    const alternatesOf = async (path: string) =>
      [
        ...(await see(path)).text.matchAll(
          /<link rel="alternate" hrefLang="([^"]*)" href="https?:\/\/[^/"]*([^"]*)"/gi,
        ),
      ].map(([, language, href]) => `${language} ${href}`);
    const sea = ['en /categories/sea', 'de /de/categories/sea', 'x-default /categories/sea'];
    expect(await alternatesOf('/categories/sea')).toEqual(sea);
    expect(await alternatesOf('/de/categories/sea')).toEqual(sea);
    expect(await alternatesOf('/tags/boats')).toEqual([]);
    await forms.make('Boote', { language: 'de', tags: 'Boats' });
    expect(await alternatesOf('/tags/boats')).toEqual([
      'en /tags/boats',
      'de /de/tags/boats',
      'x-default /tags/boats',
    ]);
    const { username } = await app.db.user.findFirstOrThrow();
    expect(await alternatesOf(`/de/authors/${username}`)).toContain(`en /authors/${username}`);
    // Of two translations into one language search engines and readers see one, on its own page itself.
    await forms.make('Ebbe, neu', { language: 'de', translationOf: post });
    expect(await alternatesOf('/posts/low-tide')).toEqual([
      'en /posts/low-tide',
      'de /posts/ebbe',
      'x-default /posts/low-tide',
    ]);
    expect(await alternatesOf('/posts/ebbe-neu')).toContain('de /posts/ebbe-neu');
    const switches = /<ul class="translations"[^]*?<\/ul>/.exec((await see('/posts/low-tide')).text)![0];
    expect(switches.match(/<li>/g)).toHaveLength(2);
    // A cached page changes with the title of the translation.
    const translation = await app.db.post.findFirstOrThrow({ where: { translationOf: about } });
    await forms.inJson(`posts/${translation.id}`, {
      title: 'Wer wir sind',
      slug: 'wir',
      intent: 'save',
      version: String(translation.version),
    });
    expect(await menuOf('/posts/ebbe')).toContain('Wer wir sind /wir');
    await forms.settings('site', { site_languages: '' });
  });
});
