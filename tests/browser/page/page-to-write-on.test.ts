// The editor as a page to write on: few controls, one scrollbar, the look of the site.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { fromMenu, pressSave, toggleSettings } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createPost } from '#tests/support/factories.ts';
import { picture } from '#tests/support/images.ts';

const here = useEditorPage();
const { openEditor, goTo, press, type } = here;
let { app, session, page } = here;
beforeEach(() => {
  ({ app, session, page } = here);
});

/** The controls that the window shows. In the page. */
function controlsInView(): string[] {
  const selector = 'a, button, input, textarea, select, summary, [contenteditable=true]';
  return [...document.querySelectorAll<HTMLElement>(selector)]
    .filter((one) => {
      const { width, height, top, bottom } = one.getBoundingClientRect();
      const isSeen = one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      // A skip link and the field behind the live text take a pixel, or stand outside.
      const isInside = width > 4 && height > 4 && bottom > 0 && top < innerHeight;
      return (
        isSeen && isInside && one.getBoundingClientRect().right > 0 && !one.closest('[aria-hidden=true]')
      );
    })
    .map((one) => one.title || one.textContent || one.tagName);
}

/** The elements that scroll vertically, the page itself included. In the page. */
function verticalScrollbars(): string[] {
  return [...document.querySelectorAll<HTMLElement>('*')]
    .filter((one) => {
      if (!one.checkVisibility() || one.scrollHeight <= one.clientHeight + 1) return false;
      const { overflowY } = getComputedStyle(one);
      return one === document.documentElement || overflowY === 'auto' || overflowY === 'scroll';
    })
    .map((one) => one.className || one.tagName);
}

const long = 'A paragraph that is long enough to fill a line or two of the page.\n\n'.repeat(60);

describe.each([
  { width: 1280, height: 900, empty: 9, writing: 11 },
  { width: 390, height: 844, empty: 7, writing: 7 },
])('at $width × $height', ({ width, height, empty, writing }) => {
  beforeEach(() => page.setViewportSize({ width, height }));

  it(`a new post shows at most ${empty} controls, and ${writing} while one writes`, async () => {
    await session.open('posts/new');
    await page.locator('.writing[data-live]').waitFor();
    const shown = await page.evaluate(controlsInView);
    expect(shown.length, shown.join(' | ')).toBeLessThanOrEqual(empty);
    await goTo('End');
    await type('Words of a paragraph.');
    await press('Enter');
    const whileWriting = await page.evaluate(controlsInView);
    expect(whileWriting.length, whileWriting.join(' | ')).toBeLessThanOrEqual(writing);
  });

  it('every screen has at most one vertical scrollbar', async () => {
    await app.db.user.update({ where: { id: here.userId }, data: { role: 'administrator' } });
    const { id } = await createPost(app, { status: 'published', body: long, authorId: here.userId });
    await page.context().clearCookies({ name: 'dateline_view' });
    const screens = [
      '',
      'posts',
      'posts/new',
      `posts/${id}`,
      `posts/${id}/revisions`,
      `posts/${id}/previews`,
    ];
    screens.push(
      `posts/${id}/publish`,
      'calendar',
      'releases',
      'time',
      'media',
      'trash',
      'categories',
      'tags',
    );
    screens.push('users', 'appearance', 'settings/site', 'settings/navigation', 'system', 'audit', 'account');
    for (const screen of screens) {
      await session.open(screen);
      if (/^posts\/(new|[0-9a-f-]{36})$/.test(screen)) await page.locator('.writing[data-live]').waitFor();
      const bars = await page.evaluate(verticalScrollbars);
      expect(bars.length, `${screen}: ${bars.join(' | ')}`).toBeLessThanOrEqual(1);
    }
    await app.db.user.update({ where: { id: here.userId }, data: { role: 'editor' } });
  });
});

/** Typeface, size, leading and width of a text, and the paper under it. */
const lookOf = (page: Page, text: string, title: string) =>
  page.evaluate(
    ([text, title]) => {
      const style = (selector: string) => getComputedStyle(document.querySelector(selector)!);
      const { fontFamily, fontSize, lineHeight, color } = style(text!);
      const { fontFamily: heading, fontSize: headingSize, fontWeight } = style(title!);
      const width = Math.round(document.querySelector(text!)!.getBoundingClientRect().width);
      const paper = style('html').backgroundColor;
      const of = (size: string) => Math.round(Number.parseFloat(size));
      const sizes = { fontSize: of(fontSize), lineHeight: of(lineHeight), headingSize: of(headingSize) };
      return { fontFamily, color, heading, fontWeight, width, paper, ...sizes };
    },
    [text, title],
  );

describe('title and text', () => {
  afterEach(() => changeSettings(app, { preset: 'journal' }));

  it.each(['journal', 'studio'])('look as on the site with the preset %s', async (preset) => {
    await changeSettings(app, { preset });
    await page.setViewportSize({ width: 1280, height: 900 });
    const body = 'A paragraph that is long enough to fill a line or two of the page, and then some more.';
    const post = await createPost(app, { status: 'published', body, authorId: here.userId });
    await session.open(`posts/${post.id}`);
    await page.locator('.writing[data-live]').waitFor();
    const written = await lookOf(page, '.cm-line', '.title-input');
    await page.goto(`/posts/${post.slug}`);
    const read = await lookOf(page, '.prose p', '.article-header h1');
    const { paper: _written, ...inEditor } = written;
    const { paper: _read, ...onSite } = read;
    expect(inEditor).toEqual(onSite);
  });
});

it('the settings open and close, and stay so for the next post, but a new one begins without them', async () => {
  await openEditor('Words.');
  const slug = page.locator('[name=slug]');
  await slug.waitFor();
  await toggleSettings(page);
  await slug.waitFor({ state: 'hidden' });
  await openEditor('Words.');
  expect(await slug.isVisible()).toBe(false);
  await toggleSettings(page);
  await slug.waitFor();
  await session.open('posts/new');
  await page.locator('.writing[data-live]').waitFor();
  expect(await slug.isVisible()).toBe(false);
  await openEditor('Words.');
  expect(await slug.isVisible()).toBe(true);
});

it('an error in a field of the settings opens them, at the field', async () => {
  await openEditor('Words.');
  await page.locator('[name=slug]').fill('///');
  await toggleSettings(page);
  await pressSave(page);
  await page.locator('#field-slug-error').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('slug');
});

it('seven tools come to selected words, by pointer and by keys, and go with the selection', async () => {
  const { value } = await openEditor('One word here.');
  const tools = page.getByRole('toolbar', { name: 'Formatting' });
  await goTo('Home');
  await press('Control+Shift+ArrowRight');
  await tools.waitFor();
  expect(await tools.getByRole('button').count()).toBe(7);
  await tools.getByRole('button', { name: 'Bold' }).click();
  await expect.poll(value).toMatch(/^\*\*One ?\*\*/);
  await press('Alt+F10');
  expect(await page.evaluate(() => document.activeElement!.getAttribute('title'))).toBe('Bold');
  await press('ArrowRight');
  expect(await page.evaluate(() => document.activeElement!.getAttribute('title'))).toBe('Italic');
  await press('Escape', 'End');
  await tools.waitFor({ state: 'detached' });
});

it('the menu behind / is in sight at the first line of a new post', async () => {
  await session.open('posts/new');
  await page.locator('.writing[data-live]').waitFor();
  await goTo('End');
  await type('/');
  const first = page.getByRole('option').first();
  await first.waitFor();
  const { y } = (await first.boundingBox())!;
  expect(y).toBeGreaterThan(0);
});

it('the formatting bar is there for people who want it, also at the next visit', async () => {
  await openEditor('Words.');
  expect(await page.locator('.tools').count()).toBe(0);
  await fromMenu(page, 'Formatting bar');
  await page.locator('.tools').getByRole('button', { name: 'Numbered list' }).waitFor();
  await openEditor('Words.');
  await page.locator('.tools').waitFor();
});

it('people who are no administrators read no commands, and hear who can help', async () => {
  const due = new Date(Date.now() - 2 * 3_600_000);
  const { id } = await createPost(app, { status: 'scheduled', publishedAt: due, authorId: here.userId });
  await session.open('');
  await page.getByText('An administrator can fix this').waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/npm run|cron|trigger/i);
  await app.db.post.delete({ where: { id } });
});

it('a cover is one click above the title of a new post', async () => {
  await session.open('posts/new');
  await page.locator('.writing[data-live]').waitFor();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add a cover' }).click();
  const buffer = await picture({ width: 300, height: 200, seed: 11 });
  await (await choosing).setFiles({ name: 'pier.jpg', mimeType: 'image/jpeg', buffer });
  await page.locator('.page-cover img').waitFor();
  await page.getByLabel('Title', { exact: true }).fill('With a cover');
  await expect
    .poll(() => app.db.post.count({ where: { title: 'With a cover', coverMediaId: { not: null } } }))
    .toBe(1);
});

describe('clicks', () => {
  let clicks = 0;
  const click = (name: string | RegExp, role: 'button' | 'link' | 'radio' = 'button') => {
    clicks += 1;
    return page.getByRole(role, { name }).first().click();
  };
  beforeEach(async () => {
    clicks = 0;
    await page.context().clearCookies({ name: 'dateline_view' });
  });
  const write = async (title: string) => {
    await click('New post', 'link');
    await page.locator('.writing[data-live]').waitFor();
    await type(title);
    await press('Tab');
    await type('Written without another click.');
    await click('Publish…');
  };

  it('the first post takes three', async () => {
    await session.open('');
    await write('In three clicks');
    await click('Publish now');
    await expect
      .poll(() => app.db.post.count({ where: { slug: 'in-three-clicks', status: 'published' } }))
      .toBe(1);
    const { body } = await app.db.post.findFirstOrThrow({ where: { slug: 'in-three-clicks' } });
    expect(body).toBe('Written without another click.');
    expect(clicks).toBe(3);
  });

  it('a scheduled post takes four', async () => {
    await session.open('');
    await write('In four clicks');
    await click(/^Tomorrow/, 'radio');
    await click(/^Schedule for/);
    await expect
      .poll(() => app.db.post.count({ where: { slug: 'in-four-clicks', status: 'scheduled' } }))
      .toBe(1);
    expect(clicks).toBe(4);
  });

  it('a mended typo takes three', async () => {
    const { id } = await createPost(app, {
      title: 'A typo',
      status: 'published',
      body: 'One wrod.',
      authorId: here.userId,
    });
    await session.open('posts');
    await click('A typo', 'link');
    await page.locator('.writing[data-live]').waitFor();
    clicks += 1;
    await page.locator('.cm-line').first().click();
    await press('End', 'Backspace', 'Backspace', 'Backspace', 'Backspace');
    await type('ord.');
    await click('Update');
    await expect
      .poll(async () => (await app.db.post.findUniqueOrThrow({ where: { id } })).body)
      .toBe('One word.');
    expect(clicks).toBe(3);
  });
});

it('Preview is the page of the site with what is in the form, also on a phone and dark, with a link to share', async () => {
  // What Playwright emulates holds in frames too, whatever their colour scheme is.
  await page.emulateMedia({ colorScheme: null });
  const { post } = await openEditor('Stored words.');
  await goTo('End');
  await type(' And new ones.');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  const shown = page.getByRole('dialog', { name: 'Preview' });
  const site = page.frameLocator('.page-preview iframe');
  await site.locator('.article .prose', { hasText: 'Stored words. And new ones.' }).waitFor();
  const ofPage = () =>
    site.locator('body').evaluate((body) => ({
      width: innerWidth,
      isDark: matchMedia('(prefers-color-scheme: dark)').matches,
      paper:
        getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(body).backgroundColor,
    }));
  const wide = await ofPage();
  expect(wide.width).toBeGreaterThan(1_000);
  await shown.getByRole('button', { name: 'Phone' }).click();
  await expect.poll(async () => (await ofPage()).width).toBeLessThan(400);
  await shown.getByRole('button', { name: 'Dark' }).click();
  await expect.poll(async () => (await ofPage()).paper).not.toBe(wide.paper);
  await shown.getByRole('button', { name: 'Share a link' }).click();
  const link = shown.getByRole('textbox', { name: 'Link' });
  await link.waitFor();
  expect(await link.inputValue()).toContain('/preview/');
  expect(await app.db.previewLink.count({ where: { postId: post.id } })).toBe(1);
  await press('Escape');
  await shown.waitFor({ state: 'detached' });
});

it('on a phone no button of the bar is cut or covered, while one writes and in a scheduled post', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { id } = await createPost(app, {
    ...{ status: 'scheduled', publishedAt: new Date(Date.now() + 86_400_000), authorId: here.userId },
  });
  for (const screen of ['posts/new', `posts/${id}`]) {
    await page.context().clearCookies({ name: 'dateline_view' });
    await session.open(screen);
    await page.locator('.writing[data-live]').waitFor();
    await goTo('End');
    await type('Words.');
    for (const button of await page.locator('.editor-bar button:visible, .editor-settings > summary').all()) {
      const isOnTop = await button.evaluate((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const y = (top + bottom) / 2;
        const isWhole = one.scrollWidth <= one.clientWidth + 1;
        return isWhole && [left + 3, right - 3].every((x) => one.contains(document.elementFromPoint(x, y)));
      });
      expect(isOnTop, await button.innerText()).toBe(true);
    }
  }
});
