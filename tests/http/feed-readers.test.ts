// What readers of feeds show: parsed and cleaned by packages that Dateline itself does not use.
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import sanitizeHtml from 'sanitize-html';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCategory, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;

const site = 'Notes on <b> & &amp;';
const description = 'All about <script>alert(1)</script> & co';
const title = 'How `Vec<T>` works & &lt; <img src=x onerror=alert(1)>';
const excerpt = 'Say <script>alert(1)</script> or &amp; or a < b';
const plainTitle = 'AT&T, Q&A & 1 < 2 > 0';
const author = 'Ada <i> & Co';
const term = 'C <T> & D';

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await changeSettings(app, { site_title: site, site_description: description });
  const { id: authorId } = await createUser(app, { displayName: author });
  const { id: categoryId } = await createCategory(app, { slug: 'c', name: term, description });
  const { id: tagId } = await createTag(app, { slug: 't', name: `${term} as a tag`, description });
  await createPost(app, {
    title,
    excerpt,
    authorId,
    categoryId,
    tagIds: [tagId],
    status: 'published',
    body: 'Say `<b>`',
    bodyHtml: '<p>Say <code>&#x3C;b></code></p>',
  });
  await createPost(app, {
    title: plainTitle,
    excerpt: plainTitle,
    status: 'published',
    publishedAt: new Date('2020-01-01T00:00:00Z'),
  });
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

/** What a reader shows of HTML: unsafe elements are gone with their text, the rest is text. */
function shown(html: string | undefined): string {
  const clean = sanitizeHtml(html ?? '', { allowedTags: [], allowedAttributes: {} });
  return clean.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

const html = '<p>Say <code>&lt;b&gt;</code></p>';

test.each([
  ['/rss.xml', site, description],
  ['/categories/c/rss.xml', `${term} · ${site}`, description],
  ['/tags/t/rss.xml', `${term} as a tag · ${site}`, description],
])(
  '%s shows titles and excerpts as they were typed, in a reader that takes them for HTML',
  async (path, ...of) => {
    const feed = parseRssFeed((await server.client().get(path)).text);
    const [item] = feed.items ?? [];
    expect([shown(feed.title), shown(feed.description)]).toEqual(of);
    expect(shown(item?.title)).toBe(title);
    expect(shown(item?.description)).toBe(excerpt);
    // By their formats these two are plain text.
    expect(item?.dc?.creators).toEqual([author]);
    expect(item?.categories?.map(({ name }) => name)).toEqual([term, `${term} as a tag`]);
    expect(sanitizeHtml(item?.content?.encoded ?? '')).toBe(html);
  },
);

test('/rss.xml shows a title with “&” and “<” alike in readers that take it for text and for HTML', async () => {
  const { text } = await server.client().get('/rss.xml');
  const item = parseRssFeed(text).items?.[1];
  expect([shown(item?.title), shown(item?.description)]).toEqual([plainTitle, plainTitle]);
  // The parser decodes references once more than XML does, so the text itself is read here.
  const once = plainTitle.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  expect(text).toContain(`<title>${once}</title>`);
  expect(text).toContain(`<description>${once}</description>`);
});

test('/atom.xml shows titles and excerpts as they were typed', async () => {
  const feed = parseAtomFeed((await server.client().get('/atom.xml')).text);
  const [entry] = feed.entries ?? [];
  // Each is plain text where it has no type, or HTML where it has that one.
  const text = (field: { value?: string; type?: string } | string | undefined) => {
    const { value, type = 'text' } = typeof field === 'string' ? { value: field } : (field ?? {});
    return type === 'html' ? shown(value) : value;
  };
  expect([text(feed.title), text(feed.subtitle)]).toEqual([site, description]);
  expect([text(entry?.title), text(entry?.summary)]).toEqual([title, excerpt]);
  expect(entry?.authors?.[0]?.name).toBe(author);
  expect(entry?.categories?.map((category) => category.term)).toEqual([term, `${term} as a tag`]);
  expect(text(entry?.content)).toBe('Say <b>');
});

test('/feed.json shows titles and excerpts as they were typed', async () => {
  const feed = parseJsonFeed(JSON.parse((await server.client().get('/feed.json')).text) as object);
  const [item] = feed.items ?? [];
  expect([feed.title, feed.description]).toEqual([site, description]);
  expect([item?.title, item?.summary]).toEqual([title, excerpt]);
  expect([item?.authors?.[0]?.name, item?.tags]).toEqual([author, [term, `${term} as a tag`]]);
  expect(sanitizeHtml(item?.content_html ?? '')).toBe(html);
});
