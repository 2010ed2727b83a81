// Writing as a professional does: marks while typing, and what word processors put on the clipboard.
import { expect, it } from 'vitest';
import { useEditorPage } from '#tests/support/editor-page.ts';

const here = useEditorPage();

it('Ctrl+I or Ctrl+B before some words and again behind them marks these words; inside of them it takes the marks away', async () => {
  const { value } = await here.openEditor('The ');
  const { keyboard } = here.page;
  await here.goTo('End');
  await keyboard.press('Control+i');
  await keyboard.type('Magistrato alle Acque');
  await keyboard.press('Control+i');
  await keyboard.type(' printed it, and it ');
  await keyboard.press('Control+b');
  await keyboard.type('came in again ');
  await keyboard.press('Control+b');
  await keyboard.type('and stayed');
  await expect
    .poll(value)
    .toBe('The _Magistrato alle Acque_ printed it, and it **came in again** and stayed');
  // Where the line breaks depends on the typeface.
  await keyboard.press('Control+Home');
  for (let step = 0; step < 9; step += 1) await keyboard.press('ArrowRight');
  await keyboard.press('Control+i');
  await expect.poll(value).toContain('The Magistrato alle Acque printed it');
  await keyboard.press('Control+z');
  await expect.poll(value).toContain('The _Magistrato alle Acque_ printed it');
});

it('Tab behind the last cell of a table begins a row, and leads out of an empty one', async () => {
  const { value } = await here.openEditor('| Hour | Gauge |\n| --- | --- |\n| 12:00 | +42 |\n');
  const { keyboard } = here.page;
  await here.page.locator('.md-grid textarea').last().focus();
  await keyboard.press('Tab');
  await keyboard.type('18:00');
  await keyboard.press('Tab');
  await keyboard.type('+166');
  await keyboard.press('Tab');
  await expect.poll(value).toContain('| 18:00 | +166 |\n|  |  |');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await expect.poll(() => here.page.locator('.md-grid textarea').count()).toBe(8);
  expect(await here.page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
});

it('more than a hundred steps can be undone and done again', async () => {
  const { value } = await here.openEditor('Start.');
  const { keyboard } = here.page;
  await here.goTo('End');
  for (let step = 0; step < 120; step += 1) {
    await keyboard.type(`${step}`);
    await keyboard.press('Enter');
  }
  await expect.poll(value).toContain('119');
  const whole = await value();
  for (let step = 0; step < 250; step += 1) await keyboard.press('Control+z');
  await expect.poll(value).toBe('Start.');
  for (let step = 0; step < 250; step += 1) await keyboard.press('Control+Shift+Z');
  await expect.poll(value).toBe(whole);
});

async function pasted(html: string): Promise<string> {
  const { value } = await here.openEditor();
  const data = { 'text/html': html, 'text/plain': html.replace(/<[^>]*>/g, ' ') };
  await here.page.locator('.cm-content').evaluate((field, data) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);
  await expect.poll(value).not.toBe('');
  // A list of three levels gets empty lines between its items, a flat one none.
  return (await value()).trim().replace(/\n{2,}/g, '\n');
}

/** A list item of Word: a paragraph with its level among the styles and its bullet as text. */
const wordItem = (level: number, bullet: string, text: string) =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:${level * 36}.0pt;mso-add-space:auto;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span lang=EN-GB style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${bullet}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span lang=EN-GB>${text}<o:p></o:p></span></p>`;

it('lists of Word keep their levels and their numbers', async () => {
  const items = [
    wordItem(1, '·', 'wind'),
    wordItem(2, 'o', 'scirocco'),
    wordItem(3, '§', 'along the sea'),
    wordItem(2, 'o', 'bora'),
    wordItem(1, '·', 'pressure'),
    '<p class=MsoNormal><span lang=EN-GB>Then:<o:p></o:p></span></p>',
    wordItem(1, '1.', 'measure'),
    wordItem(2, 'a.', 'the gauge'),
    wordItem(1, '2.', 'compare'),
  ];
  expect(
    await pasted(
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang=EN-GB><!--StartFragment-->${items.join('\n')}<!--EndFragment--></body></html>`,
    ),
  ).toBe(
    '- wind\n  - scirocco\n    - along the sea\n  - bora\n- pressure\nThen:\n1. measure\n   1. the gauge\n2. compare',
  );
});

/** A list item of Google Docs; the text is a paragraph with all its styles. */
const docsItem = (level: number, text: string, more = '') =>
  `<li dir="ltr" ${more} style="list-style-type:disc;font-size:11pt;font-family:Arial,sans-serif;font-weight:400;font-style:normal;text-decoration:none;vertical-align:baseline;white-space:pre;" aria-level="${level}"><p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;" role="presentation"><span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400;font-style:normal;text-decoration:none;vertical-align:baseline;white-space:pre;white-space:pre-wrap;">${text}</span></p></li>`;
const docs = (inner: string) =>
  `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-5d2a1c0e-7fff-3c1b-6c5e-2a1b0d7f9e11">${inner}</b><br class="Apple-interchange-newline">`;
const list = (inner: string) =>
  `<ul style="margin-top:0;margin-bottom:0;padding-inline-start:48px;">${inner}</ul>`;

it('nested lists and tasks of Google Docs stay lists and tasks', async () => {
  const nested = list(
    docsItem(1, 'wind') +
      list(docsItem(2, 'scirocco') + list(docsItem(3, 'along the sea'))) +
      docsItem(1, 'pressure'),
  );
  expect(await pasted(docs(nested))).toBe('- wind\n  - scirocco\n    - along the sea\n- pressure');
  const box = (isDone: boolean, text: string) =>
    docsItem(1, text, `role="checkbox" aria-checked="${isDone}"`).replace(
      '<p ',
      '<img src="data:image/png;base64,iVBORw0KGgo=" width="18px" height="18px" alt="unchecked" aria-roledescription="checkbox" style="margin-right:3px;" /><p ',
    );
  expect(await pasted(docs(list(box(true, 'call the porters') + box(false, 'read the gauge'))))).toBe(
    '- [x] call the porters\n- [ ] read the gauge',
  );
});
