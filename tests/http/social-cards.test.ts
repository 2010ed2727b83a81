import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createPost, createMedia } from '#tests/support/factories.ts';
import { openSite } from '#tests/support/site.ts';

const { app, server, editor } = await openSite();
const reader = server.client();
const published = { status: 'published', publishedAt: new Date(0) } as const;

async function cardOf(path: string): Promise<string | null> {
  const { text } = await reader.get(path);
  const address = /<meta property="og:image" content="https?:\/\/[^/"]+([^"]+)"/.exec(text)?.[1] ?? null;
  const twitter = /<meta name="twitter:image" content="https?:\/\/[^/"]+([^"]+)"/.exec(text)?.[1] ?? null;
  expect(twitter).toBe(address);
  return address;
}

async function pictureAt(path: string) {
  const { status, headers, body: bytes } = await reader.get(path);
  expect(status, path).toBe(200);
  expect(headers['content-type']).toBe('image/png');
  expect(headers['cache-control']).toContain('immutable');
  return { bytes, ...(await sharp(bytes).metadata()) };
}

test('a post without a cover has a card that shows its title, and is the same when asked for again', async () => {
  await createPost(app, {
    slug: 'sea',
    title: 'Wer <hat> & das Meer „befragt“? Привет, Ελλάδα',
    ...published,
  });
  const path = await cardOf('/posts/sea');
  expect(path).toMatch(/^\/theme\/cards\//);
  const card = await pictureAt(path!);
  expect(card).toMatchObject({ format: 'png', width: 1200, height: 630 });
  expect(card.bytes.length).toBeLessThan(100_000);
  // Title, site's name and paper: more than one colour is drawn.
  expect((await sharp(card.bytes).stats()).entropy).toBeGreaterThan(0.3);
  expect((await pictureAt(path!)).bytes.equals(card.bytes)).toBe(true);
  expect((await reader.send('HEAD', path!)).status).toBe(200);
});

test('the card follows title, name of the site and palette; an earlier address leads to the present card', async () => {
  const { id } = await createPost(app, { slug: 'tide', title: 'Low tide', ...published });
  const addresses = [await cardOf('/posts/tide')];
  const first = await pictureAt(addresses[0]!);
  const { version } = await app.db.post.findUniqueOrThrow({ where: { id } });
  await editor.post(`/admin/posts/${id}`, { title: 'High tide', version: String(version), intent: 'save' });
  addresses.push(await cardOf('/posts/tide'));
  await editor.post('/admin/settings/site', { site_title: 'Tidings' });
  addresses.push(await cardOf('/posts/tide'));
  await editor.post('/admin/appearance', { preset: 'studio', palette: 'rose', intent: 'publish' });
  addresses.push(await cardOf('/posts/tide'));
  expect(new Set(addresses).size).toBe(4);
  const last = await pictureAt(addresses[3]!);
  expect(last.bytes.equals(first.bytes)).toBe(false);
  const old = await reader.get(addresses[0]!);
  expect([old.status, old.headers.location]).toEqual([302, addresses[3]]);
});

test('nobody gets the card of what is not public', async () => {
  const { id } = await createPost(app, { slug: 'news', title: 'News', ...published });
  const path = (await cardOf('/posts/news'))!;
  await pictureAt(path);
  const { version } = await app.db.post.findUniqueOrThrow({ where: { id } });
  await editor.post(`/admin/posts/${id}`, { version: String(version), intent: 'draft' });
  expect((await reader.get(path)).status).toBe(404);
  const draft = await createPost(app, { title: 'Secret', status: 'draft' });
  const guessed = path.replace(id, draft.id);
  expect((await reader.get(guessed)).status).toBe(404);
  for (const file of ['x.png', `${id}.png`, `${draft.id}-zzzzzzzzzzzz.png`])
    expect((await reader.get(`/theme/cards/${file}`)).status, file).toBe(404);
});

test('the card of a post that is deleted for good goes with it', async () => {
  const { id } = await createPost(app, { slug: 'ebb', title: 'Ebb', ...published });
  await pictureAt((await cardOf('/posts/ebb'))!);
  const kept = async () => {
    const paths: string[] = [];
    for await (const { path } of app.mediaStore.list(`.cards/${id}/`)) paths.push(path);
    return paths;
  };
  expect(await kept()).toHaveLength(1);
  const { version } = await app.db.post.findUniqueOrThrow({ where: { id } });
  await editor.post(`/admin/posts/${id}`, { version: String(version), intent: 'delete' });
  await editor.post('/admin/trash', { id, kind: 'post', intent: 'purge' });
  expect(await kept()).toEqual([]);
});

test('a post with a cover shares that, and one in a script that the fonts lack shares none', async () => {
  const cover = await createMedia(app);
  await createPost(app, { slug: 'pictured', title: 'Pictured', coverMediaId: cover.id, ...published });
  expect(await cardOf('/posts/pictured')).toBe(`/uploads/${cover.path}`);
  await createPost(app, { slug: 'ja', title: '海の物語', ...published });
  expect(await cardOf('/posts/ja')).toBeNull();
  await createPost(app, { slug: 'smile', title: 'A wave 🌊', ...published });
  expect(await cardOf('/posts/smile')).toMatch(/^\/theme\/cards\//);
});
