import type { Page } from 'playwright-core';

/** Pastes rich text into the live editor, as the clipboard of another program has it. */
export async function pasteRichText(
  page: Page,
  html: string,
  plain = html.replace(/<[^>]*>/g, ' '),
): Promise<void> {
  await page.locator('.cm-content').evaluate(
    (field, [html, plain]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', html);
      clipboardData.setData('text/plain', plain);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    [html, plain] as const,
  );
}
