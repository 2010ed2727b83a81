import { htmlToMarkdown } from '#app/import/html/to-markdown.ts';
import { convertFootnotes, writeFootnotes } from './footnotes.ts';
import { convertWordLists, nestLists } from './lists.ts';

/** A pasted text as Markdown, with its pictures. */
export interface PastedText {
  /** Pictures in `carried` have the address `carriedAddress(index)`. */
  markdown: string;
  /** `data:` addresses of the pictures that the clipboard itself contains. */
  carried: string[];
  /** Number of pictures that only the program has from which the text was copied. */
  lost: number;
}

/** A short address in the place of a picture's `data:` address, which can have megabytes. */
export const carriedAddress = (index: number) => `https://carried.invalid/${index}`;

/**
 * Converts the HTML that word processors and web pages put on the clipboard to Markdown.
 * @param before the text before the paste, whose footnotes keep their numbers
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
  for (const table of body.querySelectorAll('table')) makeHeadingCells(table);
  const { markdown } = htmlToMarkdown(body.innerHTML);
  const text = writeFootnotes(markdown)
    .replace(/\u00a0/g, ' ')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { markdown: text, ...pictures };
}

/** A shorter `data:` address is the blank picture that a page shows until the real picture is loaded. */
const BLANK_CHARACTERS = 200;

/** Keeps pictures with a web address, gives those of the clipboard a short address, and removes all others. */
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

/** Lowers all headings by one level if there is a first-level heading: on the page only the post's title is one. */
function demoteHeadings(body: HTMLElement): void {
  if (!body.querySelector('h1')) return;
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5'))
    rename(heading, `h${Number(heading.tagName[1]) + 1}`);
}

/**
 * Removes parts of web pages that make no sense elsewhere: links to a heading, and a wiki's links to notes and forms.
 */
function removePageMarks(body: HTMLElement): void {
  for (const link of body.querySelectorAll(':is(h1, h2, h3, h4, h5, h6) a'))
    if (/^[\s#¶§🔗]*$/u.test(link.textContent) && !link.querySelector('img')) link.remove();
  for (const mark of body.querySelectorAll('.mw-editsection, sup.reference')) mark.remove();
}

/** Removes bookmarks and links to them, which lead nowhere in a post, and Google's redirects from links. */
function cleanLinks(body: HTMLElement): void {
  for (const mark of body.querySelectorAll('a:not([href]), a[href^="#_"], a[href^="#sd"], u'))
    mark.replaceWith(...mark.childNodes);
  for (const link of body.querySelectorAll<HTMLAnchorElement>('a[href^="https://www.google.com/url?"]')) {
    const target = new URL(link.href).searchParams.get('q');
    if (target && /^https?:/.test(target)) link.href = target;
  }
}

/** Makes heading cells of the first row, which Markdown needs and word processors lack. Bold in them is removed. */
function makeHeadingCells(table: HTMLTableElement): void {
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

/** Turns styles into elements: Google Docs and Word write bold and italic as styles, and add a `b` that is not bold. */
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
