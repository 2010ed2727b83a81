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
