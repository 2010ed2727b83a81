import { htmlToMarkdown } from '#app/import/html/to-markdown.ts';

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

/** Makes lists of Word's list items: paragraphs that have the bullet as text and the level in their style. */
export function convertWordLists(body: HTMLElement): void {
  for (const wrapper of body.querySelectorAll('.ListContainerWrapper')) asDesktopItems(wrapper);
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

/**
 * Turns the items of Word for the web, each a separate list with the level as an attribute, into those of desktop Word.
 */
function asDesktopItems(wrapper: Element): void {
  const items = [...wrapper.querySelectorAll('li')].map((item) => {
    const level = item.dataset.ariaLevel ?? item.getAttribute('aria-level') ?? '1';
    const paragraph = document.createElement('p');
    paragraph.className = 'MsoListParagraph';
    paragraph.dataset.style = `mso-list:l0 level${level} lfo1`;
    const marker = document.createElement('span');
    marker.dataset.style = 'mso-list:Ignore';
    marker.textContent = item.closest('ol') ? '1.' : '·';
    for (const inner of item.querySelectorAll('p')) inner.replaceWith(...inner.childNodes);
    paragraph.append(marker, ...item.childNodes);
    return paragraph;
  });
  wrapper.replaceWith(...items);
}

/**
 * Repairs lists of Google Docs, which writes a nested list beside its item, and the checkbox of a task as a picture.
 */
export function nestLists(body: HTMLElement): void {
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

// Private characters of Unicode enclose a number until the text is Markdown, since no Markdown writer escapes them.
const [REFERENCE, NOTE, END] = ['\uE0F0', '\uE0F1', '\uE0F2'];

/**
 * Finds the footnotes of word processors and web pages: a link to a note that links back. Marks both and moves the
 * notes to the end. `writeFootnotes` turns the marks into Markdown.
 * @param before the text before the paste, whose footnotes keep their numbers
 */
export function convertFootnotes(body: HTMLElement, before: string): void {
  const usedNumbers = [...before.matchAll(/\[\^(\d+)\]/g)].map(([, number]) => Number(number));
  let last = Math.max(0, ...usedNumbers);
  const numbers = new Map<string, number>();
  const notes: HTMLElement[] = [];
  for (const link of body.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')) {
    const name = targetOf(link);
    const earlierNumber = numbers.get(name);
    const note = earlierNumber === undefined ? noteOf(link, body) : null;
    if (earlierNumber === undefined && !note) continue;
    const number = earlierNumber ?? (last += 1);
    numbers.set(name, number);
    const mark = link.closest('sup') ?? link;
    mark.replaceWith(`${REFERENCE}${number}${END}`);
    if (note) notes.push(extractNote(note, `${NOTE}${number}${END}`));
  }
  body.append(...notes);
}

/** Turns the marks of `convertFootnotes` into Markdown. */
export function writeFootnotes(markdown: string): string {
  return markdown
    .replace(new RegExp(`${REFERENCE}(\\d+)${END}`, 'g'), '[^$1]')
    .replace(new RegExp(`${NOTE}(\\d+)${END}\\s*`, 'g'), '[^$1]: ');
}

const targetOf = (link: Element) => decodeURIComponent(link.getAttribute('href')!.slice(1));

const isNamed = (element: Element, name: string) =>
  element.id === name || element.getAttribute('name') === name;

/** The links in a note, or the note itself, that lead back to a link. */
function linksBack(note: Element, link: Element): Element[] {
  const targets = [link, link.closest('sup, span[id]')];
  return [note, ...note.querySelectorAll('a')].filter(
    (back) =>
      back.getAttribute('href')?.startsWith('#') &&
      targets.some((target) => target && isNamed(target, targetOf(back))),
  );
}

/** The note to which a link leads: an element after the link that links back. Null for other links. */
function noteOf(link: Element, body: Element): HTMLElement | null {
  const name = targetOf(link);
  const named = [...body.querySelectorAll<HTMLElement>('[id], [name]')].find((element) =>
    isNamed(element, name),
  );
  if (!named || !(link.compareDocumentPosition(named) & Node.DOCUMENT_POSITION_FOLLOWING)) return null;
  const backs = linksBack(named, link);
  if (backs.length === 0) return null;
  const block = named.closest<HTMLElement>('p, li, div, aside')!;
  for (const back of backs) back.remove();
  // A note of several paragraphs is the element around them, if that contains nothing else.
  const around = block.parentElement!;
  const isAlone = around.tagName === 'DIV' && around !== body && !around.contains(link);
  return isAlone && !around.querySelector('a[href^="#"]') ? around : block;
}

/** Moves the text of a note into a new paragraph, and removes the elements that are empty without it. */
function extractNote(note: HTMLElement, mark: string): HTMLElement {
  const paragraph = document.createElement('p');
  for (const back of note.querySelectorAll('a[href^="#"]'))
    if (/^[\s\d[\]^↑↩\uFE0E]*$/u.test(back.textContent)) back.remove();
  const parts = note.querySelectorAll(':scope > p');
  paragraph.append(mark);
  if (parts.length === 0) paragraph.append(...note.childNodes);
  else for (const part of parts) paragraph.append(...part.childNodes, ' ');
  let empty: Element = note;
  while (empty.parentElement!.tagName !== 'BODY' && empty.parentElement!.textContent.trim() === '')
    empty = empty.parentElement!;
  if (empty.previousElementSibling?.tagName === 'HR') empty.previousElementSibling.remove();
  empty.remove();
  return paragraph;
}
