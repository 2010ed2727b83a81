// Contract, section 9: what is at `/` when the page that is the home changes.
import { expect, it } from 'vitest';
import { postForms } from '#tests/support/html-form.ts';
import { jsonForms, readerOf } from '#tests/support/json-forms.ts';
import { openSite } from '#tests/support/site.ts';

it('a home that becomes a post is only a post, until it is a page again', async () => {
  const site = await openSite();
  const forms = jsonForms(site);
  const see = readerOf(site);
  const home = await forms.page('Welcome aboard');
  await forms.settings('site', { home_page: home });
  const isHome = async () => (await see('/')).text.includes('<h1>Welcome aboard</h1>');
  const sitemap = async () => [...(await see('/sitemap.xml')).text.matchAll(/<loc>https?:\/\/[^/]+([^<]*)/g)];
  const addresses = async () => (await sitemap()).map(([, path]) => path);
  expect([await isHome(), await addresses()]).toEqual([true, ['/']]);

  await forms.save(home, { type: 'post' });
  expect([await isHome(), await addresses()]).toEqual([false, ['/posts/welcome-aboard']]);
  expect(await see('/posts/welcome-aboard')).toMatchObject({ status: 200 });
  expect((await see('/')).text).toContain('href="/posts/welcome-aboard"');

  const bar = async () => (await site.editor.get('/admin/site/')).text.split('id="site-bar"')[1]!;
  expect(await bar()).not.toContain(`/admin/posts/${home}`);

  // Another setting of the same form is saved, with the home that it shows.
  const form = postForms((await site.editor.get('/admin/settings/site')).text).find(
    ({ fields }) => 'home_page' in fields,
  )!;
  expect(
    (await site.editor.post('/admin/settings/site', { ...form.fields, site_title: 'Aboard' })).status,
  ).toBe(302);
  await forms.save(home, { type: 'page' });
  expect([await isHome(), await addresses()]).toEqual([true, ['/']]);
  expect(await bar()).toContain(`/admin/posts/${home}`);
});
