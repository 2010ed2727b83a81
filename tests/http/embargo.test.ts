import { describe, expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { newId, systemClock } from '#app/platform/clock.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { hashPreviewToken, createPreviewLink } from '#app/posts/previews/links.server.ts';
import { saveAutosave } from '#app/publishing/posts/autosave.server.ts';
import { createPost, editPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { crawl, type CrawledSite } from '#tests/support/crawl.ts';
import { firstDialect } from '#tests/support/databases.ts';
import { createCategory, createMedia, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

/** In every word that only unpublished posts have; in no other text. */
const CANARY = 'zqcanary';
const COMMON = 'harbour';
const hidden = ['draft', 'scheduled', 'archived', 'withdrawn', 'prepared'] as const;
const canary = (state: string, field: string) => `${CANARY}${state}${field}`;
const ids = Object.fromEntries(hidden.map((state) => [state, newId(systemClock)]));

describe.each(firstDialect('sqlite'))('what is not public (%s)', (dialect) => {
  it('cannot be had: the site with it is the very site without it', { timeout: 600_000 }, async () => {
    const testApp = await createTestApp({ dialect });
    const app = { ...testApp, clock: systemClock };
    const site = await publishSite(app);
    // The substitute for the search engine reads both databases by the same queries.
    const options = { substitute: dialect === 'sqlite' };
    const before = await visit(app.variables, options);
    const previews = await hideCanaries(app, site);
    const after = await visit(app.variables, { ...options, previews });
    expect(previews).toHaveLength(hidden.length - 1);
    expectNoCanary(after);
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [path, answer] of after) expect(answer, path).toEqual(before.get(path));
    expect([...after.keys()]).toEqual(expect.arrayContaining(publicPaths));
    await testApp.close();
  });
});

// Reached by links alone; that they are here shows that the crawler crawls.
const publicPaths = [
  '/posts/story-0',
  '/posts/story-11',
  '/?page=2',
  '/categories/news',
  '/categories/news/rss.xml',
  '/tags/sea',
  '/tags/sea/rss.xml',
  '/authors/ada',
  '/archive',
  '/rss.xml',
  '/atom.xml',
  '/feed.json',
];

/** Everything that links lead to, and every address that somebody could guess. */
async function visit(
  variables: Record<string, string>,
  { substitute, previews = [] }: { substitute: boolean; previews?: string[] },
): Promise<CrawledSite> {
  const server = await startServer({ env: variables });
  const site = await crawl(server.client(), variables.AUTH_URL!, [...entrances, ...guesses()]);
  await expectPreviewsShowThem(server, previews);
  await server.stop();
  if (!substitute) return site;
  // The search page answers without its engine as well.
  const lame = await startServer({ env: { ...variables, SEARCH_HOST: 'http://127.0.0.1:9' } });
  const searches = [...entrances, ...guesses()].filter((path) => /^\/search.*(harbour|title$)/.test(path));
  const answers = await crawl(lame.client(), variables.AUTH_URL!, searches, { follow: false });
  await lame.stop();
  for (const [path, answer] of answers) site.set(`${path} (engine down)`, answer);
  return site;
}

const entrances = [
  '/',
  '/sitemap.xml',
  '/sitemaps/1.xml',
  '/robots.txt',
  '/archive',
  '/categories',
  '/tags',
  '/rss.xml',
  '/atom.xml',
  '/feed.json',
  '/search',
  `/search?q=${COMMON}`,
  `/search?q=${COMMON}&category=news&tag=sea`,
  // Corrections and completions come from words that the index knows.
  `/search?q=harbuor`,
  '/nowhere',
  '/_root.data',
  '/archive.data',
  '/posts/story-3.data',
  '/admin/calendar',
];

function guesses(): string[] {
  return hidden.flatMap((state) => {
    const say = (field: string) => canary(state, field);
    const id = ids[state]!;
    return [
      ...['title', 'body', 'excerpt'].map((field) => `/search?q=${say(field)}`),
      // Half a word, and one that is spelt wrong.
      `/search?q=${say('title').slice(0, -2)}`,
      `/search?q=${say('title').replace('canary', 'canray')}`,
      `/search?q=${COMMON}&category=${say('term')}`,
      `/search?q=${COMMON}&tag=${say('term')}`,
      `/posts/${say('slug')}`,
      `/posts/${say('slug')}/`,
      `/posts/${say('slug')}.data`,
      `/posts/${say('oldslug')}`,
      `/categories/${say('term')}`,
      `/categories/${say('term')}/rss.xml`,
      `/tags/${say('term')}`,
      `/tags/${say('term')}/rss.xml`,
      `/authors/${say('term')}`,
      `/preview/${id}`,
      `/preview/${hashPreviewToken(id)}`,
      `/admin/posts/${id}`,
      `/admin/posts/${id}/revisions`,
    ];
  });
}

async function publishSite(app: App) {
  const ada = await createUser(app, { username: 'ada', displayName: 'Ada', bio: 'Writes about the sea.' });
  const news = await createCategory(app, { slug: 'news', name: 'News' });
  const stories: string[] = [];
  for (let number = 0; number < 12; number += 1) {
    const { id } = await createPost(app, {
      intent: 'publish',
      fields: {
        title: `Story ${number}`,
        slug: `story-${number}`,
        body: `The ${COMMON} on day ${number}.`,
        categoryId: news.id,
        tags: ['Sea', 'Winter'],
        publishedAt: new Date(Date.UTC(2025, 0, 2 * number + 1)),
      },
      editorId: ada.id,
    });
    stories.push(id);
  }
  return { ada, news, stories };
}

/** Posts of every state among the public ones: same category, tags, author, and between their dates. */
async function hideCanaries(app: App, { ada, news, stories }: Awaited<ReturnType<typeof publishSite>>) {
  const tokens: string[] = [];
  for (const [index, state] of hidden.entries()) {
    const editorId = index % 2 === 0 ? ada.id : await createHiddenAuthor(app, state);
    const fields = await fieldsWithCanaries(app, state, index % 2 === 0 ? news.id : null);
    const publishedAt = new Date(Date.UTC(2025, 0, 2 * index + 2));
    const id = ids[state]!;
    if (state === 'prepared') {
      const { slug: _slug, ...changed } = fields;
      const change = { postId: stories[3]!, version: 1, fields: changed, editorId };
      await scheduleUpdate(app, { ...change, changeAt: new Date('2999-01-01T00:00:00.000Z') });
      continue;
    }
    const wasPublic = state === 'archived' || state === 'withdrawn';
    if (wasPublic) {
      const old = { ...fields, slug: canary(state, 'oldslug'), publishedAt };
      await createPost(app, { id, intent: 'publish', fields: old, editorId });
      await editPost(app, { postId: id, intent: 'save', fields: { slug: fields.slug }, editorId });
      await editPost(app, {
        postId: id,
        intent: state === 'archived' ? 'archive' : 'draft',
        fields: {},
        editorId,
      });
    } else {
      const time = state === 'scheduled' ? new Date('2999-01-01T00:00:00.000Z') : publishedAt;
      const intent = state === 'scheduled' ? 'schedule' : 'draft';
      await createPost(app, { id, intent, fields: { ...fields, publishedAt: time }, editorId });
    }
    const { version } = await app.db.post.findUniqueOrThrow({ where: { id }, select: { version: true } });
    await saveAutosave(app, {
      postId: id,
      editorId,
      version,
      fields: { body: canary(state, 'autosave') },
    });
    tokens.push((await createPreviewLink(app, { postId: id, createdById: editorId })).path);
  }
  // Whatever the index held before, a new one is made from what is public.
  await reindexPosts(app, { batchSize: 200 });
  return tokens;
}

async function createHiddenAuthor(app: App, state: string): Promise<string> {
  const [username, displayName, bio] = ['term', 'author', 'bio'].map((field) => canary(state, field));
  return (await createUser(app, { username, displayName, bio })).id;
}

async function fieldsWithCanaries(
  app: App,
  state: string,
  sharedCategoryId: string | null,
): Promise<Omit<PostFields, 'publishedAt' | 'archiveAt'>> {
  const say = (field: string) => canary(state, field);
  const picture = await createMedia(app, {
    path: `2026/11/${say('file')}.webp`,
    originalName: `${say('original')}.webp`,
    alt: say('alt'),
    width: 800,
    height: 600,
  });
  const term = { slug: say('term'), name: say('category'), description: say('description') };
  const categoryId = sharedCategoryId ?? (await createCategory(app, term)).id;
  return {
    title: `${say('title')} ${COMMON}`,
    slug: say('slug'),
    excerpt: `${say('excerpt')} ${COMMON}`,
    body: `## ${say('heading')}\n\n${say('body')} ${COMMON} ![${say('image')}](/uploads/${picture.path})`,
    categoryId,
    tags: ['Sea', say('term')],
    coverMediaId: picture.id,
    coverAlt: say('coveralt'),
    coverDecorative: '',
    coverFocus: '',
    coverCrop: '',
    template: '',
    seoTitle: say('seo'),
    seoDescription: say('seotext'),
    canonicalUrl: `https://example.org/${say('canonical')}`,
    type: 'post',
    parentId: null,
    language: '',
    translationOf: null,
    sendByEmail: 'yes',
    emailSubject: say('emailsubject'),
    emailPreview: say('emailpreview'),
    authors: [say('guest')],
  };
}

function expectNoCanary(site: CrawledSite): void {
  for (const [path, answer] of site) {
    for (const id of Object.values(ids))
      if (!path.includes(id)) expect(JSON.stringify(answer), path).not.toContain(id);
    if (!path.includes(CANARY)) expect(JSON.stringify(answer).toLowerCase(), path).not.toContain(CANARY);
  }
}

/** The canaries sing where they may: the test would see them. */
async function expectPreviewsShowThem(server: TestServer, paths: string[]): Promise<void> {
  for (const path of paths) {
    const { status, text } = await server.client().get(path);
    expect(status).toBe(200);
    for (const field of ['title', 'body|autosave', 'coveralt', 'term', 'file'])
      expect(text).toMatch(new RegExp(`${CANARY}[a-z]+(?:${field})`));
  }
}
