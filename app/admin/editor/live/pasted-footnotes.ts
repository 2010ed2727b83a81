// Two signs of Unicode's private area stand around a number until the text is Markdown: no Markdown writer escapes them.
const [REFERENCE, NOTE, END] = ['\uE0F0', '\uE0F1', '\uE0F2'];

/**
 * Finds the footnotes of word processors and web pages, a link to a note that links back, and marks both; the notes go to
 * the end. `writeFootnotes` makes Markdown of the marks.
 * @param before a text whose footnotes keep their numbers
 */
export function convertFootnotes(body: HTMLElement, before: string): void {
  const taken = [...before.matchAll(/\[\^(\d+)\]/g)].map(([, number]) => Number(number));
  let last = Math.max(0, ...taken);
  const numbers = new Map<string, number>();
  const notes: HTMLElement[] = [];
  for (const link of body.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')) {
    const name = targetOf(link);
    const known = numbers.get(name);
    const note = known === undefined ? noteOf(link, body) : null;
    if (known === undefined && !note) continue;
    const number = known ?? (last += 1);
    numbers.set(name, number);
    const mark = link.closest('sup') ?? link;
    mark.replaceWith(`${REFERENCE}${number}${END}`);
    if (note) notes.push(takeNote(note, `${NOTE}${number}${END}`));
  }
  body.append(...notes);
}

/** Makes footnotes of the marks of `convertFootnotes`. */
export function writeFootnotes(markdown: string): string {
  return markdown
    .replace(new RegExp(`${REFERENCE}(\\d+)${END}`, 'g'), '[^$1]')
    .replace(new RegExp(`${NOTE}(\\d+)${END}\\s*`, 'g'), '[^$1]: ');
}

const targetOf = (link: Element) => decodeURIComponent(link.getAttribute('href')!.slice(1));

const isNamed = (element: Element, name: string) =>
  element.id === name || element.getAttribute('name') === name;

/** The links of a note, or of what names it, that lead back to where a link stands. */
function linksBack(note: Element, link: Element): Element[] {
  const places = [link, link.closest('sup, span[id]')];
  return [note, ...note.querySelectorAll('a')].filter(
    (back) =>
      back.getAttribute('href')?.startsWith('#') &&
      places.some((place) => place && isNamed(place, targetOf(back))),
  );
}

/** What a link leads to, if it comes later and leads back. */
function noteOf(link: Element, body: Element): HTMLElement | null {
  const name = targetOf(link);
  const named = [...body.querySelectorAll<HTMLElement>('[id], [name]')].find((one) => isNamed(one, name));
  if (!named || !(link.compareDocumentPosition(named) & Node.DOCUMENT_POSITION_FOLLOWING)) return null;
  const backs = linksBack(named, link);
  if (backs.length === 0) return null;
  const block = named.closest<HTMLElement>('p, li, div, aside')!;
  for (const back of backs) back.remove();
  // Further paragraphs of the note are beside the first one, in an element that has nothing else.
  const around = block.parentElement!;
  const isAlone = around.tagName === 'DIV' && around !== body && !around.contains(link);
  return isAlone && !around.querySelector('a[href^="#"]') ? around : block;
}

/** A paragraph of a note's words; what is empty without it goes. */
function takeNote(note: HTMLElement, mark: string): HTMLElement {
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
