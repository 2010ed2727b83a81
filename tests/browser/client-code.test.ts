// How quick the editor is in a browser.
import { expect, it } from 'vitest';
import { createTestApp } from '#tests/support/app.ts';
import { openBrowserSession } from '#tests/support/browser-session.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { startServer } from '#tests/support/server.ts';

/** 8 ms in the long form, which has the machine for itself; work that grows with the text takes hundreds. */
const KEY_MS = process.env.NIGHTLY ? 8 : 40;

it('typing in a post of 100 KB costs little for each key', async () => {
  const paragraph = 'A *sentence* of **some** length that [stands](https://example.org/) in a long post.\n\n';
  const body = `## A section\n\n${paragraph.repeat(8)}- one\n- two\n\n`.repeat(150);
  const app = await createTestApp({ now: new Date() });
  const server = await startServer({ env: app.variables });
  const { id: authorId } = await createUser(app, { role: 'administrator' });
  const { id } = await createPost(app, { body, authorId });
  const { page, open, close } = await openBrowserSession(app, server, authorId);
  await open(`posts/${id}`);
  await page.locator('.tools').waitFor();
  const line = page.locator('.cm-line').nth(8);
  await line.click();
  const { times, started } = await page.evaluate(async () => {
    const text = document.querySelector<HTMLElement>('.cm-content')!;
    let started = 0;
    document.addEventListener('animationstart', () => (started += 1));
    const taken: number[] = [];
    for (let key = 0; key < 120; key += 1) {
      const start = performance.now();
      text.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', code: 'KeyX', bubbles: true }));
      document.execCommand('insertText', false, 'x');
      // CodeMirror reads what was typed right after it, and asking for a measure makes the browser lay the page out.
      await Promise.resolve();
      void text.scrollHeight;
      taken.push(performance.now() - start);
      await new Promise((done) => setTimeout(done, 10));
    }
    return { times: taken.sort((a, b) => a - b), started };
  });
  // An animation for each key, such as a caret's that blinks anew, makes every further key dearer.
  expect(started).toBeLessThan(20);
  const blinking = () =>
    page.evaluate(() => document.getAnimations().map((one) => (one as CSSAnimation).animationName));
  await expect.poll(blinking).toContain('md-caret');
  await expect.poll(() => page.locator('[name=body]').inputValue()).toContain('x'.repeat(120));
  // After a pause the text goes into the form's own field, which nobody sees.
  const pause = await page.evaluate(() => {
    const field = document.querySelector<HTMLTextAreaElement>('[name=body]')!;
    const start = performance.now();
    field.value += 'x';
    void document.querySelector('.cm-content')!.scrollHeight;
    return performance.now() - start;
  });
  await close();
  await server.stop();
  await app.close();
  expect(body.length).toBeGreaterThan(100_000);
  const [p25, p50, p90] = [times[30]!, times[60]!, times[108]!];
  process.stdout.write(
    `Typing in 100 KB: median ${p50.toFixed(1)} ms a key, p90 ${p90.toFixed(1)} ms, a pause ${pause.toFixed(1)} ms\n`,
  );
  expect(pause).toBeLessThan(KEY_MS);
  // The lower quartile: what other work of the machine adds is not the page's.
  expect(p25).toBeLessThan(KEY_MS);
});
