// How quick the editor is in a browser.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { openBrowserSession, type BrowserSession } from '#tests/support/browser-session.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

/** 8 ms in the long form, which has the machine for itself; work that grows with the text takes hundreds. */
const KEY_MS = process.env.NIGHTLY ? 8 : 40;

const paragraph = 'A *sentence* of **some** length that [stands](https://example.org/) in a long post.\n\n';
const body = `## A section\n\n${paragraph.repeat(8)}- one\n- two\n\n`.repeat(150);

/** Types 120 letters. In the page: `times` in milliseconds, the shortest first; `started`: animations. */
async function typeLetters(): Promise<{ times: number[]; started: number }> {
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
}

/**
 * Puts the text into the form's own field, which nobody sees, as the editor does after a pause. In the page.
 * @returns the shortest of ten times: one alone may contain other work of the machine
 */
function pauseTyping(): number {
  const field = document.querySelector<HTMLTextAreaElement>('[name=body]')!;
  const times = Array.from({ length: 10 }, () => {
    const start = performance.now();
    field.value += 'x';
    void document.querySelector('.cm-content')!.scrollHeight;
    return performance.now() - start;
  });
  return Math.min(...times);
}

describe('typing in a post of 100 KB', () => {
  let app: TestApp;
  let server: TestServer;
  let session: BrowserSession;
  beforeAll(async () => {
    app = await createTestApp({ now: new Date() });
    server = await startServer({ env: app.variables });
    const { id: authorId } = await createUser(app, { role: 'administrator' });
    const { id } = await createPost(app, { body, authorId });
    session = await openBrowserSession(app, server, authorId);
    await session.open(`posts/${id}`);
    await session.page.locator('.writing[data-live]').waitFor();
  });
  afterAll(async () => {
    await session?.close();
    await server?.stop();
    await app?.close();
  });

  it('costs little for each key and for a pause', async () => {
    const { page } = session;
    await page.locator('.cm-line').nth(8).click();
    const { times, started } = await page.evaluate(typeLetters);
    // An animation for each key, such as a caret's that blinks anew, makes every further key dearer.
    expect(started).toBeLessThan(20);
    const blinking = () =>
      page.evaluate(() => document.getAnimations().map((one) => (one as CSSAnimation).animationName));
    await expect.poll(blinking).toContain('md-caret');
    await expect.poll(() => page.locator('[name=body]').inputValue()).toContain('x'.repeat(120));
    const pause = await page.evaluate(pauseTyping);
    expect(body.length).toBeGreaterThan(100_000);
    const [p25, p50, p90] = [times[30]!, times[60]!, times[108]!];
    process.stdout.write(
      `Typing in 100 KB: median ${p50.toFixed(1)} ms a key, p90 ${p90.toFixed(1)} ms, a pause ${pause.toFixed(1)} ms\n`,
    );
    expect(pause).toBeLessThan(KEY_MS);
    // The lower quartile: what other work of the machine adds is not the page's.
    expect(p25).toBeLessThan(KEY_MS);
  });
});
