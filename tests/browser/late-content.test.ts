// What comes late moves nothing under the pointer.
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { standStill, useEditorPage } from '#tests/support/editor-page.ts';
import { createMedia, createTag } from '#tests/support/factories.ts';

const here = useEditorPage();

/** Holds the answers of an address until `release`. */
async function hold(address: string): Promise<{ release: () => void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await here.page.route(address, (route) => released.then(() => route.continue()));
  return { release };
}

/** Where the fields and buttons are, but for the checks themselves. */
const places = (dialog: Locator) =>
  dialog.locator(':is(input, textarea, select, button):not([data-check] *)').evaluateAll((all) =>
    all.map((each) => {
      const { left, top } = each.getBoundingClientRect();
      return `${each.id || each.textContent} ${Math.round(left)} ${Math.round(top)}`;
    }),
  );

it('no field of the publish panel moves when the checks arrive', async () => {
  const { page, openEditor } = here;
  const checks = await hold('**/publish-check*');
  await openEditor(`About the sea. ${'It is deep and wide. '.repeat(40)}`);
  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
  const panel = page.locator('.publish-panel');
  await panel.getByText('Checking…').waitFor();
  await panel.getByText('In a week').or(panel.getByText('Monday')).first().waitFor();
  const before = await places(panel);
  checks.release();
  await panel.locator('[data-check]').first().waitFor();
  await panel.locator('.look-card img').waitFor();
  expect(await places(panel)).toEqual(before);
});

it('a tag that is offered is taken by a click right after another one was typed', async () => {
  const { page, openEditor } = here;
  for (const name of ['Ferries', 'Lighthouses'])
    await createTag(here.app, { name, slug: name.toLowerCase() });
  await openEditor('About Ferries and Lighthouses.');
  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
  const panel = page.locator('.publish-panel');
  await panel.getByText('More', { exact: true }).click();
  await panel.getByLabel('Tags').fill('ferries');
  await panel.getByRole('button', { name: '+ Lighthouses' }).click();
  await expect.poll(() => page.locator('#field-tags').inputValue()).toBe('ferries, Lighthouses');
});

it('the buttons of the library stay where they are when its pictures arrive', async () => {
  const { page, openEditor, goTo } = here;
  await createMedia(here.app, { originalName: 'quay.webp', alt: 'The quay' });
  const pictures = await hold('**/find?*kind=picture*');
  await openEditor();
  await goTo('End');
  await page.keyboard.type('/from the lib');
  await page.getByRole('option', { name: /Picture from the library/ }).click();
  const library = page.locator('dialog.library');
  await library.waitFor();
  const cancel = library.getByRole('button', { name: 'Cancel' });
  const before = await cancel.boundingBox();
  pictures.release();
  await library.getByRole('button', { name: /quay/ }).waitFor();
  expect(await cancel.boundingBox()).toEqual(before);
});

it('the text looks like the page in its first frame, however slow the machine', async () => {
  const { page, openEditor } = here;
  await standStill(page);
  await page.addInitScript(() => {
    const first = globalThis as unknown as { firstHeading?: string };
    new MutationObserver(() => {
      first.firstHeading ??= document.querySelectorAll('.cm-line')[12]?.className;
    }).observe(document, { childList: true, subtree: true });
  });
  await openEditor(`${'Words.\n\n'.repeat(6)}## A heading\n\nMore words.`);
  const first = await page.evaluate(() => (globalThis as { firstHeading?: string }).firstHeading);
  expect(first).toContain('md-h2');
});
