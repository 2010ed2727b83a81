// What a save asks the providers of embeds, and what it keeps.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';

const film = 'https://youtu.be/dQw4w9WgXcQ';
const gone = 'https://vimeo.com/76979871';
const toot = 'https://mastodon.social/@ann/112233445566';
const map = 'https://www.openstreetmap.org/#map=15/52.5/13.4';

/** Answers as the providers do, but for Vimeo, which answers nothing. @returns the hosts that were asked */
async function stubProviders(): Promise<string[]> {
  const asked: string[] = [];
  const image = await picture();
  vi.stubGlobal('fetch', (address: string, { signal }: RequestInit) => {
    asked.push(new URL(address).hostname);
    if (address.startsWith('https://www.youtube.com/oembed'))
      return Promise.resolve(
        Response.json({ title: 'A film', thumbnail_url: 'https://i.ytimg.com/vi/x/hq.jpg' }),
      );
    if (address.startsWith('https://i.ytimg.com/'))
      return Promise.resolve(new Response(new Uint8Array(image)));
    if (address.startsWith('https://mastodon.social/'))
      return Promise.resolve(
        Response.json({
          content: '<p>One<br>line</p><p>Two &amp; more</p>',
          account: { display_name: '', acct: 'ann' },
        }),
      );
    return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(new Error('too late'))));
  });
  return asked;
}

describe('the embeds of a post', () => {
  const body = [film, gone, toot, map].join('\n\n');
  let app: TestApp;
  let asked: string[];
  let editorId: string;
  let postId: string;
  let tookMs: number;
  beforeAll(async () => {
    app = await createTestApp();
    asked = await stubProviders();
    editorId = (await createUser(app)).id;
    const started = performance.now();
    const fields = { title: 'Films', body };
    postId = (await createPost(app, { intent: 'publish', fields, editorId })).id;
    tookMs = performance.now() - started;
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    await app?.close();
  });
  const htmlOf = async () => (await app.db.post.findUniqueOrThrow({ where: { id: postId } })).bodyHtml;

  it('are asked for once from each provider, for some seconds at most', () => {
    expect(tookMs).toBeLessThan(10_000);
    expect([...asked].sort()).toEqual(['i.ytimg.com', 'mastodon.social', 'vimeo.com', 'www.youtube.com']);
  });

  it('keep title and picture, and are a link where nobody answers', async () => {
    const html = await htmlOf();
    const [media] = await app.db.media.findMany();
    expect(html).toContain(`<summary><img src="/uploads/${media!.path}"`);
    expect(html).toContain(
      '<blockquote cite="https://mastodon.social/@ann/112233445566"><p>One line</p><p>Two &#x26; more</p>',
    );
    expect(html).toContain(`<p><a href="${gone}" rel="external noopener">${gone}</a></p>`);
    expect(html).toContain('https://www.openstreetmap.org/export/embed.html?');
  });

  it('are asked for again neither by the next save nor by an autosave', async () => {
    await editPost(app, { postId, intent: 'save', fields: { body: `${body}\n\nMore` }, editorId });
    const fields = { body: 'https://youtu.be/aaaaaaaaaaa' };
    await editPost(app, { postId, intent: 'save', kind: 'draft', fields, editorId });
    expect(asked).toHaveLength(4);
    expect(await htmlOf()).toContain('<a href="https://youtu.be/aaaaaaaaaaa"');
  });
});
