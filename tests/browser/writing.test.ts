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

async function pasted(html: string, before = ''): Promise<string> {
  const { value } = await here.openEditor(before);
  if (before) await here.goTo('End');
  const data = { 'text/html': html, 'text/plain': html.replace(/<[^>]*>/g, ' ') };
  await here.page.locator('.cm-content').evaluate((field, data) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);
  await expect.poll(value).not.toBe(before);
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

it('lists of Word for the web are one list', async () => {
  const item = (level: number, text: string) =>
    `<div class="ListContainerWrapper SCXW1"><ul role="list"><li data-aria-level="${level}" role="listitem" class="OutlineElement"><p class="Paragraph"><span class="TextRun">${text}</span><span class="EOP"> </span></p></li></ul></div>`;
  expect(await pasted(item(1, 'wind') + item(2, 'scirocco') + item(1, 'pressure'))).toBe(
    '- wind\n  - scirocco\n- pressure',
  );
});

it('paragraphs in the cells of Google Docs stay words, and small letters small', async () => {
  const cell = (...texts: string[]) => `<td>${texts.map((text) => `<p dir="ltr">${text}</p>`).join('')}</td>`;
  const table = `<table><tbody><tr>${cell('Hour')}${cell('Gauge')}</tr><tr>${cell('12:00')}${cell('first', 'second')}</tr></tbody></table>`;
  expect(await pasted(docs(table))).toContain('first second');
  const small = '<span style="font-size:0.6em;font-weight:400;vertical-align:sub;">2</span>';
  expect(await pasted(docs(`<p dir="ltr"><span>H</span>${small}<span>O</span></p>`))).toBe('H<sub>2</sub>O');
});

/** As Word writes a footnote's number, in the text and before the note. */
const wordNumber = (name: string, target: string) =>
  `<a style='mso-footnote-id:ftn1' href="#${target}" name="${name}" title=""><span class=MsoFootnoteReference><span style='mso-special-character:footnote'><![if !supportFootnotes]><span lang=EN-GB style='font-size:12.0pt'>[1]</span><![endif]></span></span></a>`;

it.each([
  [
    'Word',
    `<p class=MsoNormal>Water rises${wordNumber('_ftnref1', '_ftn1')}.<o:p></o:p></p><div style='mso-element:footnote-list'><![if !supportFootnotes]><br clear=all><hr align=left size=1 width="33%"><![endif]><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText>${wordNumber('_ftn1', '_ftnref1')}<span lang=EN-GB> At <b>Punta</b>.<o:p></o:p></span></p></div></div>`,
  ],
  [
    'Google Docs',
    `<p class="c1"><span>Water rises</span><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup><span>.</span></p><hr class="c5"><div><p class="c3"><a href="#ftnt_ref1" id="ftnt1">[1]</a><span>&nbsp;At </span><b>Punta</b><span>.</span></p></div>`,
  ],
  [
    'LibreOffice',
    `<p>Water rises<sup><a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a></sup>.</p><div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a> At <b>Punta</b>.</p></div>`,
  ],
  [
    'web pages',
    `<p>Water rises<sup><a href="#fn1" id="fnref1">[1]</a></sup>.</p><hr><section><ol><li id="fn1"><p>At <b>Punta</b>. <a href="#fnref1">↩︎</a></p></li></ol></section>`,
  ],
])('footnotes of %s are footnotes, with numbers that the text does not have yet', async (_, html) => {
  expect(await pasted(html, 'Before[^1].\n\n[^1]: The first note.\n\n')).toBe(
    'Before[^1].\n[^1]: The first note.\nWater rises[^2].\n[^2]: At **Punta**.',
  );
});

it('quotations of Word are quotations; bookmarks leave nothing', async () => {
  const words =
    '<p class=MsoNormal><a name="_Hlk1"></a><u>Underlined</u> <b>text</b><o:p></o:p></p><p class=MsoQuote>Quoted<o:p></o:p></p>';
  expect(await pasted(words)).toBe('Underlined **text**\n> Quoted');
});
