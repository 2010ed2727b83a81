// Contract, section 9: a category's show.
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createMedia } from '#tests/support/factories.ts';
import { jsonForms, readerOf, type JsonForms, type See } from '#tests/support/json-forms.ts';
import { countRenders } from '#tests/support/renders.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let forms: JsonForms;
let see: See;
let renders: () => Promise<number>;

beforeAll(async () => {
  const site = await openSite();
  ({ app } = site);
  forms = jsonForms(site);
  see = readerOf(site);
  renders = () => countRenders(site.server.client());
});

describe('a podcast', () => {
  const path = '2026/11/episode.mp3';
  let episode: string;

  it('has the audio of a category’s posts as enclosures', async () => {
    await createMedia(app, { path, mimeType: 'audio/mpeg', bytes: 4_321 });
    await forms.inJson('categories', { name: 'Tide & talk', slug: 'show' });
    const { id: categoryId } = await app.db.category.findUniqueOrThrow({ where: { slug: 'show' } });
    await forms.make('No audio', { categoryId });
    expect((await see('/categories/show')).text).not.toContain('podcast.xml');
    episode = await forms.make('Episode one', {
      categoryId,
      body: `![Listen](/uploads/${path}){duration=1:02:30}\n\nNotes.`,
    });
    expect((await see('/categories/show')).text).toContain('href="/categories/show/podcast.xml"');
    const { status, text } = await see('/categories/show/podcast.xml');
    expect(status).toBe(200);
    expect(text).toMatch(/<enclosure url="[^"]*episode\.mp3" length="4321" type="audio\/mpeg"\/>/);
    expect(text).toContain('<itunes:author>');
    expect(text).not.toContain('No audio');
    expect(text).toContain('<title>Tide &amp; talk</title>');
    expect(text).toContain('<itunes:category text="News"/>');
    expect(text).toContain('<itunes:explicit>false</itunes:explicit>');
    expect(text).not.toContain('itunes:owner');
    expect(text).toContain('<itunes:duration>1:02:30</itunes:duration>');
  });

  it('has no episode of a text that no longer plays anything, and one of a player in HTML', async () => {
    await forms.save(episode, { body: `[Listen](/uploads/${path})` });
    expect((await see('/categories/show')).text).not.toContain('podcast.xml');
    await forms.save(episode, { body: `<audio src="/uploads/${path}" data-duration="95"></audio>` });
    expect((await see('/categories/show/podcast.xml')).text).toContain('<itunes:duration>95<');
  });

  it('has an episode whose player begins at a time', async () => {
    await forms.save(episode, { body: `![Listen](/uploads/${path}#t=60)` });
    expect((await see('/categories/show/podcast.xml')).text).toMatch(/<enclosure url="[^"]*episode\.mp3" /);
  });

  it('has episodes whose sound is elsewhere, with the type by its name and without a length', async () => {
    const { id: categoryId } = await app.db.category.findUniqueOrThrow({ where: { slug: 'show' } });
    const noEpisodes = [
      ...['http://cdn.example.org/a.mp3', 'https://sound.mp3', 'https://[/a.mp3'],
      // Cannot be decoded.
      '/uploads/100%.mp3',
    ];
    await forms.save(episode, { body: noEpisodes.map((src) => `<audio src="${src}"></audio>`).join('\n\n') });
    expect((await see('/categories/show')).text).not.toContain('podcast.xml');
    expect((await see('/categories/show/podcast.xml')).text).not.toContain('<enclosure');
    const elsewhere = await forms.make('Elsewhere', {
      categoryId,
      body: '![Listen](https://cdn.example.org/a%20b.OGA?part=1&size=2#t=9)\n\n![](https://cdn.example.org/c.mp3)',
    });
    expect((await see('/categories/show')).text).toContain('href="/categories/show/podcast.xml"');
    expect((await see('/categories/show/podcast.xml')).text.match(/<enclosure.*/g)).toEqual([
      '<enclosure url="https://cdn.example.org/a%20b.OGA?part=1&amp;size=2" length="0" type="audio/ogg"/>',
    ]);
    await forms.inJson(`posts/${elsewhere}`, { intent: 'delete', version: await forms.versionOf(elsewhere) });
    await forms.save(episode, { body: `![Listen](/uploads/${path})` });
  });

  it('is no reason to render the category again when a text changes without its sounds', async () => {
    const { id: categoryId } = await app.db.category.findUniqueOrThrow({ where: { slug: 'show' } });
    const path = '2026/11/second.mp3';
    await createMedia(app, { path, mimeType: 'audio/mpeg' });
    // Lists show the first picture of a text without a cover, and change with that text.
    const { id: coverMediaId } = await createMedia(app, { path: '2026/11/cover.webp' });
    const fields = { categoryId, coverMediaId, excerpt: 'Tides.', body: 'Notes.' };
    const post = await forms.make('Episode two', fields);
    const rendersAfter = async (body: string) => {
      await see('/categories/show');
      await forms.save(post, { body });
      expect((await see('/posts/episode-two')).status).toBe(200);
      const before = await renders();
      await see('/categories/show');
      return (await renders()) - before;
    };
    expect(await rendersAfter('Other notes.')).toBe(0);
    expect(await rendersAfter(`![Listen](/uploads/${path})`)).toBe(1);
    expect(await rendersAfter(`![Listen](/uploads/${path})\n\nNotes.`)).toBe(0);
    expect(await rendersAfter('No sound.')).toBe(1);
  });

  it('says to directories what the settings and the category’s picture say', async () => {
    const { path } = await createMedia(app, { path: '2026/11/show.png', width: 1400, height: 1400 });
    const category = await app.db.category.findUniqueOrThrow({ where: { slug: 'show' } });
    await forms.inJson(`categories/${category.id}`, { intent: 'save', picture: `/uploads/${path}` });
    const chosen = { podcast_category: 'TV & Film', podcast_explicit: 'yes', podcast_email: 'a@example.org' };
    expect((await forms.settings('site', chosen)).status).toBe(200);
    const { text } = await see('/categories/show/podcast.xml');
    expect(text).toMatch(/<itunes:image href="https?:\/\/[^"]*\/uploads\/2026\/11\/show\.png"\/>/);
    expect(text).toContain('<itunes:category text="TV &amp; Film"/>');
    expect(text.match(/<itunes:explicit>true</g)).toHaveLength(2);
    expect(text).toContain('<itunes:email>a@example.org</itunes:email></itunes:owner>');
    expect((await forms.settings('site', { podcast_email: 'nobody' })).body.errors).toHaveProperty(
      'podcast_email',
    );
  });
});
