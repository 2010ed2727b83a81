// Fields of the settings that scripts make easier send what the plain ones would.
import { afterAll, beforeEach, expect, it } from 'vitest';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { readSettingTexts } from '#app/settings/queries.server.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createCategory, createPost } from '#tests/support/factories.ts';

const here = useEditorPage();
let { app, session, page } = here;
beforeEach(async () => {
  ({ app, session, page } = here);
  await app.db.user.update({ where: { id: here.userId }, data: { role: 'administrator' } });
});
afterAll(() =>
  changeSettings(app, { announcement: '', header_button: '', social_links: '', pinned_post: '' }),
);

const save = async () => {
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Saved.').first().waitFor();
  return (await readSettingTexts(app)).texts;
};
const field = (group: string) => page.getByRole('group', { name: group, exact: true });

it('button, announcement and social links are rows, and keep what nobody touched', async () => {
  await changeSettings(app, { announcement: 'Closed on Monday', social_links: '/rss.xml' });
  await session.open('settings/navigation');
  await field('Button in the header').getByLabel('Link text').fill('Subscribe');
  await field('Button in the header').getByLabel('Link address').fill('/newsletter');
  await field('Social links').getByRole('textbox').fill('https://mastodon.social/@ada');
  await page.keyboard.press('Enter');
  const texts = await save();
  expect(texts).toMatchObject({
    header_button: 'Subscribe | /newsletter',
    announcement: 'Closed on Monday',
    social_links: '/rss.xml\nhttps://mastodon.social/@ada',
  });
});

it('a post is found by its title, a category and a language by their names', async () => {
  await createPost(app, { title: 'Reading the tide table', slug: 'tide-table', status: 'published' });
  await createCategory(app, { name: 'Harbour life', slug: 'harbour' });
  await session.open('settings/site');
  const pinned = page.getByRole('combobox', { name: 'Pinned post' });
  await pinned.fill('tide');
  const offered = page.locator('datalist option[value="/posts/tide-table"]');
  await offered.waitFor({ state: 'attached' });
  expect(await offered.getAttribute('label')).toBe('Reading the tide table');
  await pinned.fill('/posts/tide-table');
  const sections = field('Sections below the post list').getByRole('combobox');
  expect(await page.locator('#home_sections-offered option[value=harbour]').getAttribute('label')).toBe(
    'Harbour life',
  );
  await sections.fill('harbour');
  await page.keyboard.press('Enter');
  await field('Sections below the post list').getByText('Harbour life').waitFor();
  expect(await page.locator('#site_languages-offered option[value=de]').getAttribute('label')).toBe('German');
  expect(
    await page.locator('#site_timezone-offered option[value="Europe/Berlin"]').getAttribute('label'),
  ).toBe('Berlin, Europe');
  // What is typed and not yet a chip is sent too.
  await field('Other languages').getByRole('combobox').fill('de');
  const before = (await readSettingTexts(app)).texts.navigation;
  const texts = await save();
  expect(texts).toMatchObject({ home_sections: 'harbour', site_languages: 'de', navigation: before });
  expect(texts.pinned_post).toContain('tide-table');
  await page.getByRole('button', { name: 'Remove German' }).click();
  expect((await save()).site_languages).toBe('');
});

it('an error of a field with rows is said there, and what was typed stays', async () => {
  await session.open('settings/navigation');
  await field('Button in the header').getByLabel('Link text').fill('Subscribe');
  await field('Button in the header').getByLabel('Link address').fill('no address');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await field('Button in the header')
    .getByText(/is not of the form/)
    .waitFor();
  expect(await field('Button in the header').getByLabel('Link text').inputValue()).toBe('Subscribe');
});

it('the groups lead to their pages, and the menu is edited in one of them', async () => {
  await session.open('settings/site');
  await expect.poll(() => page.locator('textarea[name=navigation]').count()).toBe(0);
  await page.getByRole('link', { name: 'Navigation', exact: true }).click();
  await field('Header').waitFor();
  await page.getByRole('link', { name: 'Mail', exact: true }).click();
  await page.getByLabel('SMTP host').waitFor();
});
