// How a reader's browser takes each preset: few requests, few bytes, nothing that moves, nothing from elsewhere.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { examine } from '#tests/support/axe.ts';
import { browser, layoutShift } from '#tests/support/browser.ts';
import { createDemoContent } from '#tests/support/demo-content.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const presets = ['journal', 'gazette', 'studio', 'atelier', 'notebook', 'quiet'];
/** The page, two style sheets, a typeface and its italic, and the pictures of the posts before and after it. */
const REQUESTS = 7;
const BYTES = 90_000;
const letters = ['a', 'b', 'c', 'd', 'e'];
const navigation = `About | /about\n  Team | /team\n${letters.map((name) => `${name} | /${name}`).join('\n')}`;

let app: TestApp;
let server: TestServer;
let textPost: string;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createDemoContent(app);
  await changeSettings(app, {
    navigation,
    footer: 'Read | /archive\n  Tags | /tags\n  Categories | /categories\nImprint | /imprint',
  });
  const { id, slug, bodyHtml } = await app.db.post.findFirstOrThrow({
    where: { status: 'published', coverMediaId: null },
    orderBy: { id: 'asc' },
  });
  const slanted = '<p>A word in <em>italics</em>.</p>';
  await app.db.post.update({ where: { id }, data: { bodyHtml: slanted + bodyHtml } });
  textPost = `/posts/${slug}`;
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

describe.each(presets)('%s', (preset) => {
  beforeAll(async () => {
    await changeSettings(app, { preset });
  });

  it('loads a text post in seven requests and 90 KB, from this site alone, without a script and with hardly a shift', async () => {
    const page = await (await browser()).newPage({ viewport: { width: 390, height: 800 } });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    // Without the pictures of the posts before and after it, which are the site's own.
    const pictures = new Set<string>();
    session.on(
      'Network.responseReceived',
      ({ requestId, type }) => type === 'Image' && pictures.add(requestId),
    );
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!pictures.has(requestId)) bytes += encodedDataLength;
    });
    const requested: string[] = [];
    page.on('request', (request) => {
      // The browser asks for the icon unprompted, and keeps it.
      if (!request.url().endsWith('/favicon.svg')) requested.push(request.url());
    });
    await page.goto(server.url + textPost, { waitUntil: 'networkidle' });
    expect(requested.filter((url) => !url.startsWith(server.url))).toEqual([]);
    expect(requested.length).toBeLessThanOrEqual(REQUESTS);
    expect(bytes).toBeLessThan(BYTES);
    expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0);
    const { sum, moved } = await layoutShift(page);
    expect(sum, moved).toBeLessThan(0.05);
    await page.close();
  });

  it('moves nothing to speak of when its typefaces come after the text is drawn', async () => {
    const page = await (await browser()).newPage({ viewport: { width: 390, height: 800 } });
    const waiting: (() => Promise<void>)[] = [];
    let isDrawn = false;
    await page.route('**/*.woff2', (route) => {
      if (isDrawn) return route.continue();
      waiting.push(() => route.continue());
    });
    await page.goto(server.url + textPost, { waitUntil: 'domcontentloaded' });
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    isDrawn = true;
    for (const bring of waiting) await bring();
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const { sum, moved } = await layoutShift(page);
    expect(sum, moved).toBeLessThan(0.05);
    await page.close();
  });

  it('has its long menu behind a button on a phone, in a row on a desktop, without a script', async () => {
    const size = { width: 360, height: 800 };
    const page = await (await browser()).newPage({ viewport: size, javaScriptEnabled: false });
    await page.goto(server.url);
    const menu = page.getByRole('navigation', { name: 'Main' });
    expect(await menu.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await menu.locator('summary').click();
    expect(await menu.getByRole('link').allTextContents()).toEqual(['About', 'Team', ...letters]);
    expect(await menu.getByRole('link', { name: 'Team' }).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => menu.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await menu.isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false);
    await page.close();
  });

  it('is not wider than a phone whose text is twice as large', async () => {
    // The same as text of twice the size in a window of 360 pixels.
    const page = await (await browser()).newPage({ viewport: { width: 180, height: 390 } });
    await page.goto(server.url);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(180);
    await page.close();
  });

  describe.each(['en', 'ar'])('with a header that stays, on a phone, in %s', (site_language) => {
    let page: Page;
    let site_title: string;
    beforeAll(async () => {
      ({ site_title } = await readSettings(app));
      await changeSettings(app, {
        ...{ site_language, site_title: 'Letters from a lighthouse' },
        ...{ header_place: 'sticky', header_button: 'Subscribe | /rss.xml' },
        navigation: 'About | /about\nArchive | /archive',
      });
      page = await (await browser()).newPage({ viewport: { width: 390, height: 800 } });
      await page.goto(server.url);
      await page.evaluate(() => window.scrollTo(0, 500));
    });
    afterAll(async () => {
      await page.close();
      const before = { site_language: 'en', site_title, header_place: '', header_button: '' };
      await changeSettings(app, { ...before, navigation });
    });

    it('keeps it in one row', async () => {
      expect((await page.locator('.site-header').boundingBox())!.y).toBe(0);
      const middles = await page.locator('.site-header > :not(.site-nav)').evaluateAll((all) =>
        all.map((each) => {
          const { top, bottom } = each.getBoundingClientRect();
          return (top + bottom) / 2;
        }),
      );
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3);
    });

    it('has its search in sight, and the menu beside it again for somebody who leaves the field', async () => {
      await page.locator('.search-compact input').focus();
      const field = (await page.locator('.search-compact input').boundingBox())!;
      expect(field.x).toBeGreaterThanOrEqual(0);
      expect(field.x + field.width).toBeLessThanOrEqual(390);
      await page.locator('.search-compact input').blur();
      await page.locator('.menu-button').click();
      expect(await page.locator('.site-nav a').first().isVisible()).toBe(true);
    });

    if (site_language === 'ar')
      it('spaces no letters, which are joined', async () => {
        const spacings = await page
          .locator('.site-title, .site-nav a, h1, h2, h3')
          .evaluateAll((all) => all.map((each) => getComputedStyle(each).letterSpacing));
        expect(spacings.filter((each) => parseFloat(each) !== 0 && each !== 'normal')).toEqual([]);
      });
  });

  it('has no finding of axe in either scheme, and fits a phone', async () => {
    const page = await (await browser()).newPage({ viewport: { width: 360, height: 800 } });
    for (const path of ['/', textPost]) {
      await page.goto(server.url + path);
      expect(await examine(page, path)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await examine(page, `${path}, dark`, { colours: true })).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
    }
    await page.close();
  });
});

describe('a page with one of each embed, and films and sounds from elsewhere', () => {
  const frames = [
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1',
    'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1',
    'https://codepen.io/team/embed/PNaGbb?default-tab=result',
    'https://www.openstreetmap.org/export/embed.html?layer=mapnik',
    null,
  ];
  beforeAll(async () => {
    const urls = frames.map((_, index) => `https://youtu.be/film-${index}00`);
    for (const [index, frame] of frames.entries()) {
      const details = { provider: 'P', title: `Film ${index}`, author: 'A', text: 'Words', frame };
      const row = { url: urls[index]!, details: JSON.stringify(details), fetchedAt: app.clock.now() };
      await app.db.embed.create({ data: row });
    }
    const players = [
      '![A film](https://film.example/a.mp4 "Waves")',
      '![A sound](//sound.example/a.mp3)',
      '<video poster="https://picture.example/p.jpg" preload="auto"><source src="https://film.example/b.webm"><track src="https://film.example/c.vtt" kind="captions" default></video>',
      '<audio><source src="https://sound.example/b.ogg"></audio>',
      `<video poster="https://picture.example/q.jpg" src="${server.url}/uploads/none.mp4"></video>`,
    ];
    const fields = { title: 'Embeds', body: [...players, ...urls].join('\n\n') };
    await createPost(app, { intent: 'publish', fields, editorId: null });
  });

  /** `elsewhere`: what the page requests from other sites. */
  async function openEmbeds(options: BrowserContextOptions = {}) {
    const page = await (await browser()).newPage(options);
    const elsewhere: string[] = [];
    await page.route(
      (url) => !url.href.startsWith(server.url),
      (route) => {
        elsewhere.push(route.request().url());
        return route.fulfill({ contentType: 'text/html', body: '<title>Film</title>' });
      },
    );
    const answer = await page.goto(`${server.url}/posts/embeds`, { waitUntil: 'networkidle' });
    return { page, elsewhere, answer: answer! };
  }

  it('asks nobody else without scripts, where a link leads to each frame', async () => {
    // Without scripts a browser ignores `loading="lazy"`.
    const { page, elsewhere } = await openEmbeds({ javaScriptEnabled: false });
    expect(await page.locator('.embed').count()).toBe(5);
    await page.locator('.embed summary').first().click();
    const link = page.getByRole('link', { name: 'Film 0' }).first();
    expect([await link.isVisible(), await link.getAttribute('href')]).toEqual([true, frames[0]]);
    expect(elsewhere).toEqual([]);
    await page.close();
  });

  it('allows the frames of these providers in its policy, as no other page does', async () => {
    const { page, answer } = await openEmbeds();
    expect((await answer.allHeaders())['content-security-policy']).toContain(
      'frame-src https://www.youtube-nocookie.com https://player.vimeo.com https://codepen.io https://www.openstreetmap.org',
    );
    const other = await page.request.get(server.url + textPost);
    expect(other.headers()['content-security-policy']).not.toContain('frame-src');
    await page.close();
  });

  it('asks nobody else before a reader opens one, and then only where that one is', async () => {
    const { page, elsewhere } = await openEmbeds();
    await page.locator('.embed summary').last().scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('.embed').count()).toBe(5);
    expect(await page.locator('article :is(video, audio)').count()).toBe(5);
    expect(elsewhere).toEqual([]);
    expect(await examine(page, '/posts/embeds')).toEqual([]);
    await page.locator('.embed summary').first().click();
    await expect.poll(() => elsewhere).toEqual([frames[0]]);
    const sound = page.locator('audio').last();
    await sound.evaluate((audio: HTMLAudioElement) => void audio.play().catch(() => undefined));
    await expect.poll(() => elsewhere).toEqual([frames[0], 'https://sound.example/b.ogg']);
    await page.close();
  });
});
