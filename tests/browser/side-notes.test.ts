import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { browser } from '#tests/support/browser.ts';
import { createUser } from '#tests/support/factories.ts';
import { openSite, type Site } from '#tests/support/site.ts';

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

let site: Site;
beforeAll(async () => {
  site = await openSite();
});

async function publish(title: string, slug: string, body: string): Promise<void> {
  const { id: editorId } = await createUser(site.app);
  await createPost(site.app, { intent: 'publish', editorId, fields: { title, slug, body } });
}

describe('footnotes', () => {
  let page: Page;
  beforeAll(async () => {
    const text = 'The first boat comes in before the light does, and nobody planned it that way. '.repeat(6);
    const notes = [1, 2, 3].map((number) => `[^${number}]: Note ${number} ${'and what it says '.repeat(6)}`);
    const body = `${text}[^1] and[^2]\n\n${text}\n\n${text}\n\n${text}[^3]\n\n${notes.join('\n\n')}`;
    await publish('Notes', 'notes', body);
    page = await (await browser()).newPage();
  });
  afterAll(() => page?.close());

  async function boxesAt(width: number): Promise<{ notes: Box[]; marks: Box[]; text: Box }> {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${site.server.url}/posts/notes`);
    return page.evaluate(() => {
      const boxOf = (element: Element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { left, right, top, bottom };
      };
      const all = (selector: string) => [...document.querySelectorAll(selector)].map(boxOf);
      return { notes: all('.footnotes li'), marks: all('[role=doc-noteref]'), text: all('.prose')[0]! };
    });
  }

  test('side by side are each pressed by their own number', async () => {
    await publish('Two', 'two', 'Text[^1][^2]\n\n[^1]: One\n\n[^2]: Two');
    await page.goto(`${site.server.url}/posts/two`);
    const pressed = await page.evaluate(() =>
      [...document.querySelectorAll('[role=doc-noteref]')].map((mark) => {
        const { left, right, top, bottom } = mark.getBoundingClientRect();
        const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return found?.closest('a')?.textContent;
      }),
    );
    expect(pressed).toEqual(['1', '2']);
  });

  test.each([1280, 1600])('stand beside their lines, one below the other, at %s pixels', async (width) => {
    const { notes, marks, text } = await boxesAt(width);
    expect(notes).toHaveLength(3);
    for (const note of notes) {
      expect(note.left).toBeGreaterThanOrEqual(20);
      expect(note.right).toBeLessThan(text.left);
    }
    expect(Math.abs(notes[0]!.top - marks[0]!.top)).toBeLessThan(20);
    expect(Math.abs(notes[2]!.top - marks[2]!.top)).toBeLessThan(20);
    expect(notes[1]!.top).toBeGreaterThan(notes[0]!.bottom);
  });

  test('stand at the end at 800 pixels', async () => {
    const { notes, marks } = await boxesAt(800);
    expect(notes).toHaveLength(3);
    for (const note of notes) expect(note.top).toBeGreaterThan(marks[2]!.bottom);
  });
});

test('a marked line of code reaches to the end of the longest one', async () => {
  await publish(
    'Code',
    'code',
    `\`\`\`js {1}\nconst tide = 6;\nlog("${'a long line '.repeat(20)}");\n\`\`\``,
  );
  const page = await (await browser()).newPage({ viewport: { width: 390, height: 900 } });
  await page.goto(`${site.server.url}/posts/code`);
  const [line, scrolled, shown] = await page.evaluate(() => {
    const block = document.querySelector('.prose pre')!;
    const { width } = block.querySelector('.hl-line')!.getBoundingClientRect();
    return [width, block.scrollWidth, block.clientWidth] as const;
  });
  expect(scrolled).toBeGreaterThan(2 * shown);
  expect(line).toBeGreaterThan(scrolled - 25);
  await page.close();
});
