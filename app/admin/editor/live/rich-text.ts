import { htmlToMarkdown } from '#app/content/html-to-markdown.ts';

/** The HTML that word processors and web pages put on the clipboard, as Markdown. */
export function richTextToMarkdown(html: string): string {
  // The page's Content-Security-Policy blocks style attributes, even in a document that is never shown.
  const unstyled = html
    .replace(/<style\b[^]*?<\/style>/gi, '')
    .replace(/<[^<>]*>/g, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='));
  const { body } = new DOMParser().parseFromString(unstyled, 'text/html');
  for (const element of body.querySelectorAll('style, script, meta, link, title, xml')) element.remove();
  convertWordLists(body);
  nestLists(body);
  for (const element of [...body.querySelectorAll<HTMLElement>('[data-style], b, i, strong, em')])
    convertStyles(element);
  for (const element of body.querySelectorAll('*'))
    if (element.tagName.includes(':')) element.replaceWith(...element.childNodes);
  for (const image of body.querySelectorAll('img')) if (!/^https?:/i.test(image.src)) image.remove();
  removePageMarks(body);
  demoteHeadings(body);
  for (const table of body.querySelectorAll('table')) nameColumns(table);
  const { markdown } = htmlToMarkdown(body.innerHTML);
  return markdown
    .replace(/\u00a0/g, ' ')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The post's title is the page's only first-level heading: with another one, pasted headings are lowered by one level. */
function demoteHeadings(body: HTMLElement): void {
  if (!body.querySelector('h1')) return;
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5'))
    rename(heading, `h${Number(heading.tagName[1]) + 1}`);
}

/** What web pages put beside their words for their own readers: links to a heading, and those of a wiki to its notes and forms. */
function removePageMarks(body: HTMLElement): void {
  for (const link of body.querySelectorAll(':is(h1, h2, h3, h4, h5, h6) a'))
    if (/^[\s#¶§🔗]*$/u.test(link.textContent) && !link.querySelector('img')) link.remove();
  for (const mark of body.querySelectorAll('.mw-editsection, sup.reference')) mark.remove();
}

/** Word processors know no heading cells; a table of Markdown begins with them, and they are bold anyway. */
function nameColumns(table: HTMLTableElement): void {
  if (!table.querySelector('th')) for (const cell of [...(table.rows[0]?.cells ?? [])]) rename(cell, 'th');
  for (const bold of table.querySelectorAll('th :is(b, strong)')) bold.replaceWith(...bold.childNodes);
}

function rename(element: Element, name: string): void {
  const renamed = document.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
}

/** Makes elements of styles: Google Docs and Word write bold and italic as styles, and wrap all in a `b` that is not bold. */
function convertStyles(element: HTMLElement): void {
  const style = element.dataset.style ?? '';
  const valueOf = (name: string) =>
    new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, 'i').exec(style)?.[1]?.trim() ?? '';
  const [fontWeight, fontStyle] = [valueOf('font-weight'), valueOf('font-style')];
  const textDecoration = valueOf('text-decoration');
  const isBold = fontWeight === 'bold' || Number(fontWeight) >= 600;
  const isMark = /^(B|STRONG|I|EM)$/.test(element.tagName);
  if (isMark && (fontWeight === 'normal' || fontWeight === '400'))
    return element.replaceWith(...element.childNodes);
  const isBlock = /^(P|DIV|LI|H[1-6]|TD|TH|UL|OL|TABLE|TR|TBODY|BODY|PRE|BLOCKQUOTE)$/.test(element.tagName);
  delete element.dataset.style;
  if (isMark || isBlock || element.textContent.trim() === '') return;
  const wrap = (name: string) => {
    const mark = document.createElement(name);
    mark.append(...element.childNodes);
    element.append(mark);
  };
  if (element.closest('h1, h2, h3, h4, h5, h6') === null && isBold) wrap('strong');
  if (fontStyle === 'italic') wrap('em');
  if (textDecoration.includes('line-through')) wrap('del');
}

/** Makes lists of Word's list items, which are paragraphs with the bullet as text and the level among their styles. */
function convertWordLists(body: HTMLElement): void {
  // The open lists, outermost first, and the paragraph that an item must follow to continue them.
  let open: HTMLElement[] = [];
  for (const paragraph of [...body.querySelectorAll<HTMLElement>('p[class*=MsoListParagraph]')]) {
    const marker = paragraph.querySelector<HTMLElement>(
      '[data-style*="mso-list:Ignore" i], [data-style*="mso-list: Ignore" i]',
    );
    const name = /^\s*\w+[.)]/.test(marker?.textContent ?? '') ? 'OL' : 'UL';
    marker?.remove();
    const level = Number(/mso-list:[^;]*level(\d)/i.exec(paragraph.dataset.style ?? '')?.[1] ?? 1);
    if (open[0] !== paragraph.previousElementSibling) open = [];
    open.length = Math.min(open.length, level);
    if (open.length === level && open.at(-1)!.tagName !== name) open.pop();
    while (open.length < level) {
      const list = document.createElement(name);
      const above = open.at(-1);
      if (above) (above.lastElementChild ?? above.appendChild(document.createElement('li'))).append(list);
      else paragraph.before(list);
      open.push(list);
    }
    const item = document.createElement('li');
    item.append(...paragraph.childNodes);
    open.at(-1)!.append(item);
    paragraph.remove();
  }
}

/** Google Docs writes a nested list beside the item that it belongs to, and the box of a task as a picture. */
function nestLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol'))
    list.previousElementSibling?.append(list);
  for (const item of body.querySelectorAll('li[role=checkbox]')) {
    item.querySelector('img')?.remove();
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.defaultChecked = item.getAttribute('aria-checked') === 'true';
    (item.querySelector('p') ?? item).prepend(box, ' ');
  }
  // A paragraph for each item would put an empty line between them.
  for (const paragraph of body.querySelectorAll('li > p:only-of-type'))
    paragraph.replaceWith(...paragraph.childNodes);
}
