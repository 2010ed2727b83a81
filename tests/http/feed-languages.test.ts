// A post in another language than its feed's, or in one that is written from right to left.
import { beforeAll, expect, it } from 'vitest';
import { createMedia } from '#tests/support/factories.ts';
import { jsonForms, readerOf, type JsonForms, type See } from '#tests/support/json-forms.ts';
import { openSite } from '#tests/support/site.ts';

let forms: JsonForms;
let see: See;

beforeAll(async () => {
  const site = await openSite();
  forms = jsonForms(site);
  see = readerOf(site);
  const path = '2026/11/episode.mp3';
  await createMedia(site.app, { path, mimeType: 'audio/mpeg', bytes: 4_321 });
  await forms.inJson('categories', { name: 'Show', slug: 'show' });
  const { id: categoryId } = await site.app.db.category.findUniqueOrThrow({ where: { slug: 'show' } });
  const inShow = { categoryId, tags: 'Waves', body: `(שלום).\n\n![Listen](/uploads/${path})` };
  await forms.make('שלום (עולם)!', { ...inShow, language: 'he' });
  await forms.make('Plain', { ...inShow, body: `Tide.\n\n![Listen](/uploads/${path})` });
});

const hebrew = '<div lang="he" dir="rtl"><p>(שלום).</p>';

it.each(['/rss.xml', '/tags/waves/rss.xml', '/categories/show/rss.xml', '/categories/show/podcast.xml'])(
  'has language and direction in %s',
  async (path) => {
    const items = (await see(path)).text.split('<item>').slice(1);
    expect(items).toHaveLength(2);
    const item = items.find((text) => text.includes('שלום'))!;
    expect(item).toContain('<dc:language>he</dc:language>');
    expect(item).toContain(`<content:encoded><![CDATA[${hebrew}`);
    const other = items.find((text) => text.includes('Plain'))!;
    expect(other).not.toMatch(/dc:language|lang=|dir=/);
  },
);

it('has language and direction in Atom and JSON Feed', async () => {
  const entries = (await see('/atom.xml')).text.split('<entry').slice(1);
  const entry = entries.find((text) => text.includes('שלום'))!;
  expect(entry).toMatch(/^ xml:lang="he">/);
  expect(entry).toContain(hebrew.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'));
  expect(entries.find((text) => text.includes('Plain'))).toMatch(/^>/);
  const { items } = JSON.parse((await see('/feed.json')).text) as {
    items: { title: string; language?: string; content_html: string }[];
  };
  const item = items.find(({ title }) => title.includes('שלום'))!;
  expect(item.language).toBe('he');
  expect(item.content_html).toContain(hebrew);
  expect(items.find(({ title }) => title === 'Plain')).not.toHaveProperty('language');
});

it('has the direction of a site that is written from right to left', async () => {
  await forms.inJson('settings/site', { site_language: 'ar' });
  const { items } = JSON.parse((await see('/feed.json')).text) as { items: { content_html: string }[] };
  expect(items.map(({ content_html: html }) => /^<div[^>]*>/.exec(html)?.[0]).sort()).toEqual([
    '<div lang="ar" dir="rtl">',
    '<div lang="he" dir="rtl">',
  ]);
});
