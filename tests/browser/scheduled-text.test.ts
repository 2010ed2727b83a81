// The editor of a post that has a live and a scheduled text: neither takes words from the other.
import { beforeEach, expect, it } from 'vitest';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { scheduleUpdate } from '#app/publishing/posts/schedule-update.server.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();
const { goTo } = here;
let { app, page } = here;
let id: string;
const DAY_MS = 86_400_000;

beforeEach(async () => {
  ({ app, page } = here);
  const body = 'A teh word.\n\nThe end.';
  // As the form makes it, so that its text is among the revisions.
  const fields = { title: 'Words', body };
  ({ id } = await createPost(app, { intent: 'publish', fields, editorId: here.userId }));
});

const live = async () => (await app.db.post.findUniqueOrThrow({ where: { id } })).body;
const scheduled = async () => {
  const row = await app.db.scheduledUpdate.findUniqueOrThrow({ where: { postId: id } });
  return (JSON.parse(row.fields) as { body?: string }).body;
};
const shown = () => page.locator('[name=body]').inputValue();
const open = async (query = '') => {
  await here.session.open(`posts/${id}${query}`);
  await page.locator('.writing[data-live]').waitFor();
};
const says = (text: string | RegExp) => page.locator('.save-state', { hasText: text }).waitFor();
const schedule = async (body: string) => {
  const changeAt = new Date(Date.now() + DAY_MS);
  await scheduleUpdate(app, { postId: id, version: 1, fields: { body }, changeAt, editorId: here.userId });
};

it('the text that was just scheduled stays on the page as the scheduled one, and a save keeps it so', async () => {
  await open();
  await goTo('End');
  await page.keyboard.type(' Secret.');
  await page.getByText('Schedule an update', { exact: true }).click();
  await page.locator('[name=changeAt]').fill(`${new Date().getFullYear() + 1}-03-01T09:00`);
  await page.getByRole('button', { name: 'Schedule this update' }).click();
  await page.locator('.text-scheduled[aria-current]').waitFor();
  await goTo('End');
  await page.keyboard.type(' More.');
  await says('not in the scheduled update until you save');
  await page.keyboard.press('Control+s');
  await says(/^Saved/);
  expect([await live(), await scheduled()]).toEqual([
    'A teh word.\n\nThe end.',
    'A teh word.\n\nThe end. Secret. More.',
  ]);
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await page.locator('.text-live[aria-current]').waitFor();
  await page.locator('.writing[data-live]').waitFor();
  expect(await shown()).toBe('A teh word.\n\nThe end.');
  expect(await page.getByText(/Restore (it|them)/).count()).toBe(0);
});

it('a fix of the live text flows into the scheduled one; the same paragraph is settled on a page', async () => {
  await schedule('A teh word.\n\nThe secret end.');
  await open();
  await page.locator('[name=title]').fill('Fixed title');
  await goTo('Home');
  await page.keyboard.type('Fixed: ');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await says(/^Saved/);
  expect([await live(), await scheduled()]).toEqual([
    'Fixed: A teh word.\n\nThe end.',
    'Fixed: A teh word.\n\nThe secret end.',
  ]);
  await goTo('End');
  await page.keyboard.type(' Now.');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByText('The scheduled update changes the same text.').waitFor();
  await page.getByRole('button', { name: 'Compare and choose' }).click();
  const chosen = page.locator('[name="scheduled.body"]');
  await chosen.waitFor();
  expect(await chosen.inputValue()).toBe('Fixed: A teh word.\n\nThe secret end.');
  await chosen.fill('Fixed: A teh word.\n\nThe secret end. Then.');
  await page.getByRole('button', { name: 'Update the live post and the scheduled text' }).click();
  await page.locator('.writing[data-live]').waitFor();
  expect((await live()).replaceAll('\r\n', '\n')).toBe('Fixed: A teh word.\n\nThe end. Now.');
  expect((await scheduled())!.replaceAll('\r\n', '\n')).toBe('Fixed: A teh word.\n\nThe secret end. Then.');
  expect(await page.getByText('typed on this device').count()).toBe(0);
});

it('what is typed without a connection is kept for its own text alone', async () => {
  await schedule('A teh word.\n\nThe secret end.');
  await open('?edit=scheduled');
  await page.route(`**/posts/${id}*`, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 502 }) : route.fallback(),
  );
  await goTo('End');
  await page.keyboard.type(' Offline secret.');
  await says(/^Offline/);
  // What a page sends while it is left does not pass through the route.
  await page.evaluate(() => {
    window.fetch = () => Promise.reject(new TypeError('offline'));
    navigator.sendBeacon = () => false;
  });
  await open();
  expect(await shown()).toBe('A teh word.\n\nThe end.');
  await page.getByText('that was typed on this device').waitFor();
  await page.unroute(`**/posts/${id}*`);
  await page.getByRole('link', { name: 'Open in the editor' }).click();
  await page.locator('.text-scheduled[aria-current]').waitFor();
  await expect.poll(shown).toContain('Offline secret.');
  await page.getByRole('button', { name: 'Save scheduled version' }).click();
  await says(/^Saved/);
  expect([await live(), await scheduled()]).toEqual([
    'A teh word.\n\nThe end.',
    'A teh word.\n\nThe secret end. Offline secret.',
  ]);
});

it('a save of the scheduled text in another tab does not disturb the live one', async () => {
  await schedule('A teh word.\n\nThe secret end.');
  await open();
  const other = await page.context().newPage();
  await other.goto(`/admin/posts/${id}?edit=scheduled`);
  await other.locator('.writing[data-live]').waitFor();
  await other.locator('[name=excerpt]').evaluate((field: HTMLTextAreaElement) => {
    field.closest('details')!.open = true;
  });
  await other.locator('[name=excerpt]').fill('Soon');
  await other.getByRole('button', { name: 'Save scheduled version' }).click();
  await other.locator('.save-state', { hasText: /^Saved/ }).waitFor();
  const asked = page.waitForResponse((response) => response.url().includes('/state?opened='));
  await page.bringToFront();
  expect(await (await asked).json()).toMatchObject({ version: 3, isSameText: true });
  await goTo('Home');
  await page.keyboard.type('Fixed: ');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await says(/^Saved/);
  expect([await live(), await scheduled()]).toEqual([
    'Fixed: A teh word.\n\nThe end.',
    'Fixed: A teh word.\n\nThe secret end.',
  ]);
});
