// What JavaScript adds to the editor and the calendar.
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import {
  type BrowserSession,
  confirmPublishing,
  fromMenu,
  openBrowserSession,
} from '#tests/support/browser-session.ts';
import { createCategory, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let userId: string;
let session: BrowserSession;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  userId = (await createUser(app, { role: 'editor' })).id;
  await createTag(app, { name: 'Lighthouses', slug: 'lighthouses' });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});
beforeEach(async () => {
  session = await openBrowserSession(app, server, userId);
});
afterEach(async () => {
  const { troubles } = session;
  await session.close();
  expect(troubles).toEqual([]);
});

async function openEditor(body = '') {
  const post = await createPost(app, { body, authorId: userId });
  await session.open(`posts/${post.id}`);
  await session.page.locator('.writing[data-live]').waitFor();
  const text = session.page.locator('[name=body]');
  return { post, text, value: () => text.inputValue() };
}

it('shows a call-out and struck out words in the live preview as the page does', async () => {
  await openEditor('> [!NOTE]\n> High tide is ~~at five~~ at six.');
  await fromMenu(session.page, 'Live preview');
  const preview = session.page.locator('.live-preview');
  const style = (selector: string, name: 'borderInlineStartWidth' | 'backgroundColor') =>
    preview.locator(selector).evaluate((each, name) => getComputedStyle(each)[name], name);
  await preview.locator('.callout').waitFor();
  expect(await style('.callout', 'borderInlineStartWidth')).toBe('4px');
  expect(await style('.callout :is(s, del)', 'backgroundColor')).toBe('rgba(0, 0, 0, 0)');
});

it('shows what the server makes of the text, without the scripts in it, and its length', async () => {
  const { text } = await openEditor('A *first* line.');
  const { page } = session;
  await fromMenu(page, 'Live preview');
  await page.locator('.live-preview em', { hasText: 'first' }).waitFor();
  await text.fill('A **second** line <script>alert(1)</script> of text.');
  await page.locator('.live-preview strong', { hasText: 'second' }).waitFor();
  expect(await page.locator('.live-preview script').count()).toBe(0);
  await page.getByText(/\d+ words, \d+ characters, 1 min read/).waitFor();
});

it('shows the keys after a question mark, which is a character in the text', async () => {
  await openEditor('A line.');
  const { page } = session;
  await page.getByRole('button', { name: 'More', exact: true }).focus();
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.cm-content').press('Control+End');
  await page.keyboard.type('?');
  await page.getByRole('heading', { name: 'Keyboard' }).waitFor({ state: 'hidden' });
});

it('gives title and text the language of the post, in which the spell check reads them', async () => {
  await openEditor('A line.');
  const { page } = session;
  await page.getByRole('heading', { name: 'Authors and language' }).click();
  await page.locator('[name=language]').fill('de-CH');
  for (const part of ['.cm-content', '[name=title]'])
    await expect.poll(() => page.locator(part).getAttribute('lang')).toBe('de-CH');
});

it('shows how the post is found and shared, counts what is typed for that, and offers the tags', async () => {
  await openEditor('A line.');
  const { page } = session;
  await page.getByRole('heading', { name: 'Search and social' }).click();
  await page.locator('[name=seoTitle]').fill('Found by this title');
  // The counters count what is typed; the placeholder of an empty field is not counted.
  await page.getByText(/^19 of about 60 characters/).waitFor();
  await page.getByText(/^0 of about 160 characters/).waitFor();
  await page.locator('[name=seoDescription]').fill('Sea 🌊');
  await page.getByText(/^5 of about 160 characters/).waitFor();
  const look = page.locator('.look');
  await look.locator('.look-search .look-title', { hasText: 'Found by this title' }).waitFor();
  await look.locator('.look-card .look-title', { hasText: 'Found by this title' }).waitFor();
  await look.getByText('Sea 🌊').first().waitFor();
  // Without a cover, the picture that shared links show is drawn.
  const card = look.locator('.look-card img');
  await expect.poll(() => card.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1200);
  expect(await page.locator('#known-tags option[value=Lighthouses]').count()).toBe(1);
});

/** How many pixels apart text and preview show paragraph 20. In the page. */
function distanceOfParagraph20(): number {
  const topOf = (selector: string) => {
    const line = [...document.querySelectorAll(selector)].find((one) =>
      one.textContent.includes('number 20 '),
    );
    return line ? line.getBoundingClientRect().top : NaN;
  };
  return Math.abs(topOf('.cm-line') - topOf('.live-preview p'));
}

/** Scrolls the preview until the paragraph is `more` pixels above its top. In the page. */
function scrollPreviewTo(paragraph: Element, more: number): void {
  const pane = paragraph.closest('.live-preview')!;
  pane.scrollTop += paragraph.getBoundingClientRect().top - pane.getBoundingClientRect().top + more;
}

it('text and preview scroll together, paragraph by paragraph, also where one of them is much longer', async () => {
  const links = '[ref]: https://example.org/\n'.repeat(60);
  const lines = Array.from({ length: 60 }, (_, index) => `Paragraph number ${index} of the text.\n\n`);
  await openEditor(`${lines.slice(0, 30).join('')}${links}\n${lines.slice(30).join('')}`);
  const { page } = session;
  await fromMenu(page, 'Live preview');
  const rendered = page.locator('.live-preview p', { hasText: 'number 20 ' });
  await rendered.waitFor();
  // A scroll that comes before the page listens to it is lost; the next one counts.
  let turn = 0;
  const scrollPreview = async () => {
    turn = 1 - turn;
    await rendered.evaluate(scrollPreviewTo, turn);
    return page.evaluate(distanceOfParagraph20);
  };
  await expect.poll(scrollPreview).toBeLessThan(60);
  const scrollText = async (pixels: number) => {
    await page.evaluate((by) => window.scrollBy(0, -by), pixels);
    return page.evaluate(distanceOfParagraph20);
  };
  await scrollText(200);
  await expect.poll(() => scrollText(1)).toBeLessThan(60);
});

it('moves a scheduled post by dragging it to another day, and by a form', async () => {
  const inFiveDays = new Date(Date.now() + 5 * 86_400_000);
  const month = inFiveDays.toISOString().slice(0, 7);
  const post = await createPost(app, { status: 'scheduled', publishedAt: inFiveDays, authorId: userId });
  const dayOf = async () =>
    (await app.db.post.findUniqueOrThrow({ where: { id: post.id } })).publishedAt!.toISOString().slice(0, 10);
  const { page } = session;
  // The whole month fits: a page that scrolls while something is dragged drops it.
  await page.setViewportSize({ width: 1280, height: 1_100 });
  await session.open(`calendar?month=${month}`);
  const entry = page.locator('[data-movable]', { hasText: post.title });
  await page.waitForFunction(() => document.querySelector<HTMLElement>('[data-movable]')?.draggable);
  const target = new Date(inFiveDays.getTime() + 86_400_000).toISOString().slice(0, 10);
  await entry.dragTo(page.locator(`[data-day="${target}"]`));
  await expect.poll(dayOf, { timeout: 30_000 }).toBe(target);
  await page.locator('[data-movable] summary').click();
  const later = new Date(inFiveDays.getTime() + 3 * 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('New time').fill(later);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await expect.poll(dayOf, { timeout: 30_000 }).toBe(later.slice(0, 10));
});

describe('the publish panel', () => {
  let panel: Locator;
  async function openPanel(body = 'About Lighthouses.') {
    const { post } = await openEditor(body);
    const { page } = session;
    panel = page.locator('.publish-panel');
    const open = () => page.getByRole('button', { name: 'Publish…', exact: true }).click();
    await open();
    await panel.getByText('More', { exact: true }).click();
    const category = () => page.locator('#field-categoryId option:checked').textContent();
    return { post, page, open, category };
  }
  /** A click on what stands below the checks goes astray when they arrive at the same moment. */
  const awaitChecks = () => panel.locator('[data-check]').first().waitFor();
  async function addCategory(name: string): Promise<void> {
    await panel.getByRole('button', { name: 'New category' }).click();
    await panel.getByLabel('Name of the new category').fill(name);
    await panel.getByRole('button', { name: 'Create category' }).click();
  }

  it('says what is missing, until it is there', async () => {
    await openPanel('About Lighthouses.\n\n![](/uploads/none.jpg)');
    const checks = () =>
      panel
        .locator('[data-check]')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.check));
    await expect.poll(checks).toEqual(['alt', 'excerpt', 'links']);
    await panel.getByLabel('Excerpt').fill('What stands at the coast.');
    await expect.poll(checks).toEqual(['alt', 'links']);
    await panel.locator('.look-search', { hasText: 'What stands at the coast.' }).waitFor();
  });

  it('leads from what is missing to its field, or to its place in the text', async () => {
    const { page } = await openPanel('About Lighthouses.\n\n![](/uploads/none.jpg)');
    await panel.locator('[data-check=excerpt] button').click();
    const focusedName = () => page.evaluate(() => document.activeElement!.getAttribute('name'));
    expect(await focusedName()).toBe('excerpt');
    await panel.locator('[data-check=alt] button').click();
    await panel.waitFor({ state: 'detached' });
    await page.keyboard.type('A ');
    await expect
      .poll(() => page.locator('[name=body]').inputValue())
      .toContain('A \n\n![](/uploads/none.jpg)');
  });

  it('offers a category that was created in another tab since the page was opened, and creates one', async () => {
    const { open, category } = await openPanel();
    await awaitChecks();
    await createCategory(app, { name: 'Harbour' });
    await panel.getByRole('button', { name: 'Cancel' }).click();
    await open();
    await panel.getByText('More', { exact: true }).click();
    await panel.getByLabel('Category', { exact: true }).selectOption({ label: 'Harbour' });
    await expect.poll(category).toBe('Harbour');
    await addCategory('Quay');
    await expect.poll(category).toBe('Quay');
  });

  it('offers a tag that the text names, and takes any other that is typed', async () => {
    const { page } = await openPanel();
    await awaitChecks();
    await panel.getByRole('button', { name: '+ Lighthouses' }).click();
    await panel.getByLabel('Tags').fill('Fog');
    await panel.getByLabel('Tags').press('Enter');
    const tags = () => page.locator('#field-tags').inputValue();
    await expect.poll(tags).toBe('Lighthouses, Fog');
    await panel.getByRole('button', { name: 'Remove the tag Fog' }).click();
    await expect.poll(tags).toBe('Lighthouses');
  });

  it('offers the link to the site although the check has not answered', async () => {
    await session.page.route('**/publish-check*', () => {});
    const { post, page } = await openPanel();
    await confirmPublishing(page);
    await panel.getByRole('heading', { name: 'Published' }).waitFor();
    const link = await panel.getByLabel('Link to the post').inputValue();
    expect(link).toBe(`${app.env.siteUrl}/posts/${post.slug}`);
  });

  it('schedules the post for a time of one’s own, with what was chosen, and says what comes next', async () => {
    const { post, category } = await openPanel();
    await awaitChecks();
    await panel.getByLabel('Excerpt').fill('What stands at the coast.');
    await addCategory('Coast');
    await expect.poll(category).toBe('Coast');
    await panel.getByRole('button', { name: '+ Lighthouses' }).click();
    const year = new Date().getUTCFullYear() + 1;
    await panel.getByLabel('Custom time').check();
    await panel.getByLabel('Publication time').fill(`${year}-03-04T09:30`);
    await panel.getByRole('button', { name: new RegExp(`^Schedule for .*Mar 4, ${year}, 9:30 AM$`) }).click();
    await panel.getByRole('heading', { name: 'Scheduled' }).waitFor();
    await panel.getByRole('link', { name: 'Schedule the next draft' }).waitFor();
    const link = await panel.getByLabel('Link to the post').inputValue();
    expect(link).toBe(`${app.env.siteUrl}/posts/${post.slug}`);
    const include = { category: true, tags: { include: { tag: true } } };
    const saved = await app.db.post.findUniqueOrThrow({ where: { id: post.id }, include });
    expect(saved).toMatchObject({
      ...{ status: 'scheduled', excerpt: 'What stands at the coast.' },
      publishedAt: new Date(`${year}-03-04T09:30Z`),
      category: { name: 'Coast' },
    });
    expect(saved.tags.map(({ tag }) => tag.name)).toEqual(['Lighthouses']);
  });
});
