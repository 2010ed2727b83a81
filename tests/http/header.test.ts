// The button in the header, and the line above every page.
import { beforeAll, expect, it } from 'vitest';
import type { Fields } from '#tests/support/http-client.ts';
import { jsonForms, readerOf, type JsonForms, type See } from '#tests/support/json-forms.ts';
import { openSite, type Site } from '#tests/support/site.ts';

let site: Site;
let forms: JsonForms;
let see: See;

beforeAll(async () => {
  site = await openSite();
  forms = jsonForms(site);
  see = readerOf(site);
});

it('the menu has a button beside it and the page a line above it, with a link or without', async () => {
  const without = (await see('/')).text;
  expect(without).not.toMatch(/header-button|announcement/);
  const set = (fields: Fields) => forms.settings('navigation', fields);
  expect((await set({ header_button: 'Subscribe | /rss.xml', announcement: 'We <moved>' })).status).toBe(200);
  const { text } = await see('/archive');
  expect(text).toContain('<a class="header-button" href="/rss.xml">Subscribe</a></header>');
  expect(text).toMatch(/<aside class="announcement" aria-label="Announcement"><p>We &lt;moved&gt;<\/p>/);
  // The way past it comes first.
  expect(text.indexOf('skip-link')).toBeLessThan(text.indexOf('announcement'));
  await set({ announcement: 'Read | how | /posts/how' });
  expect((await see('/nowhere')).text).toContain('<p><a href="/posts/how">Read | how</a></p>');
  for (const [field, value] of [
    ['header_button', 'Subscribe'],
    ['header_button', '| /rss.xml'],
    ['header_button', 'Subscribe | javascript:alert(1)'],
    ['announcement', 'Read | how'],
    ['announcement', 'Sale | //evil.example'],
    ['announcement', 'x'.repeat(301)],
  ] as const) {
    const { status, body } = await set({ [field]: value });
    expect([value, status, Object.keys(body.errors)]).toEqual([value, 400, [field]]);
  }
  await set({ header_button: '', announcement: '' });
  expect((await see('/')).text).toBe(without);
});

it('they wait in a release, which names links that lead nowhere, and are seen at its instant before', async () => {
  const { editor } = site;
  const publishAt = '2031-05-01T08:00';
  const made = await forms.inJson('releases/new', { name: 'Festival', publishAt, intent: 'schedule' });
  const releaseId = made.body.id;
  const fields = { header_button: 'Tickets | /tickets', announcement: 'The festival is here' };
  expect((await forms.settings('navigation', { ...fields, releaseId })).status).toBe(200);
  const shown = (await editor.get(`/admin/releases/${releaseId}`)).text.replaceAll('<!-- -->', '');
  expect(shown).toContain('Links to pages that readers can’t see then: /tickets');
  expect((await see('/')).text).not.toContain('Tickets');
  const opened = await editor.post('/admin/time', { at: '2031-05-01T09:00', intent: 'open' });
  const then = (await editor.get(opened.headers.location!)).text;
  expect(then).toMatch(/<a class="header-button" href="[^"]*\/tickets">Tickets<\/a>/);
  expect(then).toContain('<p>The festival is here</p>');
  expect((await forms.inJson(`releases/${releaseId}`, { intent: 'publish' })).status).toBe(200);
  expect((await see('/')).text).toContain('Tickets');
});
