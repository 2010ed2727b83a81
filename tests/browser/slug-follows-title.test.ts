// The slug of a young draft follows its title until somebody types one.
import { beforeEach, describe, expect, it } from 'vitest';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();
const { openEditor, goTo } = here;
let { app, page } = here;
let id: string;
beforeEach(async () => {
  ({ app, page } = here);
  ({ id } = (await openEditor('Words.')).post);
  await app.db.post.update({ where: { id }, data: { slugFollowsTitle: true } });
});

const stored = () =>
  app.db.post.findUniqueOrThrow({ where: { id }, select: { title: true, slug: true, body: true } });
const shownSlug = () => page.locator('[name=slug]').inputValue();

/** Types at the end of the text, and waits until the server has it. */
async function typeOn(words: string) {
  await goTo('End');
  await page.keyboard.type(words);
  await expect.poll(async () => (await stored()).body.endsWith(words)).toBe(true);
}

it('several titles and autosaves: the slug follows, and the form shows it', async () => {
  for (const title of ['High tide', 'Low tide', 'High water']) {
    const slug = title.toLowerCase().replace(' ', '-');
    await page.locator('[name=title]').fill(title);
    await expect.poll(shownSlug).toBe(slug);
    for (const words of [` Of ${slug}.`, ' And on.']) {
      await typeOn(words);
      expect(await stored()).toMatchObject({ title, slug });
    }
  }
});

it('it follows in a new post, too, after a save has filled it in', async () => {
  await here.session.open('posts/new');
  await page.locator('.writing[data-live]').waitFor();
  await page.locator('[name=title]').fill('First tide');
  await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
  id = (await app.db.post.findFirstOrThrow({ where: { title: 'First tide', slug: 'first-tide' } })).id;
  await page.locator('[name=title]').press('Control+s');
  await expect.poll(shownSlug).toBe('first-tide');
  await page.locator('[name=title]').fill('Ebb tide');
  await expect.poll(shownSlug).toBe('ebb-tide');
  await typeOn('And on.');
  expect(await stored()).toMatchObject({ title: 'Ebb tide', slug: 'ebb-tide' });
});

it('a typed slug stays, also when it is the former one', async () => {
  const { slug: former } = await stored();
  await page.locator('[name=title]').fill('Neap tide');
  await expect.poll(shownSlug).toBe('neap-tide');
  await page.locator('[name=slug]').fill(former);
  await expect.poll(async () => (await stored()).slug).toBe(former);
  await page.locator('[name=title]').fill('Spring tide');
  await expect.poll(async () => (await stored()).title).toBe('Spring tide');
  await typeOn(' And on.');
  expect([await shownSlug(), (await stored()).slug]).toEqual([former, former]);
});

it('it follows after an answer that got lost, and after a reload', async () => {
  await page.route('**/posts/*', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 502 });
  });
  await page.locator('[name=title]').fill('Red tide');
  await page.getByText('Offline, kept on this device').waitFor();
  await page.unroute('**/posts/*');
  await typeOn(' And on.');
  await expect.poll(shownSlug).toBe('red-tide');
  await page.locator('[name=title]').fill('Rip tide');
  await page.reload();
  await page.locator('.writing[data-live]').waitFor();
  await typeOn(' And further.');
  await expect.poll(shownSlug).toBe('rip-tide');
  expect(await stored()).toMatchObject({ title: 'Rip tide', slug: 'rip-tide' });
});

it('it follows in a scheduled post, also when it is saved again before the form has the new slug', async () => {
  const publishedAt = new Date(app.clock.now().getTime() + 86_400_000);
  await app.db.post.update({ where: { id }, data: { status: 'scheduled', publishedAt } });
  await here.session.open(`posts/${id}`);
  await page.locator('.writing[data-live]').waitFor();
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route('**/posts/*', async (route) => {
    if (route.request().method() === 'GET') await held;
    await route.continue();
  });
  await page.locator('[name=title]').fill('King tide');
  await page.keyboard.press('Control+s');
  await expect.poll(stored).toMatchObject({ title: 'King tide', slug: 'king-tide' });
  await goTo('End');
  await page.keyboard.type(' And on.');
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await stored()).body.endsWith(' And on.')).toBe(true);
  expect(await stored()).toMatchObject({ title: 'King tide', slug: 'king-tide' });
  letThrough();
  await expect.poll(shownSlug).toBe('king-tide');
});

describe('a page that opens in place of the editor is not sent a slug that nobody has typed', () => {
  it('the new draft in place of a deleted post makes its own', async () => {
    await app.db.post.update({ where: { id }, data: { status: 'trashed' } });
    await goTo('End');
    await page.keyboard.type(' Mine.');
    await page.getByRole('button', { name: 'Save as a new draft…' }).click();
    await page.getByText('save it as a new draft to keep it').waitFor();
    expect(await shownSlug()).toBe('');
  });

  it('the comparison of two versions does not show the former one as a change', async () => {
    // The form keeps the former slug, as before the answer with the new one.
    await page.route(`**/posts/${id}`, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 502 }) : route.continue(),
    );
    await page.locator('[name=title]').fill('Slack tide');
    await expect.poll(stored).toMatchObject({ title: 'Slack tide', slug: 'slack-tide' });
    expect(await shownSlug()).not.toBe('slack-tide');
    const data = { body: 'By another.', version: { increment: 1 } };
    await app.db.post.update({ where: { id }, data });
    await goTo('End');
    await page.keyboard.type(' Mine.');
    await page.getByRole('button', { name: 'Compare both' }).click();
    await page.getByRole('heading', { name: 'Two versions' }).waitFor();
    expect(await page.locator('form.conflict [name=slug]').inputValue()).toBe('slack-tide');
  });
});
