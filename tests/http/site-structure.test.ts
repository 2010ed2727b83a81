// Contract, section 9: pages, the home page, menus, several authors, the beginning of a post.
import { beforeAll, describe, expect, it } from 'vitest';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import type { TestApp } from '#tests/support/app.ts';
import { createMedia, createUser } from '#tests/support/factories.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { jsonForms, readerOf, type JsonForms, type See } from '#tests/support/json-forms.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let reader: Client;
let forms: JsonForms;
let see: See;

beforeAll(async () => {
  const site = await openSite();
  ({ app } = site);
  reader = site.server.client();
  forms = jsonForms(site);
  see = readerOf(site);
});

describe('pages', () => {
  it('answer below their parents, are in sitemap and search, and in no list or feed', async () => {
    const docs = await forms.page('Docs');
    const setup = await forms.page('Set up', { parentId: docs });
    await forms.page('Linux', { parentId: setup });
    expect((await see('/docs/set-up/linux')).text).toContain('All of Linux');
    expect((await see('/docs')).text).toContain('href="/docs/set-up"');
    expect(await see('/docs/set-up/')).toMatchObject({ status: 301, location: '/docs/set-up' });
    expect((await see('/sitemap.xml')).text).toContain('/docs/set-up/linux</loc>');
    expect((await see('/search?q=Linux')).text).toContain('href="/docs/set-up/linux"');
    for (const path of ['/', '/archive', '/rss.xml', '/atom.xml', '/feed.json'])
      expect((await see(path)).text, path).not.toContain('Set up');
    expect((await reader.post('/docs', {})).status).toBe(405);
    expect((await reader.get('/docs')).headers['content-security-policy']).toContain("script-src 'none'");
    const deep = await forms.inJson('posts/new', {
      title: 'Deep',
      type: 'page',
      parentId: (await app.db.post.findUniqueOrThrow({ where: { slug: '/docs/set-up/linux' } })).id,
    });
    expect([deep.status, deep.body.errors.parentId]).toEqual([400, expect.stringContaining('3 deep')]);
    const trashed = await forms.page('Gone');
    await trashPost(app, { postId: trashed });
    const below = await forms.inJson('posts/new', { title: 'Below', type: 'page', parentId: trashed });
    expect([below.status, below.body.errors.parentId]).toEqual([
      400,
      expect.stringContaining('no longer exists'),
    ]);
    expect((await forms.save(docs, { slug: 'handbook' })).status).toBe(200);
    expect(await see('/docs/set-up/linux')).toMatchObject({
      status: 301,
      location: '/handbook/set-up/linux',
    });
    expect((await see('/handbook/set-up/linux')).status).toBe(200);
  });

  it('share slugs with posts and pages elsewhere, never with a route, the backend or each other', async () => {
    await forms.make('Imprint');
    await forms.page('Imprint');
    expect((await see('/imprint')).status).toBe(200);
    expect((await see('/posts/imprint')).status).toBe(200);
    const errors = async (slug: string) =>
      (await forms.inJson('posts/new', { title: 'X', type: 'page', slug })).body.errors.slug;
    expect(await errors('imprint')).toContain('used by “Imprint”');
    for (const slug of ['archive', 'admin', 'uploads', 'posts'])
      expect(await errors(slug)).toContain('used by the site');
    expect((await forms.settings('security', { admin_path: 'imprint' })).body.errors.admin_path).toContain(
      'Imprint',
    );
  });

  it('that become posts are no longer listed below their parent', async () => {
    const guide = await forms.page('Guide');
    const tour = await forms.page('Tour', { parentId: guide });
    expect((await see('/guide')).text).toContain('href="/guide/tour"');
    expect((await forms.save(tour, { type: 'post' })).status).toBe(200);
    expect((await see('/posts/tour')).status).toBe(200);
    expect((await see('/guide')).text).not.toContain('Tour');
  });

  it('are hidden before they are published, and a kept 404 goes with them', async () => {
    expect((await see('/soon')).status).toBe(404);
    const soon = await forms.page('Soon', { intent: 'draft' });
    expect((await see('/soon')).status).toBe(404);
    await forms.save(soon, { intent: 'publish' });
    expect((await see('/soon')).status).toBe(200);
    await forms.save(soon, { intent: 'archive' });
    expect((await see('/soon')).status).toBe(404);
  });

  it('are kept by the page cache, as moved lists and other languages are, and have validators', async () => {
    await forms.page('Colophon');
    await forms.make('Kept', { tags: 'Tides' });
    await forms.make('Behalten', { language: 'de', tags: 'Tides' });
    await forms.settings('site', { posts_path: '/journal', site_languages: 'de' });
    for (const path of ['/colophon', '/journal', '/de', '/de/tags/tides', '/de/rss.xml', '/de/sitemap.xml']) {
      const { status, headers } = await reader.get(path);
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'public, no-cache']);
      const again = await reader.get(path, { 'if-none-match': headers.etag! });
      expect([path, again.status, again.text]).toEqual([path, 304, '']);
    }
    const { text } = await reader.get('/api/internal/metrics', { authorization: 'Bearer test-cron-secret' });
    const hits = /^dateline_http_requests_total\{route="other",status="304",cache="hit"\} (\d+)/m.exec(text);
    expect(hits?.[1]).toBe('6');
    await forms.settings('site', { posts_path: '/', site_languages: '' });
    expect((await see('/de')).status).toBe(404);
  });

  it('can be the home; the list of posts moves, and old addresses lead there', async () => {
    await forms.make('First post');
    const home = await forms.page('Welcome');
    expect((await forms.settings('site', { home_page: home })).status).toBe(200);
    expect((await see('/')).text).toContain('All of Welcome');
    expect((await see('/blog')).text).toContain('First post');
    expect(await see('/welcome')).toMatchObject({ status: 301, location: '/' });
    const sitemap = (await see('/sitemap.xml')).text;
    expect(sitemap).toContain(`<loc>${app.env.siteUrl}/</loc>`);
    expect(sitemap).not.toContain('/welcome<');
    expect(await see('/?page=2')).toMatchObject({ status: 301, location: '/blog?page=2' });
    await forms.settings('site', { posts_path: '/news' });
    expect((await see('/news')).text).toContain('First post');
    expect(await see('/blog')).toMatchObject({ status: 301, location: '/news' });
    expect((await forms.settings('site', { posts_path: '/archive' })).status).toBe(400);
    await forms.settings('site', { posts_path: '/writing' });
    expect(await see('/news?page=2')).toMatchObject({ status: 301, location: '/writing?page=2' });
    await forms.settings('site', { home_page: '', posts_path: '/' });
    expect((await see('/')).text).toContain('First post');
    for (const old of ['/blog', '/news', '/writing'])
      expect(await see(old), old).toMatchObject({ status: 301, location: '/' });
    // A page takes an old address over.
    await forms.page('Writing');
    expect((await see('/writing')).text).toContain('All of Writing');
  });
});

describe('menus', () => {
  it('have two levels, in header and footer', async () => {
    const header = 'Start | /\n  Below | /archive\nElsewhere | https://example.org/';
    expect((await forms.settings('navigation', { header, footer: 'Legal | /imprint' })).status).toBe(200);
    const { text } = await see('/');
    expect(text).toMatch(
      /<details class="submenu"[^>]*><summary[^>]*><\/summary><ul><li><a href="\/archive">Below/,
    );
    expect(text).toContain('<a href="/imprint">Legal</a>');
    await forms.settings('navigation', { header, footer: 'Legal | /imprint\n  Privacy | /privacy' });
    expect((await see('/')).text).toContain(
      '<a href="/imprint">Legal</a><ul><li><a href="/privacy">Privacy</a></li></ul>',
    );
    expect((await forms.settings('navigation', { header: 'nothing' })).body.errors.header).toContain(
      'label | /address',
    );
    await forms.settings('site', { navigation: 'Old | /archive' });
    expect((await see('/')).text).toContain('<a href="/archive">Old</a>');
  });
});

describe('authors', () => {
  it('are in order on the post, in feeds and JSON-LD; guests have no page', async () => {
    await createUser(app, { username: 'ann', displayName: 'Ann Bell' });
    await forms.make('Solo');
    const id = await forms.make('Duet', { authors: 'ann\nGuest Person' });
    const names = '<span class="teaser-authors">Ann Bell, Guest Person</span>';
    expect((await see('/')).text).toContain(names);
    expect((await see('/authors/ann')).text).not.toContain(names);
    const { text } = await see('/posts/duet');
    expect(text.indexOf('Ann Bell')).toBeLessThan(text.indexOf('Guest Person'));
    expect(text).toContain('"name":"Guest Person"');
    expect((await see('/rss.xml')).text).toContain('<dc:creator>Guest Person</dc:creator>');
    expect((await see('/authors/ann')).text).toContain('Duet');
    expect((await see('/authors/ann/rss.xml')).text).toContain('Duet');
    await forms.save(id, { authors: '' });
    expect((await see('/authors/ann')).status).toBe(404);
  });
});

describe('the beginning of a post', () => {
  const standfirst = async (title: string, fields: Fields) => {
    await forms.make(title, fields);
    const { text } = await see(`/posts/${title.toLowerCase().replaceAll(' ', '-')}`);
    return /<p class="lede">([^<]*)/.exec(text)?.[1];
  };

  it('has the excerpt below the title, unless nobody wrote one or the text begins with it', async () => {
    const excerpt = 'What the tide leaves.';
    expect(await standfirst('With a standfirst', { excerpt, body: 'Shells.' })).toBe(excerpt);
    expect(await standfirst('Without an excerpt', { body: 'Shells.' })).toBeUndefined();
    const body = '**What** the tide leaves. And more.';
    expect(await standfirst('Said twice', { excerpt, body })).toBeUndefined();
  });
});

describe('what a site shows of itself', () => {
  it('has an icon, social links and a pinned post', async () => {
    const { id, path } = await createMedia(app, { path: '2026/11/icon.png', width: 1200, height: 630 });
    const welcome = await forms.make('Welcome');
    await forms.make('Newer than the welcome');
    const address = `/uploads/${path}`;
    await forms.settings('site', { site_icon: address, pinned_post: '/posts/welcome' });
    await forms.settings('navigation', {
      social_links: 'https://social.example/@quay\nmailto:a@example.org',
    });
    const { text } = await see('/');
    expect(text).toContain(`<link rel="apple-touch-icon" href="${address}"/>`);
    expect(text).toMatch(/<meta property="og:image" content="[^"]*icon\.png"/);
    expect(text).toMatch(
      /rel="me external noopener" href="https:\/\/social\.example\/@quay"><svg [^]*?>Mastodon</,
    );
    expect(text.indexOf('/posts/welcome')).toBeLessThan(text.indexOf('/posts/newer-than-the-welcome'));
    expect(text.match(/href="\/posts\/welcome"/g)).toHaveLength(1);
    // The icon is in use.
    const deleted = await forms.inJson(`media/${id}`, { intent: 'delete' });
    expect(deleted.status).toBe(400);
    // As a browser copies it, and by a former address.
    await forms.save(welcome, { slug: 'grüße' });
    for (const pinned_post of ['https://quay.example/posts/gr%C3%BC%C3%9Fe/?x=1', '/posts/welcome']) {
      await forms.settings('site', { site_icon: '', pinned_post });
      expect((await see('/')).text).toMatch(/posts\/gr%C3%BC%C3%9Fe[^]*posts\/newer-than-the-welcome/);
    }
    await forms.settings('site', { pinned_post: '' });
  });

  it('refuses a social link that runs a script', async () => {
    expect((await forms.settings('navigation', { social_links: 'javascript:alert(1)' })).status).toBe(400);
  });

  it('has sections for chosen categories below the first page of the list', async () => {
    for (const name of ['Essays', 'Letters', 'Unused']) await forms.inJson('categories', { name });
    const [essays, letters] = await Promise.all(
      ['essays', 'letters'].map((slug) => app.db.category.findUniqueOrThrow({ where: { slug } })),
    );
    await forms.make('A letter', { categoryId: letters!.id });
    for (const number of [1, 2, 3, 4]) await forms.make(`Essay ${number}`, { categoryId: essays!.id });
    const chosen = await forms.settings('site', { home_sections: 'letters, essays, unused, gone' });
    expect(chosen.status).toBe(200);
    const { text } = await see('/');
    const sections = text.match(/<section class="home-section">.*?<\/section>/gs) ?? [];
    expect(sections).toHaveLength(2);
    expect(sections[0]).toContain('href="/categories/letters"');
    expect(sections[0]).toContain('<h3><a href="/posts/a-letter">A letter</a></h3>');
    const titles = sections[1]!.match(/<h3>.*?<\/h3>/g)?.map((title) => title.replace(/<[^>]+>/g, ''));
    expect(titles).toEqual(['Essay 4', 'Essay 3', 'Essay 2']);
    await forms.inJson(`categories/${essays!.id}`, { slug: 'studies' });
    expect((await see('/')).text).toMatch(/<section class="home-section">[^]*href="\/categories\/studies"/);
    await forms.settings('site', { posts_per_page: '1' });
    expect((await see('/?page=2')).text).not.toContain('home-section');
    const { errors } = (await forms.settings('site', { home_sections: 'Not a slug' })).body;
    expect(errors.home_sections).toContain('not the slug');
    await forms.settings('site', { home_sections: '', posts_per_page: '10' });
    expect((await see('/')).text).not.toContain('home-section');
  });

  it('shows the picture of a category, and of an author with links', async () => {
    const { path } = await createMedia(app, { path: '2026/11/sea.jpg', width: 800, height: 400 });
    const picture = `/uploads/${path}`;
    await forms.inJson('categories', { name: 'Sea', description: 'All of it', picture });
    const { id: categoryId } = await app.db.category.findUniqueOrThrow({ where: { slug: 'sea' } });
    await forms.make('Low tide', { categoryId });
    const { text } = await see('/categories/sea');
    expect(text).toContain(`src="${picture}"`);
    expect(text).toContain('All of it');
    expect(text).toMatch(/<meta property="og:image" content="[^"]*sea\.jpg"/);
    const profile = { displayName: 'Ada', picture, links: 'https://github.com/ada' };
    expect((await forms.inJson('account', profile)).status).toBe(200);
    const post = (await see('/posts/low-tide')).text;
    expect(post).toContain(`<img class="author-picture" src="${picture}"`);
    expect(post).toMatch(/href="https:\/\/github\.com\/ada"><svg [^]*?>GitHub</);
    const author = (await see(/href="(\/authors\/[^"]+)"/.exec(post)![1]!)).text;
    expect(author).toContain(`<img class="author-picture" src="${picture}"`);
    expect(author).toContain('href="https://github.com/ada"');
    expect((await see('/categories')).text).toContain(`src="${picture}"`);
    expect((await forms.inJson('account', { ...profile, links: 'javascript:x' })).body.errors).toHaveProperty(
      'links',
    );
  });

  it('has a copy button on pages with code where the setting asks for it, and no other script', async () => {
    await forms.make('Code', { body: '```\na\n```' });
    const policyOf = async (path: string) =>
      String((await reader.get(path)).headers['content-security-policy']);
    expect(await policyOf('/posts/code')).toContain("script-src 'none'");
    await forms.settings('site', { copy_button: 'on' });
    const [, script] = /<script src="([^"]+)" defer/.exec((await see('/posts/code')).text) ?? [];
    expect(Buffer.byteLength((await see(script!)).text)).toBeLessThan(1_024);
    expect(await policyOf('/posts/code')).toContain("script-src 'self'");
    expect(await policyOf('/posts/welcome')).toContain("script-src 'none'");
    await forms.settings('site', { copy_button: 'off' });
  });
});
