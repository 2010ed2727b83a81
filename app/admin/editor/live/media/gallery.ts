import { WidgetType, type EditorView } from '@codemirror/view';
import { button, input, showValue, framed, element } from '#app/admin/editor/live/base/dom.ts';
import { leaveBlock } from '#app/admin/editor/live/base/paragraph.ts';
import { rightToLeft } from '#app/admin/editor/live/base/text-attributes.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { writeMedia, type GalleryPicture, type MediaText } from './text.ts';
import { decorativeBox, widthChoice } from './widget.ts';

/** Lets people choose pictures from the device or the library, and adds them at the end of a gallery. */
export type AddPictures = (view: EditorView, end: number, from: 'device' | 'library') => void;

/** The widget that an element shows now. The element is kept when only texts of its pictures change. */
const shownIn = new WeakMap<HTMLElement, GalleryWidget>();

/** Shows several pictures instead of their Markdown. People can describe, move, add and remove pictures. */
export class GalleryWidget extends WidgetType {
  constructor(
    readonly text: string,
    readonly pictures: GalleryPicture[],
    readonly add: AddPictures,
  ) {
    super();
  }

  override eq(other: GalleryWidget): boolean {
    return other.text === this.text;
  }

  toDOM(view: EditorView): HTMLElement {
    const box = element('div');
    this.#fill(view, box);
    return box;
  }

  override updateDOM(box: HTMLElement, view: EditorView): boolean {
    // If only texts changed, the fields and the focus stay, so that people can move on to the next field.
    if (this.#showWords(box)) return true;
    const { activeElement } = document;
    const name = box.contains(activeElement) ? activeElement!.getAttribute('data-control') : null;
    this.#fill(view, box);
    // The focus stays on the picture, so that the next key moves it again.
    if (name) box.querySelector<HTMLElement>(`[data-control="${name}"]:not(:disabled)`)?.focus();
    return true;
  }

  override get estimatedHeight(): number {
    return 240;
  }

  /** Updates the texts. @returns false if the pictures, their order or their widths have changed */
  #showWords(box: HTMLElement): boolean {
    const layoutOf = ({ pictures }: GalleryWidget) =>
      pictures.map(({ src, width }) => `${src} ${width}`).join('\n');
    const before = shownIn.get(box);
    if (!before || layoutOf(before) !== layoutOf(this)) return false;
    shownIn.set(box, this);
    for (const [index, tile] of [...box.querySelectorAll('li')].entries()) {
      const { alt, caption, isDecorative } = this.pictures[index]!;
      const field = (name: string) =>
        tile.querySelector<HTMLInputElement>(`[data-control="${name}-${index}"]`)!;
      tile.querySelector('img')!.alt = alt;
      tile.toggleAttribute('data-undescribed', alt === '' && !isDecorative);
      showValue(field('alt'), alt);
      showValue(field('caption'), caption);
      field('alt').disabled = isDecorative;
      tile.querySelector<HTMLInputElement>('input[type=checkbox]')!.checked = isDecorative;
    }
    return true;
  }

  #fill(view: EditorView, box: HTMLElement): void {
    shownIn.set(box, this);
    const now = () => shownIn.get(box)!;
    const t = wordsOf(view);
    const width = this.pictures.find((picture) => picture.width !== '')?.width ?? '';
    box.className = `md-gallery md-width-${width || 'text'}`;
    const start = () => view.posAtDOM(box);
    const replace = (from: number, to: number, insert: string) =>
      view.dispatch({ changes: { from: start() + from, to: start() + to, insert }, userEvent: 'input' });
    const tiles = this.pictures.map((_, index) => this.#tile(view, index, box, replace));
    const list = element('ul', { 'aria-label': t('Gallery') }, ...tiles);
    const end = () => start() + now().text.length;
    const setWidth = (chosen: string) =>
      replace(
        0,
        now().text.length,
        now().#joined(
          now().pictures.map((picture, index) => ({ ...picture, width: index === 0 ? chosen : '' })),
        ),
      );
    const toMarkdown = () => {
      view.dispatch({ selection: { anchor: start() } });
      view.focus();
    };
    const foot = element(
      'div',
      { class: 'md-gallery-foot' },
      button(t('Upload pictures'), () => this.add(view, end(), 'device')),
      button(t('From the library'), () => this.add(view, end(), 'library')),
      widthChoice(t, width, setWidth),
      button('Markdown', toMarkdown, { name: t('Edit the gallery as Markdown') }),
    );
    box.replaceChildren(list, foot);
  }

  #tile(
    view: EditorView,
    index: number,
    box: HTMLElement,
    replace: (from: number, to: number, insert: string) => void,
  ): HTMLElement {
    const t = wordsOf(view);
    const picture = this.pictures[index]!;
    const tile = element('li');
    const image = element('img', { src: picture.src, alt: picture.alt });
    tile.dataset.missing = t('No description yet');
    tile.toggleAttribute('data-undescribed', picture.alt === '' && !picture.isDecorative);
    // The fields of the gallery are shown while the focus is in it.
    image.onclick = () => (alt.disabled ? caption : alt).focus();
    image.onload = () => view.requestMeasure();
    image.onerror = () => tile.classList.add('md-missing');
    const now = () => shownIn.get(box)!;
    const change = (part: Partial<MediaText>) => {
      const { from, length, ...media } = now().pictures[index]!;
      replace(from, from + length, writeMedia({ ...media, ...part }));
    };
    const onLast = () => leaveBlock(view, { from: view.posAtDOM(box), length: now().text.length }, 1);
    const alt = input(t('Description'), picture.alt, {
      onChange: (words) => change({ alt: words }),
      onLast,
    });
    alt.disabled = picture.isDecorative;
    alt.dataset.control = `alt-${index}`;
    const caption = input(t('Caption'), picture.caption, {
      onChange: (words) => change({ caption: words }),
      onLast,
    });
    caption.dataset.control = `caption-${index}`;
    const number = index + 1;
    const move = (step: number) => {
      // The focus follows the picture to its new place.
      const name = step < 0 ? 'before' : 'after';
      (document.activeElement as HTMLElement | null)?.setAttribute('data-control', `${name}-${index + step}`);
      const first = Math.min(index, index + step);
      const { pictures, text } = now();
      const [left, right] = [pictures[first]!, pictures[first + 1]!];
      const written = (each: GalleryPicture) => text.slice(each.from, each.from + each.length);
      const between = text.slice(left.from + left.length, right.from);
      replace(left.from, right.from + right.length, `${written(right)}${between}${written(left)}`);
    };
    const remove = () => {
      const { pictures } = now();
      const { from, length } = pictures[index]!;
      const next = pictures[index + 1];
      const before = pictures[index - 1];
      const cut = next ? [from, next.from] : [before!.from + before!.length, from + length];
      replace(cut[0]!, cut[1]!, '');
      if (!box.isConnected) view.focus();
    };
    const toLeft = { sign: '←', name: t('Move picture {number} to the left', { number }) };
    const toRight = { sign: '→', name: t('Move picture {number} to the right', { number }) };
    const sides = view.state.facet(rightToLeft) ? [toRight, toLeft] : [toLeft, toRight];
    const [before, after] = sides.map(({ sign, name }, at) => button(sign, () => move(2 * at - 1), { name }));
    before!.disabled = index === 0;
    before!.dataset.control = `before-${index}`;
    after!.disabled = index === this.pictures.length - 1;
    after!.dataset.control = `after-${index}`;
    const removal = button('×', remove, { name: t('Remove picture {number}', { number }) });
    removal.dataset.control = `remove-${index}`;
    const buttons = element('span', { class: 'md-gallery-buttons' }, before!, after!, removal);
    const decorative = decorativeBox(t, picture, change);
    tile.append(image, buttons, alt, framed(caption), decorative);
    return tile;
  }

  /** The paragraph with its pictures rewritten. The text between the pictures is not changed. */
  #joined(pictures: GalleryPicture[]): string {
    return pictures
      .map((picture, index) => {
        const next = this.pictures[index + 1];
        const end = picture.from + picture.length;
        return writeMedia(picture) + (next ? this.text.slice(end, next.from) : '');
      })
      .join('');
  }
}
