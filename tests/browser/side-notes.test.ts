import { expect, test } from 'vitest';
import { createPost } from '#app/publishing/save-post.server.ts';
import { createTestApp } from '#tests/support/app.ts';
import { browser } from '#tests/support/browser.ts';
import { createUser } from '#tests/support/factories.ts';
import { startServer } from '#tests/support/server.ts';

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

test('footnotes stand beside their lines on wide screens, one below the other, and at the end on narrow ones', async () => {
  const app = await createTestApp({ now: new Date() });
  const server = await startServer({ env: app.variables });
  const { id: editorId } = await createUser(app);
  const text = 'The first boat comes in before the light does, and nobody planned it that way. '.repeat(6);
  const notes = [1, 2, 3].map((number) => `[^${number}]: Note ${number} ${'and what it says '.repeat(6)}`);
  const body = `${text}[^1] and[^2]\n\n${text}\n\n${text}\n\n${text}[^3]\n\n${notes.join('\n\n')}`;
  await createPost(app, { intent: 'publish', editorId, fields: { title: 'Notes', slug: 'notes', body } });
  const page = await (await browser()).newPage();
  const boxesAt = async (width: number): Promise<{ notes: Box[]; marks: Box[]; text: Box }> => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${server.url}/posts/notes`);
    return page.evaluate(() => {
      const boxOf = (element: Element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { left, right, top, bottom };
      };
      const all = (selector: string) => [...document.querySelectorAll(selector)].map(boxOf);
      return { notes: all('.footnotes li'), marks: all('[role=doc-noteref]'), text: all('.prose')[0]! };
    });
  };
  for (const width of [1280, 1600]) {
    const wide = await boxesAt(width);
    expect(wide.notes).toHaveLength(3);
    for (const note of wide.notes) {
      expect(note.left).toBeGreaterThanOrEqual(20);
      expect(note.right).toBeLessThan(wide.text.left);
    }
    expect(Math.abs(wide.notes[0]!.top - wide.marks[0]!.top)).toBeLessThan(20);
    expect(Math.abs(wide.notes[2]!.top - wide.marks[2]!.top)).toBeLessThan(20);
    expect(wide.notes[1]!.top).toBeGreaterThan(wide.notes[0]!.bottom);
  }
  const narrow = await boxesAt(800);
  for (const note of narrow.notes) expect(note.top).toBeGreaterThan(narrow.marks[2]!.bottom);
  await page.close();
  await server.stop();
  await app.close();
});

test('a marked line of code reaches to the end of the longest one', async () => {
  const app = await createTestApp({ now: new Date() });
  const server = await startServer({ env: app.variables });
  const { id: editorId } = await createUser(app);
  const body = `\`\`\`js {1}\nconst tide = 6;\nlog("${'a long line '.repeat(20)}");\n\`\`\``;
  await createPost(app, { intent: 'publish', editorId, fields: { title: 'Code', slug: 'code', body } });
  const page = await (await browser()).newPage({ viewport: { width: 390, height: 900 } });
  await page.goto(`${server.url}/posts/code`);
  const [line, scrolled, shown] = await page.evaluate(() => {
    const block = document.querySelector('.prose pre')!;
    const { width } = block.querySelector('.hl-line')!.getBoundingClientRect();
    return [width, block.scrollWidth, block.clientWidth] as const;
  });
  expect(scrolled).toBeGreaterThan(2 * shown);
  expect(line).toBeGreaterThan(scrolled - 25);
  await page.close();
  await server.stop();
  await app.close();
});
