import { expect, it } from 'vitest';
import { standStill, useEditorPage } from '#tests/support/editor-page.ts';
import { createMedia } from '#tests/support/factories.ts';

const here = useEditorPage();

it('a caption keeps the focus while one types, also on a machine that stands still now and then', async () => {
  const { path } = await createMedia(here.app);
  await standStill(here.page);
  const { value } = await here.openEditor(
    `${'Words of a paragraph.\n\n'.repeat(300)}![](/uploads/${path})\n\nLast.`,
  );
  await here.goTo('End');
  await here.page.locator('.md-figure-caption').click();
  await here.type('The pier in the morning, and in the evening');
  await expect.poll(value).toContain('The pier in the morning, and in the evening');
});
