// The changes between two revisions, as the page shows them.
import { expect, it } from 'vitest';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { examine } from '#tests/support/axe.ts';
import { useEditorPage } from '#tests/support/editor-page.ts';
import { createPost } from '#tests/support/factories.ts';

const here = useEditorPage();

it('shows the page with the changes marked, its Markdown as a choice, and compares what is selected', async () => {
  const { app, page, session } = here;
  const { id } = await createPost(app, { authorId: here.userId });
  const texts = [
    'The boat **leaves**.\n\n- one\n- two',
    'The ferry **leaves**.\n\n- one\n- two',
    'The ferry **leaves**.\n\n- one\n- two\n- three',
  ];
  for (const [index, body] of texts.entries())
    await editPost(app, {
      ...{ postId: id, version: index + 1, intent: 'save' },
      ...{ fields: { body }, editorId: here.userId },
    });
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await session.open(`posts/${id}/revisions`);
    const changes = page.locator('.page-changes');
    expect(await changes.locator('strong').innerText()).toBe('leaves');
    expect(await changes.locator('ins').allInnerTexts()).toEqual(['three']);
    expect(await examine(page, `changes, ${colorScheme}, ${width}`)).toEqual([]);
    await page.locator('.revision-table tbody tr').last().locator('input[name=from]').check({ force: true });
    await page.getByRole('button', { name: 'Compare selected' }).click();
    await expect.poll(() => changes.locator('ins, del').allInnerTexts()).toEqual(['boat', 'ferry', 'three']);
    await page.getByRole('link', { name: 'Markdown' }).click();
    await page.locator('.diff-added', { hasText: '- three' }).waitFor();
    expect(await changes.count()).toBe(0);
    // A comparison that is chosen now stays in Markdown.
    await page.getByRole('button', { name: 'Compare selected' }).click();
    await page.locator('.diff-added', { hasText: '- three' }).waitFor();
    await page.getByRole('link', { name: 'Page', exact: true }).click();
    await changes.waitFor();
  }
});
