import { htmlToMarkdown } from '#app/content/html-to-markdown.ts';
import { convertFootnotes, writeFootnotes } from './pasted-footnotes.ts';
import { convertWordLists, nestLists } from './pasted-lists.ts';

/** What was pasted, with its pictures. */
export interface PastedText {
  /** A picture that the clipboard carries has `carriedAddress` of its number. */
  markdown: string;
  /** `data:` addresses. */
  carried: string[];
  /** Pictures that only the program has from which the text was copied. */
  lost: number;
}

/** Stands in for the content of a picture, which would be a text of megabytes. */
export const carriedAddress = (index: number) => `https://carried.invalid/${index}`;

/**
 * The HTML that word processors and web pages put on the clipboard, as Markdown.
 * @param before the text that it is pasted into, whose footnotes keep their numbers
 */
export function richTextToMarkdown(html: string, before = ''): PastedText {
  // The page's Content-Security-Policy blocks style attributes, even in a document that is never shown.
  const unstyled = html
    .replace(/<style\b[^]*?<\/style>/gi, '')
    .replace(/<[^<>]*>/g, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='));
  const { body } = new DOMParser().parseFromString(unstyled, 'text/html');
  for (const element of body.querySelectorAll('style, script, meta, link, title, xml')) element.remove();
  convertFootnotes(body, before);
  convertWordLists(body);
  nestLists(body);
  for (const quote of body.querySelectorAll('p.MsoQuote, p.MsoIntenseQuote')) rename(quote, 'blockquote');
  for (const element of [...body.querySelectorAll<HTMLElement>('[data-style], b, i, strong, em')])
    convertStyles(element);
  for (const element of body.querySelectorAll('*'))
    if (element.tagName.includes(':')) element.replaceWith(...element.childNodes);
  const pictures = takePictures(body);
  removePageMarks(body);
  cleanLinks(body);
  demoteHeadings(body);
  for (const table of body.querySelectorAll('table')) nameColumns(table);
  const { markdown } = htmlToMarkdown(body.innerHTML);
  const text = writeFootnotes(markdown)
    .replace(/\u00a0/g, ' ')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { markdown: text, ...pictures };
}

/** Below this a picture is the blank that a page shows until its real one is loaded. */
const BLANK_CHARACTERS = 200;

/** Leaves the pictures that an address leads to, and takes out the others. */
function takePictures(body: HTMLElement): Pick<PastedText, 'carried' | 'lost'> {
  const carried: string[] = [];
  let lost = 0;
  for (const image of body.querySelectorAll('img')) {
    const address = image.getAttribute('src') ?? '';
    if (/^https?:/i.test(image.src)) continue;
    if (/^data:image\/\w+;base64,[\w+/\s]*=*\s*$/i.test(address) && address.length > BLANK_CHARACTERS)
      image.src = carriedAddress(carried.push(address) - 1);
    else {
      if (/^(file|blob|cid):/i.test(address)) lost += 1;
      image.remove();
    }
  }
  return { carried, lost };
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

/** Bookmarks and links to them lead nowhere in a post; Google leads from its exported files by way of itself. */
function cleanLinks(body: HTMLElement): void {
  for (const mark of body.querySelectorAll('a:not([href]), a[href^="#_"], a[href^="#sd"], u'))
    mark.replaceWith(...mark.childNodes);
  for (const link of body.querySelectorAll<HTMLAnchorElement>('a[href^="https://www.google.com/url?"]')) {
    const target = new URL(link.href).searchParams.get('q');
    if (target && /^https?:/.test(target)) link.href = target;
  }
}

/** Word processors know no heading cells; a table of Markdown begins with them, and they are bold anyway. */
function nameColumns(table: HTMLTableElement): void {
  if (!table.querySelector('th')) for (const cell of [...(table.rows[0]?.cells ?? [])]) rename(cell, 'th');
  for (const bold of table.querySelectorAll('th :is(b, strong)')) bold.replaceWith(...bold.childNodes);
  // A cell of Markdown is one line.
  for (const paragraph of table.querySelectorAll('p')) paragraph.replaceWith(...paragraph.childNodes, ' ');
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
  const height = valueOf('vertical-align');
  if (height === 'sub') wrap('sub');
  if (height === 'super' && element.closest('sup') === null) wrap('sup');
}
