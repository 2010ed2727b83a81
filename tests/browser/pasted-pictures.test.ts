// Pictures of a pasted text get into the library: those that the clipboard carries, and those of other sites.
import { expect, it } from 'vitest';
import { createMedia } from '#tests/support/factories.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { pasteRichText } from '#tests/support/paste.ts';
import { closedGate } from '#tests/support/gate.ts';
import { picture } from '#tests/support/images.ts';

const here = useEditorPage();

const paste = (html: string) => pasteRichText(here.page, html, 'Plain');
/** Where a text of Google Docs has its pictures. */
const GOOGLE_PICTURE = 'https://lh7-rt.googleusercontent.com/docsz/AD_4nXc_(1)?key=a&b=c';
const PICTURE = String.raw`!\[\w*\]\(\/uploads\/[^)]+\)`;

it('a picture of Google Docs is copied from Google’s host; it links there until then', async () => {
  const { value } = await here.openEditor('Before.\n\n');
  const { page } = here;
  await here.goTo('End');
  const { path } = await createMedia(here.app, {});
  let sent = '';
  const answer = closedGate();
  await page.route('**/admin/media', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent = route.request().postData() ?? '';
    await answer.passed;
    await route.fulfill({ json: { media: [{ id: 'a', path: `/uploads/${path}`, alt: '' }], errors: [] } });
  });
  await page.route('https://lh7-rt.googleusercontent.com/**', (route) => route.abort());
  const image = `<img src="${GOOGLE_PICTURE.replace('&', '&amp;')}" alt="Quay" width="602">`;
  await paste(`<b style="font-weight:normal"><p>Words.</p><p>${image}</p><p>${image} again</p></b>`);
  await page.getByText('Copying the picture from lh7-rt.googleusercontent.com').waitFor();
  await expect.poll(value).toContain('googleusercontent.com');
  expect(await page.locator('.md-upload progress').getAttribute('value')).toBeNull();
  await page.keyboard.type(' Typed meanwhile.');
  answer.open();
  const copied = `![Quay](/uploads/${path})`;
  const text = `Before.\n\nWords.\n\n${copied}\n\n${copied} again Typed meanwhile.`;
  await expect.poll(value).toBe(text);
  expect(sent).toContain(GOOGLE_PICTURE);
  expect(await page.locator('.md-upload').count()).toBe(0);
});

it('what cannot be copied stays a link, and the editor says that it may disappear', async () => {
  const { value } = await here.openEditor('');
  const address = 'http://127.0.0.1:9/quay.png';
  await here.page.route(address, (route) => route.abort());
  await here.goTo('End');
  await paste(`<p>Words.</p><p><img src="${address}" alt="Quay"></p>`);
  const note = here.page.getByRole('alert').filter({ hasText: 'It is still loaded from 127.0.0.1:9' });
  await note.waitFor();
  await here.page.getByRole('button', { name: 'Try again' }).click();
  await note.waitFor();
  // By key: a click is lost where the line moves under the pointer.
  await here.page.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect.poll(() => here.page.locator('.md-upload').count()).toBe(0);
  expect(await value()).toBe(`Words.\n\n![Quay](${address})`);
  // The policy of the backend allows no picture without HTTPS.
  await here.goTo('Home');
  await here.page.locator('.md-missing').waitFor();
  const refused = here.session.troubles
    .splice(0)
    .map((trouble) => trouble.includes('Content Security Policy'));
  expect(new Set(refused)).toEqual(new Set([true]));
});

it('pictures that the clipboard carries are uploads; of those that only the program has the editor says so', async () => {
  const { value } = await here.openEditor('');
  await here.goTo('End');
  const data = async (seed: number) =>
    `data:image/png;base64,${(await picture({ width: 80, height: 60, format: 'png', seed })).toString('base64')}`;
  await paste(
    `<p>One.</p><p><img src="${await data(31)}" alt="Quay"></p><p>Two <img src="${await data(32)}" alt="Boat"> words.</p><p><img src="file:///C:/a.png"></p>`,
  );
  await expect
    .poll(value, { timeout: 30_000 })
    .toMatch(new RegExp(`^One\\.\n\n${PICTURE}\n\nTwo {1,2}words\\.\n\n${PICTURE}\n*$`));
  expect(await value()).toMatch(/!\[Quay\].*!\[Boat\]/s);
  await here.page.getByRole('alert').filter({ hasText: 'Only the app you copied from can read' }).waitFor();
});
