// Contract, section 9: the site's other languages.
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;
let reader: Client;

beforeAll(async () => {
  ({ app, server, editor } = await openSite());
  reader = server.client();
});

const inJson = async (path: string, fields: Fields) => {
  const answer = await editor.post(`/admin/${path}`, fields, { accept: 'application/json' });
  return { status: answer.status, body: answer.json<{ id: string; errors: Record<string, string> }>() };
};
const make = async (title: string, fields: Fields = {}) =>
  (await inJson('posts/new', { title, body: `All of ${title}`, intent: 'publish', ...fields })).body.id;
const page = (title: string, fields: Fields = {}) => make(title, { type: 'page', ...fields });
const see = async (path: string) => {
  const { status, headers, text } = await reader.get(path);
  return { status, location: headers.location, text };
};
const categoryId = async (slug: string) => (await app.db.category.findUnique({ where: { slug } }))?.id;
const settings = (group: string, fields: Fields) => inJson(`settings/${group}`, fields);

describe('languages', () => {
  it('leave the list of posts its address, as the backend does, and the list leaves them theirs', async () => {
    expect((await settings('site', { posts_path: '/pt-br' })).status).toBe(200);
    expect((await settings('site', { site_languages: 'pt-BR' })).body.errors.site_languages).toContain(
      'list of posts',
    );
    expect((await settings('security', { admin_path: 'pt-br' })).body.errors.admin_path).toContain(
      'public site',
    );
    await settings('site', { posts_path: '/', site_languages: 'pt-BR' });
    expect((await settings('site', { posts_path: '/pt-br' })).body.errors.posts_path).toContain(
      'used by the site',
    );
    await settings('site', { site_languages: '' });
  });

  it('have lists, feeds and sitemaps of their own, and translations know each other', async () => {
    expect((await settings('site', { site_language: 'english' })).body.errors.site_language).toContain(
      'pt-BR',
    );
    const english = await make('Harbour');
    await make('Hafen', { language: 'de', translationOf: english });
    expect((await see('/')).text).toContain('Hafen');
    expect((await settings('site', { site_languages: 'de' })).status).toBe(200);
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
    const contact = await page('Contact us');
    await page('Kontakt', { language: 'de', translationOf: contact });
    await page('Fees');
    expect(await see('/de/kontakt')).toMatchObject({ status: 301, location: '/kontakt' });
    expect(await see('/de/contact-us')).toMatchObject({ status: 301, location: '/kontakt' });
    expect(await see('/de/fees')).toMatchObject({ status: 301, location: '/fees' });
    expect((await see('/de/nowhere')).status).toBe(404);
    const robots = await see('/robots.txt');
    expect(robots.text).toMatch(/^Sitemap: \S+\/sitemap\.xml\nSitemap: \S+\/de\/sitemap\.xml$/m);
    // The site's own language has no list beside the main one.
    await settings('site', { site_language: 'de' });
    expect((await see('/')).text).toContain('Hafen');
    expect((await see('/de')).status).toBe(404);
    await settings('site', { site_language: 'en' });
    expect((await see('/')).text).not.toContain('Hafen');
    await settings('site', { site_languages: '' });
    expect((await see('/')).text).toContain('Hafen');
    expect((await see('/de')).status).toBe(404);
  });

  it('have menus whose entries lead to translations under their titles and to their own lists', async () => {
    await settings('site', { site_languages: 'de' });
    const about = await page('About us');
    await page('Über uns', { language: 'de', translationOf: about });
    await inJson('categories', { name: 'Sea', slug: 'sea' });
    const header =
      'Home | /\nAbout | /about-us\n  Archive | /archive\n  Sea | /categories/sea\nElsewhere | https://example.org/';
    await settings('navigation', { header });
    const post = await make('Low tide');
    await make('Ebbe', { language: 'de', translationOf: post });
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
    // A list that the language does not have yet is the main one.
    expect((await see('/de/categories/sea')).status).toBe(404);
    const { body } = await inJson('posts/new', {
      title: 'Waves',
      body: 'Waves',
      intent: 'publish',
      categoryId: (await categoryId('sea'))!,
    });
    expect(body.id).toBeTruthy();
    expect(await see('/de/categories/sea')).toMatchObject({ status: 302, location: '/categories/sea' });
    await make('Wellen', { language: 'de', categoryId: (await categoryId('sea'))! });
    expect((await see('/de/categories/sea')).text).toContain('Wellen');
    // A cached page changes with the title of the translation.
    const translation = await app.db.post.findFirstOrThrow({ where: { translationOf: about } });
    await inJson(`posts/${translation.id}`, {
      title: 'Wer wir sind',
      slug: 'wir',
      intent: 'save',
      version: String(translation.version),
    });
    expect(await menuOf('/posts/ebbe')).toContain('Wer wir sind /wir');
    await settings('site', { site_languages: '' });
  });
});
