import { WidgetType, type EditorView } from '@codemirror/view';

/** A picture, video or audio file as the Markdown names it. */
export interface MediaText {
  alt: string;
  src: string;
  caption: string;
  /** `wide` or `full`; empty for the width of the text. */
  width: string;
  /** It says nothing that the text does not say, so it needs no description. */
  isDecorative: boolean;
  /** Of the Markdown, in characters. */
  length: number;
}

const pattern =
  /^!\[((?:\\.|[^\]\\])*)\]\(\s*(<[^<>\n]*>|[^\s()]*)(?:\s+"((?:\\.|[^"\\])*)")?\s*\)(?:\{((?:\.(?:wide|full|decorative)\s*)+)\})?/;

/** Reads the picture at the beginning of a text; null where it is written in another way. */
export function readMedia(text: string): MediaText | null {
  const match = pattern.exec(text);
  if (!match?.[2]) return null;
  const [whole, alt = '', src, caption = '', marks = ''] = match;
  return {
    alt: unescape(alt),
    src: src.replace(/^<|>$/g, ''),
    caption: unescape(caption),
    width: /wide|full/.exec(marks)?.[0] ?? '',
    isDecorative: marks.includes('.decorative'),
    length: whole.length,
  };
}

/** The Markdown of a picture. */
export function writeMedia({ alt, src, caption, width, isDecorative }: Omit<MediaText, 'length'>): string {
  const marks = [width, isDecorative && 'decorative'].filter(Boolean).map((name) => `.${name}`);
  const title = caption === '' ? '' : ` "${caption.replace(/["\\]/g, '\\$&')}"`;
  const address = /[\s()]/.test(src) ? `<${src}>` : src;
  return `![${alt.replace(/[[\]\\]/g, '\\$&')}](${address}${title})${marks.length === 0 ? '' : `{${marks.join(' ')}}`}`;
}

function unescape(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

const sizes = [
  ['', 'As wide as the text'],
  ['wide', 'Wide'],
  ['full', 'Full width'],
] as const;

/** Shows a picture or a player in the place of its Markdown, with its caption and description to type. */
export class MediaWidget extends WidgetType {
  constructor(
    readonly media: MediaText,
    readonly isAlone: boolean,
  ) {
    super();
  }

  override eq(other: MediaWidget): boolean {
    return writeMedia(other.media) === writeMedia(this.media) && other.isAlone === this.isAlone;
  }

  toDOM(view: EditorView): HTMLElement {
    const box = document.createElement('span');
    box.className = `md-figure ${this.isAlone ? '' : 'md-figure-inline'} md-width-${this.media.width || 'text'}`;
    box.append(this.player(view, box));
    if (this.isAlone) box.append(this.texts(view, box));
    return box;
  }

  private player(view: EditorView, box: HTMLElement): HTMLElement {
    const { src, alt } = this.media;
    const kind = /\.(mp4|webm)$/i.test(src)
      ? 'video'
      : /\.(mp3|m4a|ogg|opus|wav|flac)$/i.test(src)
        ? 'audio'
        : 'img';
    const player = document.createElement(kind);
    player.src = src;
    if (player instanceof HTMLImageElement) {
      player.alt = alt;
      player.onload = () => view.requestMeasure();
      player.onerror = () => box.classList.add('md-missing');
      player.title = 'Click to edit the Markdown';
      player.onclick = () => {
        view.dispatch({ selection: { anchor: view.posAtDOM(box) + 2 } });
        view.focus();
      };
    } else {
      player.controls = true;
      player.preload = 'metadata';
      player.setAttribute('aria-label', alt);
    }
    return player;
  }

  private texts(view: EditorView, box: HTMLElement): HTMLElement {
    const row = document.createElement('span');
    row.className = 'md-figure-texts';
    const change = (part: Partial<MediaText>) => {
      const from = view.posAtDOM(box);
      const insert = writeMedia({ ...this.media, ...part });
      view.dispatch({ changes: { from, to: from + this.media.length, insert }, userEvent: 'input' });
    };
    const words = input('Description for people who can’t see it', this.media.alt, (alt) => change({ alt }));
    words.disabled = this.media.isDecorative;
    row.append(
      input('Caption', this.media.caption, (caption) => change({ caption })),
      words,
      decorativeBox(this.media.isDecorative, (isDecorative) => {
        change(isDecorative ? { isDecorative, alt: '' } : { isDecorative });
      }),
    );
    const size = document.createElement('select');
    size.setAttribute('aria-label', 'Width');
    for (const [value, label] of sizes) size.add(new Option(label, value, false, value === this.media.width));
    size.onchange = () => change({ width: size.value });
    row.append(size);
    return row;
  }

  override ignoreEvent(): boolean {
    return true;
  }

  override get estimatedHeight(): number {
    return this.isAlone ? 320 : -1;
  }
}

function decorativeBox(isChecked: boolean, onChange: (isDecorative: boolean) => void): HTMLElement {
  const label = document.createElement('label');
  label.title = 'It needs no description: screen readers pass it by';
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = isChecked;
  box.onchange = () => onChange(box.checked);
  label.append(box, 'Decorative');
  return label;
}

function input(label: string, value: string, onChange: (value: string) => void): HTMLInputElement {
  const field = document.createElement('input');
  field.type = 'text';
  field.value = value;
  field.placeholder = label;
  field.setAttribute('aria-label', label);
  field.onchange = () => onChange(field.value.replace(/\s+/g, ' ').trim());
  field.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    field.blur();
  };
  return field;
}
