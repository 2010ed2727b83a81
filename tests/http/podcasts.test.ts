// Contract, section 9: a category's show.
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createMedia } from '#tests/support/factories.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;

beforeAll(async () => {
  ({ app, server, editor } = await openSite());
});

const inJson = async (path: string, fields: Fields) => {
  const answer = await editor.post(`/admin/${path}`, fields, { accept: 'application/json' });
  return { status: answer.status, body: answer.json<{ id: string; errors: Record<string, string> }>() };
};
const make = async (title: string, fields: Fields = {}) =>
  (await inJson('posts/new', { title, body: `All of ${title}`, intent: 'publish', ...fields })).body.id;
const save = async (id: string, fields: Fields) => {
  const { version } = await app.db.post.findUniqueOrThrow({ where: { id } });
  return inJson(`posts/${id}`, { version: String(version), intent: 'save', ...fields });
};
const see = (path: string) => server.client().get(path);
const settings = (group: string, fields: Fields) => inJson(`settings/${group}`, fields);

describe('a podcast', () => {
  it('has the audio of a category’s posts as enclosures', async () => {
    const path = '2026/11/episode.mp3';
    await createMedia(app, { path, mimeType: 'audio/mpeg', bytes: 4_321 });
    await inJson('categories', { name: 'Tide & talk', slug: 'show' });
    const { id: categoryId } = await app.db.category.findUniqueOrThrow({ where: { slug: 'show' } });
    await make('No audio', { categoryId });
    expect((await see('/categories/show')).text).not.toContain('podcast.xml');
    const episode = await make('Episode one', {
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
    // A text that no longer plays anything is no episode.
    await save(episode, { body: `[Listen](/uploads/${path})` });
    expect((await see('/categories/show')).text).not.toContain('podcast.xml');
    await save(episode, { body: `<audio src="/uploads/${path}" data-duration="95"></audio>` });
    expect((await see('/categories/show/podcast.xml')).text).toContain('<itunes:duration>95<');
  });

  it('says to directories what the settings and the category’s picture say', async () => {
    const { path } = await createMedia(app, { path: '2026/11/show.png', width: 1400, height: 1400 });
    const category = await app.db.category.findUniqueOrThrow({ where: { slug: 'show' } });
    await inJson(`categories/${category.id}`, { intent: 'save', picture: `/uploads/${path}` });
    const chosen = { podcast_category: 'TV & Film', podcast_explicit: 'yes', podcast_email: 'a@example.org' };
    expect((await settings('site', chosen)).status).toBe(200);
    const { text } = await see('/categories/show/podcast.xml');
    expect(text).toMatch(/<itunes:image href="https?:\/\/[^"]*\/uploads\/2026\/11\/show\.png"\/>/);
    expect(text).toContain('<itunes:category text="TV &amp; Film"/>');
    expect(text.match(/<itunes:explicit>true</g)).toHaveLength(2);
    expect(text).toContain('<itunes:email>a@example.org</itunes:email></itunes:owner>');
    expect((await settings('site', { podcast_email: 'nobody' })).body.errors).toHaveProperty('podcast_email');
  });
});
