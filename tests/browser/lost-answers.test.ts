// A connection that breaks after a button was pressed: the editor finds out what the server has done of it.
import { beforeEach, expect, it } from 'vitest';
import { testAtNight } from '#tests/support/at-night.ts';
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

/** The server does what the button asks for, and its answer does not arrive. With `arrives: false`, neither does the press. */
async function loseAnswerOf(intent: string, { arrives = true } = {}): Promise<void> {
  let isLost = false;
  await page.route(`**/posts/${id}`, async (route) => {
    const isSent = route.request().postData()?.includes(`intent=${intent}`);
    if (isLost || !isSent) return route.fallback();
    isLost = true;
    if (arrives) await route.fetch();
    await route.fulfill({ status: 502 });
  });
}

const notDone = (button: string) =>
  page.getByText(`The post wasn’t changed (${button}). Press the button again.`);
const saved = () => page.locator('.save-state', { hasText: /^Saved/ });

async function publish(): Promise<void> {
  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
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
  expect(await page.getByText('changed this post').count()).toBe(0);
}

it('a publication of a saved text', async () => {
  await loseAnswerOf('publish');
  await publish();
  await updatesIt();
  expect(await stored()).toMatchObject({ status: 'published', version: 3 });
});

testAtNight('a publication of a text that no autosave has saved before', async () => {
  await loseAnswerOf('publish');
  await goTo('End');
  await page.keyboard.type(' More.');
  await publish();
  await updatesIt();
  expect(await stored()).toMatchObject({ status: 'published', body: 'Words. More. And on.' });
});

testAtNight('a publication after which an autosave has made a copy of unsaved changes', async () => {
  await loseAnswerOf('publish');
  let isDown = true;
  await page.route(`**/posts/${id}/state*`, (route) =>
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
  await page.route(`**/posts/${id}/state*`, (route) => route.fulfill({ status: 502 }));
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

testAtNight(
  'a publication that did not arrive is named until the button is pressed again, also after the text was saved',
  async () => {
    await loseAnswerOf('publish', { arrives: false });
    await goTo('End');
    await page.keyboard.type(' More.');
    await publish();
    await expect.poll(async () => (await stored()).body).toBe('Words. More.');
    await notDone('publish').first().waitFor();
    await saved().waitFor();
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'hidden' });
    await goTo('End');
    await page.keyboard.type(' And more.');
    await expect.poll(async () => (await stored()).body).toBe('Words. More. And more.');
    await page.keyboard.press('Control+s');
    await saved().waitFor();
    expect(await notDone('publish').count()).toBe(1);
    expect(await stored()).toMatchObject({ status: 'draft' });
    await publish();
    await updatesIt();
    expect(await notDone('publish').count()).toBe(0);
  },
);

it('a publication right after an autosave whose answer got lost', async () => {
  await loseAnswerOf('autosave');
  await goTo('End');
  await page.keyboard.type(' More.');
  await page.locator('.save-state', { hasText: /^Offline/ }).waitFor();
  expect(await stored()).toMatchObject({ status: 'draft', body: 'Words. More.', version: 2 });
  await publish();
  await updatesIt();
  expect(await stored()).toMatchObject({ status: 'published', body: 'Words. More. And on.', version: 4 });
});

testAtNight(
  'a publication that did not arrive, before an autosave of the same text whose answer got lost',
  async () => {
    await loseAnswerOf('publish', { arrives: false });
    await loseAnswerOf('autosave');
    await goTo('End');
    await page.keyboard.type(' More.');
    await publish();
    await expect.poll(async () => (await stored()).body).toBe('Words. More.');
    await saved().waitFor();
    await notDone('publish').first().waitFor();
    expect((await stored()).status).toBe('draft');
  },
);

testAtNight('a scheduled update, and that it was dropped', async () => {
  await publishAndReload();
  await loseAnswerOf('prepare');
  await goTo('End');
  await page.keyboard.type(' Next year.');
  await page.getByText('Schedule an update', { exact: true }).click();
  await page.locator('[name=changeAt]').fill(`${new Date().getFullYear() + 1}-03-01T09:00`);
  await page.getByRole('button', { name: 'Schedule this update' }).click();
  await page.getByText('You’re editing the scheduled text.').waitFor();
  await saved().waitFor();
  expect(await app.db.revision.count({ where: { postId: id, kind: 'autosave' } })).toBe(0);
  await loseAnswerOf('cancel-change');
  await page.getByRole('button', { name: 'Drop the scheduled update' }).click();
  await page.getByText('You’re editing the scheduled text.').waitFor({ state: 'detached' });
  await page.locator('.writing[data-live]').waitFor();
  expect(await page.locator('[name=body]').inputValue()).toBe('Words.');
  expect(await app.db.scheduledUpdate.count({ where: { postId: id } })).toBe(0);
  expect(await stored()).toMatchObject({ status: 'published', body: 'Words.' });
});

it('a deletion', async () => {
  await loseAnswerOf('delete');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByText('Move to trash…').click();
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await page.waitForURL('**/admin/posts');
  expect(await stored()).toMatchObject({ status: 'trashed' });
});

async function publishAndReload(): Promise<void> {
  await publish();
  await page.getByRole('heading', { name: 'Published' }).waitFor();
  await page.reload();
  await page.locator('.writing[data-live]').waitFor();
}
