import { EditorView, WidgetType } from '@codemirror/view';
import { button, input, showValue, framed, element } from '#app/admin/editor/live/base/dom.ts';
import { leaveBlock } from '#app/admin/editor/live/base/paragraph.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { CHOOSE_POSTER } from '#app/admin/editor/model/text-source.ts';
import type { Words } from '#app/ui/words.ts';
import { readMediaKind, writeMedia, type MediaText } from './text.ts';

const sizes = (t: Words) => [
  ['', t('As wide as the text')],
  ['wide', t('Wide')],
  ['full', t('Full width')],
];

/** The widget that an element shows now. The element is kept when only the texts of its picture change. */
const shownIn = new WeakMap<HTMLElement, MediaWidget>();

/** Shows a picture or a player instead of its Markdown, with inputs for its caption and description. */
export class MediaWidget extends WidgetType {
  readonly media: MediaText;
  readonly isAlone: boolean;

  constructor(media: MediaText, { isAlone }: { isAlone: boolean }) {
    super();
    this.media = media;
    this.isAlone = isAlone;
  }

  override eq(other: MediaWidget): boolean {
    return writeMedia(other.media) === writeMedia(this.media) && other.isAlone === this.isAlone;
  }

  toDOM(view: EditorView): HTMLElement {
    const box = element('span', { class: this.className });
    shownIn.set(box, this);
    box.append(this.player(view, box));
    if (this.#hasTexts) box.append(...this.texts(view, box));
    return box;
  }

  /** Keeps picture, fields and focus when only texts change, so that Tab moves from the caption to the description. */
  override updateDOM(box: HTMLElement, view: EditorView): boolean {
    const before = shownIn.get(box);
    const isSame = before?.media.src === this.media.src && before.isAlone === this.isAlone;
    if (!isSame || before.#hasTexts !== this.#hasTexts) return false;
    shownIn.set(box, this);
    const { alt, caption, isDecorative, width, duration, poster } = this.media;
    const player = box.firstElementChild!;
    if (player instanceof HTMLVideoElement) player.poster = poster;
    player.setAttribute(readMediaKind(this.media.src) === 'img' ? 'alt' : 'aria-label', alt);
    const isMissing = box.classList.contains('md-missing');
    box.className = this.className;
    box.classList.toggle('md-missing', isMissing);
    if (!this.#hasTexts) return true;
    const [captionField, altField, durationField] =
      box.querySelectorAll<HTMLInputElement>('input[type=text]');
    box.querySelector('.md-figure-more')!.textContent = this.#moreLabel(view);
    showValue(captionField!, caption);
    showValue(altField!, alt);
    if (durationField) showValue(durationField, duration);
    const posterBox = box.querySelector<HTMLElement>('.md-figure-poster');
    if (posterBox) showPoster(posterBox, wordsOf(view), poster);
    altField!.disabled = isDecorative;
    box.querySelector<HTMLInputElement>('input[type=checkbox]')!.checked = isDecorative;
    box.querySelector('select')!.value = width;
    return true;
  }

  get #hasTexts(): boolean {
    return this.isAlone && !this.media.isReference;
  }

  private get className(): string {
    return `md-figure ${this.isAlone ? '' : 'md-figure-inline'} md-width-${this.media.width || 'text'}`;
  }

  private player(view: EditorView, box: HTMLElement): HTMLElement {
    const { src, alt } = this.media;
    const kind = readMediaKind(src);
    const player = element(kind, { src });
    if (player instanceof HTMLImageElement) {
      player.alt = alt;
      player.onload = () => showCaretBelow(view, box);
      player.onerror = () => box.classList.add('md-missing');
      player.onclick = () => {
        view.dispatch({ selection: { anchor: view.posAtDOM(box) + shownIn.get(box)!.media.length } });
        view.focus();
      };
    } else {
      player.controls = true;
      player.preload = 'metadata';
      if (player instanceof HTMLVideoElement) player.poster = this.media.poster;
      player.setAttribute('aria-label', alt);
    }
    return player;
  }

  private texts(view: EditorView, box: HTMLElement): HTMLElement[] {
    const t = wordsOf(view);
    const change = (part: Partial<MediaText>) => {
      const from = view.posAtDOM(box);
      const { media } = shownIn.get(box)!;
      const insert = writeMedia({ ...media, ...part });
      view.dispatch({ changes: { from, to: from + media.length, insert }, userEvent: 'input' });
    };
    const onLast = () =>
      leaveBlock(view, { from: view.posAtDOM(box), length: shownIn.get(box)!.media.length }, 1);
    const altField = input(t('Description for people who can’t see it'), this.media.alt, {
      onChange: (alt) => change({ alt }),
      onLast,
    });
    altField.disabled = this.media.isDecorative;
    const caption = input(t('Caption'), this.media.caption, {
      onChange: (words) => change({ caption: words }),
      onLast,
    });
    caption.className = 'md-figure-caption';
    const decorative = decorativeBox(t, this.media, change);
    const fields = element('span', { class: 'md-figure-fields' }, altField, decorative);
    if (readMediaKind(this.media.src) === 'audio')
      fields.append(
        input(t('Duration, such as 1:02:30'), this.media.duration, {
          onChange: (duration) => {
            if (/^(?:(?:\d{1,2}:)?\d{1,3}:\d\d|\d{1,6})?$/.test(duration)) change({ duration });
          },
          onLast,
        }),
      );
    if (readMediaKind(this.media.src) === 'video')
      fields.append(posterChoice(t, this.media.poster, (poster) => change({ poster })));
    fields.append(widthChoice(t, this.media.width, (width) => change({ width })));
    const more = button(this.#moreLabel(view), () => {
      const { alt, isDecorative } = shownIn.get(box)!.media;
      const isAsked = alt === '' && !isDecorative;
      setShown({ isShown: fields.hidden === true || fields.dataset.first !== undefined || isAsked });
      delete fields.dataset.first;
      if (isAsked) altField.focus();
    });
    more.classList.add('md-figure-more');
    const setShown = ({ isShown }: { isShown: boolean }) => {
      fields.hidden = !isShown;
      more.setAttribute('aria-expanded', String(isShown));
    };
    // A picture without a description shows the field for it, and the others when the button is pressed.
    fields.dataset.first = '';
    setShown({ isShown: this.media.alt === '' && !this.media.isDecorative });
    return [more, framed(caption), fields];
  }

  #moreLabel(view: EditorView): string {
    const { alt, isDecorative } = this.media;
    return wordsOf(view)(alt || isDecorative ? 'Description and width' : 'No description yet');
  }

  override get estimatedHeight(): number {
    return this.isAlone ? 320 : -1;
  }
}

/** Scrolls to a caret right below a picture, which a picture that has become taller pushes out of sight. */
function showCaretBelow(view: EditorView, box: HTMLElement): void {
  view.requestMeasure();
  const { head } = view.state.selection.main;
  const distance = head - view.posAtDOM(box) - shownIn.get(box)!.media.length;
  if (view.hasFocus && distance >= 0 && distance <= 2)
    view.dispatch({ effects: EditorView.scrollIntoView(head) });
}

/** The checkbox for a picture that needs no description. Checking it removes the description. */
export function decorativeBox(
  t: Words,
  { isDecorative }: Pick<MediaText, 'isDecorative'>,
  onChange: (change: Partial<Pick<MediaText, 'isDecorative' | 'alt'>>) => void,
): HTMLElement {
  const box = element('input', { type: 'checkbox' });
  box.checked = isDecorative;
  box.onchange = () => onChange(box.checked ? { isDecorative: true, alt: '' } : { isDecorative: false });
  const title = t('It needs no description: screen readers skip it');
  return element('label', { title }, box, t('Decorative'));
}

export function widthChoice(t: Words, width: string, onChange: (width: string) => void): HTMLSelectElement {
  const size = element('select', { 'aria-label': t('Width') });
  for (const [value, label] of sizes(t)) size.add(new Option(label, value, false, value === width));
  size.onchange = () => onChange(size.value);
  return size;
}

/** Buttons that set and remove a video's poster. @param poster its address; empty for none */
function posterChoice(t: Words, poster: string, onChange: (poster: string) => void): HTMLElement {
  const box = element('span', { class: 'md-figure-poster' });
  const choose = button('', () =>
    box.dispatchEvent(new CustomEvent(CHOOSE_POSTER, { bubbles: true, detail: onChange })),
  );
  const remove = button(t('Remove the poster'), () => {
    onChange('');
    choose.focus();
  });
  box.append(choose, remove);
  showPoster(box, t, poster);
  return box;
}

/** Updates the buttons for a poster. @param poster its address; empty for none */
function showPoster(box: HTMLElement, t: Words, poster: string): void {
  const [choose, remove] = box.querySelectorAll('button');
  choose!.textContent = t(poster === '' ? 'Choose a poster…' : 'Choose another poster…');
  remove!.hidden = poster === '';
}
