// Lists that show what they list, and what one can do with it.
import { beforeEach, expect, it } from 'vitest';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createMedia, createPost } from '#tests/support/factories.ts';

const here = useEditorPage();
let { app, session, page } = here;
beforeEach(() => {
  ({ app, session, page } = here);
});

it('a post shows its cover, and what one does with several posts comes with the first that is chosen', async () => {
  const media = await createMedia(app);
  await createPost(app, { title: 'With a cover', coverMediaId: media.id, authorId: here.userId });
  await createPost(app, { title: 'Without one', authorId: here.userId });
  await session.open('posts');
  const row = (title: string) => page.locator('.post-row', { hasText: title });
  expect(await row('With a cover').locator('img').getAttribute('src')).toContain(media.path);
  expect(await row('Without one').locator('img').count()).toBe(0);
  const action = page.getByRole('combobox', { name: 'With the chosen posts' });
  await action.waitFor({ state: 'hidden' });
  const top = (await row('Without one').boundingBox())!.y;
  await row('Without one').getByRole('checkbox').check();
  await action.waitFor();
  // Its place was kept, so that no row moves under the pointer.
  expect((await row('Without one').boundingBox())!.y).toBe(top);
  await page.getByRole('checkbox', { name: 'Choose all on this page' }).check();
  await page.getByRole('checkbox', { name: 'Choose all on this page' }).uncheck();
  await action.waitFor({ state: 'hidden' });
});

it('a click on a day of the calendar writes a post for it', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const next = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 15));
  const day = next.toISOString().slice(0, 10);
  await session.open(`calendar?month=${day.slice(0, 7)}`);
  const { x, y, width, height } = (await page.locator(`[data-day="${day}"]`).boundingBox())!;
  await page.mouse.click(x + width / 2, y + height - 12);
  await page.locator('.writing[data-live]').waitFor();
  expect(await page.locator('[name=publishedAt]').inputValue()).toBe(`${day}T09:00`);
  await page.getByRole('button', { name: /^Schedule for/ }).waitFor();
  // Days that are over are for reading.
  await session.open('calendar?month=2020-05');
  await page.locator('[data-day="2020-05-15"]').waitFor();
  expect(await page.locator('.day-new').count()).toBe(0);
});
