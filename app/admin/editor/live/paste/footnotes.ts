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
