// Twenty mails with every construct of docs/markdown.md, as mail programs of a phone and a desktop show them in both
// schemes: nothing sticks out, everything can be read, nothing is loaded but pictures.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { previewMail, sizeOf } from '#app/newsletter/issue-mail.server.ts';
import { renderBody } from '#app/publishing/post-row/body.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { browser } from '#tests/support/browser.ts';
import { mailTexts } from '#tests/support/newsletter/mail-texts.ts';

let app: TestApp;
beforeAll(async () => void (app = await createTestApp()));
afterAll(() => app?.close());

test.each(mailTexts)('$title', async ({ title, body }) => {
  const { html: bodyHtml } = await renderBody(app, body, 'en');
  const post = {
    ...{ title, slug: 'constructs', bodyHtml, language: 'en', excerpt: 'Excerpt.' },
    ...{ cover: null, authors: [], publishedAt: null },
  };
  const mail = previewMail(app.env.siteUrl, await readSettings(app), post, { subject: '', preview: '' });
  expect(sizeOf(mail)).toBeLessThan(102 * 1024);
  expect(mail.html).not.toMatch(/<(script|link|iframe|form|object|video|audio|svg|math)\b|@import|\son\w+=/);
  for (const [, address] of mail.html.matchAll(/\s(?:href|src)="([^"]*)"/g))
    expect(address).toMatch(/^(https?|mailto):/);
  for (const [picture] of mail.html.matchAll(/<img[^>]*>/g)) expect(picture).toContain('alt="');
  expect(mail.text).not.toMatch(/<\/?(p|div|span|a|td)\b/);
  const chromium = await browser();
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [320, 640]) {
      const page = await chromium.newPage({ viewport: { width, height: 600 }, colorScheme });
      await page.route('**/*', (route) => route.abort());
      await page.setContent(mail.html, { waitUntil: 'domcontentloaded' });
      const found = await page.evaluate(problemsOfPage);
      expect(found, `${colorScheme} ${width}`).toEqual([]);
      await page.close();
    }
});

/** What is wider than the window, and texts whose contrast is under 4.5. Runs in the page. */
function problemsOfPage(): string[] {
  const problems: string[] = [];
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) problems.push(`${scrollWidth} pixels wide`);
  const numbersOf = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = numbersOf(color).map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const background = (element: Element | null): string => {
    if (element === null) return 'rgb(255, 255, 255)';
    const color = getComputedStyle(element).backgroundColor;
    return numbersOf(color)[3] === 0 ? background(element.parentElement) : color;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement!;
    const words = texts.currentNode.textContent?.trim() ?? '';
    if (words === '' || element.getClientRects().length === 0) continue;
    const [one, two] = [luminance(getComputedStyle(element).color), luminance(background(element))];
    const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (contrast < 4.5) problems.push(`contrast ${contrast.toFixed(1)}: ${words.slice(0, 40)}`);
  }
  return problems;
}
