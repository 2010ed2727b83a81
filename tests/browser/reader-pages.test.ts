// Readers' pages in a browser: the copy button of code, the menu on a phone, and paper.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { openBrowserSession, type BrowserSession } from '#tests/support/browser-session.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const line = 'const station = readTide(the.northern.pier, { from, until });';
const code = `\`\`\`\n${line}\n\`\`\`\n\nWords.\n\n\`\`\`js {1}\n${line}\n\`\`\``;
const fence = `\`\`\`\n${line}\n\`\`\``;
const within = (mark: string, rest: string) =>
  ['Words.', '', ...fence.split('\n'), '', 'Words.'].map((text, at) => (at === 0 ? mark : rest) + text);
/** Code at the beginning of a text, below a heading, beside other code, and within other blocks. */
const everywhere = [
  fence,
  `## A heading\n\n${fence}\n\n${fence}`,
  within('- ', '  ').join('\n'),
  within('> ', '> ').join('\n'),
  ['> [!NOTE]', ...within('> ', '> ')].join('\n'),
  `\`\`\`js title="tide.js"\n${line}\n\`\`\``,
  'The end.',
].join('\n\n');
const columns = 14;
const row = (cell: string) => `|${` ${cell} |`.repeat(columns)}`;
const table = [row('Northern'), row('---'), row('pierside')].join('\n');
const navigation = 'One | /a\nTwo | /b\nThree | /c\nFour of them | /d\n  A page below the last | /e';
const folded = '<details><summary>More</summary>\n\nFolded words.\n\n</details>';

let app: TestApp;
let server: TestServer;
let session: BrowserSession;
let page: Page;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await changeSettings(app, {
    copy_button: 'on',
    // Its typefaces are the system's, so that nothing waits for files.
    preset: 'quiet',
    navigation,
  });
  for (const language of ['en', 'ar']) {
    const body = `Words.\n\n${code}\n\n${table}\n\n${folded}\n\nThe end.`;
    const fields = { title: language, slug: language, language, body };
    await createPost(app, { intent: 'publish', editorId: null, fields });
  }
  const everyPlace = { title: 'Everywhere', slug: 'everywhere', body: everywhere };
  await createPost(app, { intent: 'publish', editorId: null, fields: everyPlace });
  const authors = ['Ada Lindqvist', 'Samuel Okoro', 'A Guest With A Name', 'Another One With A Name'];
  const fields = { title: 'Many', slug: 'many', body: 'Words.', authors };
  const { id: postId } = await createPost(app, { intent: 'publish', editorId: null, fields });
  const at = { createdAt: new Date(), writtenAt: new Date() };
  const comment = { id: 'a', postId, position: 0, name: 'Sam', text: line, html: `<pre>${line}</pre>` };
  await app.db.comment.create({ data: { ...comment, ...at } });
  server = await startServer({ env: app.variables });
  session = await openBrowserSession(app, server, null);
  page = session.page;
});
afterAll(async () => {
  await session?.close();
  await server?.stop();
  await app?.close();
});

afterEach(() => page.emulateMedia({ media: null }));

/** Opens a post, and waits for its script. */
async function openPost(slug: string, width: number) {
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`/posts/${slug}`);
  await page.locator('.copy-code').first().waitFor();
}

describe('the copy button of a code block', () => {
  /** The places of all blocks of a post's text. */
  const placesOf = (of: Page) =>
    of.locator('.prose :is(p, pre, h2, figcaption)').evaluateAll((blocks) =>
      blocks.map((block) => {
        const { x, y, width, height } = block.getBoundingClientRect();
        // Where what scrolls is longer, a scroll bar may come.
        return [x, y, width, height, block.scrollWidth];
      }),
    );

  it.each([
    ['en', 390],
    ['en', 1280],
    ['everywhere', 390],
    ['everywhere', 1280],
  ])('moves nothing in “%s” in a window of %d pixels', async (slug, width) => {
    const viewport = { width, height: 800 };
    const plain = await openBrowserSession(app, server, null, { viewport, javaScriptEnabled: false });
    await plain.page.goto(`/posts/${slug}`);
    const places = await placesOf(plain.page);
    await plain.close();
    await openPost(slug, width);
    const moved = (await placesOf(page)).flatMap((place, block) =>
      place.map((value, side) => Math.abs(value - places[block]![side]!)),
    );
    expect(Math.max(...moved)).toBeLessThan(1);
  });

  it.each(['en', 'ar'])('%s: covers no sign that cannot be scrolled out from below it', async (language) => {
    await openPost(language, 390);
    const boxes = await page.locator('.code-box').evaluateAll((all) =>
      all.map((box) => {
        const pre = box.querySelector('pre')!;
        const button = box.querySelector('button')!.getBoundingClientRect();
        const words = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
        const texts: Text[] = [];
        while (words.nextNode())
          if (words.currentNode.textContent!.trim()) texts.push(words.currentNode as Text);
        const placeOf = (text: Text, at: number) => {
          const range = document.createRange();
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          return range.getBoundingClientRect();
        };
        const begins = placeOf(texts[0]!, 0).left;
        pre.scrollLeft = pre.scrollWidth;
        const last = texts.at(-1)!;
        const ends = placeOf(last, last.data.trimEnd().length - 1).right;
        return { beginsBefore: begins < button.left, endsBefore: ends <= button.left };
      }),
    );
    const free = { beginsBefore: true, endsBefore: true };
    expect(boxes).toEqual([free, free]);
  });
});

describe('on a phone', () => {
  it('every line of the authors’ names begins below the title', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/posts/many');
    const { title, lines } = await page.locator('.article-header').evaluate((header) => {
      const range = document.createRange();
      range.selectNodeContents(header.querySelector('.authors')!);
      return {
        title: header.querySelector('h1')!.getBoundingClientRect().left,
        lines: [...range.getClientRects()].map(({ left }) => left),
      };
    });
    expect(Math.min(...lines)).toBeGreaterThanOrEqual(title - 1);
  });

  it('code in a comment does not make the page wider', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/posts/many');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

it('what is below the last entry of a short menu opens within the window of a phone', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/');
  await page.locator('.submenu summary').click();
  const box = (await page.getByRole('link', { name: 'A page below the last' }).boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(390);
});

it.each(['left', 'right'])(
  'what is below an entry at the %s end of a row opens within the window of a tablet',
  async (end) => {
    const entries = [
      'First',
      'Neighbourhoods',
      'Recommendations',
      'Correspondence',
      'Announcements',
      'Photographs',
    ];
    const below = '  A page with a name of some length | /e';
    const menu = entries.map((entry, at) =>
      at === (end === 'left' ? 0 : 4) ? `${entry} | /a\n${below}` : `${entry} | /a`,
    );
    await changeSettings(app, { navigation: menu.join('\n') });
    await page.setViewportSize({ width: 768, height: 1024 });
    await page.goto('/');
    await page.locator('.submenu summary').click();
    const box = (await page.getByRole('link', { name: 'A page with a name' }).boundingBox())!;
    await changeSettings(app, { navigation });
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(768);
  },
);

it('paper shows a wide table and long lines of code whole, folded words, and no button', async () => {
  await openPost('en', 700);
  await page.emulateMedia({ media: 'print' });
  const [text, cells] = await Promise.all([
    page.locator('.prose').boundingBox(),
    page.locator('.prose table').boundingBox(),
  ]);
  expect(cells!.x + cells!.width).toBeLessThanOrEqual(text!.x + text!.width + 1);
  expect(await page.locator('.copy-code').first().isVisible()).toBe(false);
  // Narrower than the lines of code, marked ones too.
  await page.setViewportSize({ width: 420, height: 800 });
  const code = (await page.locator('.prose pre code').last().boundingBox())!;
  expect(code.x + code.width).toBeLessThanOrEqual(420);
  expect((await page.getByText('Folded words.').boundingBox())!.height).toBeGreaterThan(0);
});
