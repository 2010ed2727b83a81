// A connection that breaks after the server has done what a button asks for: the editor finds out that it is done.
import { beforeEach, expect, it } from 'vitest';
import { confirmPublishing } from '#tests/support/browser-session.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;
let { app, page } = here;
let id: string;
beforeEach(async () => {
  ({ app, page } = here);
  ({ id } = (await openEditor('Words.')).post);
});

const stored = () =>
  app.db.post.findUniqueOrThrow({ where: { id }, select: { status: true, body: true, version: true } });

const panel = () => page.locator('.publish-panel');

/** The server does what the button asks for, and its answer does not arrive. */
async function loseAnswerOf(intent: string): Promise<void> {
  let isLost = false;
  await page.route(`**/posts/${id}`, async (route) => {
    const isSent = route.request().postData()?.includes(`intent=${intent}`);
    if (isLost || !isSent) return route.continue();
    isLost = true;
    await route.fetch();
    await route.fulfill({ status: 502 });
  });
}

async function publish(): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await confirmPublishing(page);
}

/** The page shows the published post, and updates it: it has that version. */
async function updatesIt(): Promise<void> {
  await page.getByRole('heading', { name: 'Published' }).waitFor();
  await page.getByRole('button', { name: 'Back to the text' }).click();
  await panel().waitFor({ state: 'hidden' });
  await goTo('End');
  await page.keyboard.type(' And on.');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await expect.poll(async () => (await stored()).body.endsWith(' And on.')).toBe(true);
  await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
  expect(await page.getByText('have changed this post').count()).toBe(0);
}

it('a publication of a saved text', async () => {
  await loseAnswerOf('publish');
  await publish();
  await updatesIt();
  expect(await stored()).toMatchObject({ status: 'published', version: 3 });
});

it('a publication of a text that no autosave has saved before', async () => {
  await loseAnswerOf('publish');
  await goTo('End');
  await page.keyboard.type(' More.');
  await publish();
  await updatesIt();
  expect(await stored()).toMatchObject({ status: 'published', body: 'Words. More. And on.' });
});

it('a publication after which an autosave has made a copy of unsaved changes', async () => {
  await loseAnswerOf('publish');
  let isDown = true;
  await page.route(`**/posts/${id}/state`, (route) =>
    isDown ? route.fulfill({ status: 502 }) : route.continue(),
  );
  await goTo('End');
  await page.keyboard.type(' More.');
  await publish();
  const copies = () => app.db.revision.count({ where: { postId: id, kind: 'autosave' } });
  await expect.poll(copies, { timeout: 30_000 }).toBe(1);
  isDown = false;
  await updatesIt();
  expect(await stored()).toMatchObject({ status: 'published', body: 'Words. More. And on.' });
  expect(await copies()).toBe(0);
});

it('“Save” on the page that still shows a draft leaves the public text as it is', async () => {
  await loseAnswerOf('publish');
  await page.route(`**/posts/${id}/state`, (route) => route.fulfill({ status: 502 }));
  await publish();
  await page.locator('.save-state', { hasText: /^Offline/ }).waitFor();
  await page.keyboard.press('Escape');
  await panel().waitFor({ state: 'hidden' });
  await goTo('End');
  await page.keyboard.type(' Not for readers.');
  await page.keyboard.press('Control+s');
  await page.locator('.save-state', { hasText: 'not public until you update' }).waitFor();
  expect(await stored()).toMatchObject({ status: 'published', body: 'Words.' });
});
