import { StateEffect, StateField, type TransactionSpec } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import { button } from './dom.ts';
import { isMedia, isDocument, isPicture, upload, type UploadOptions, type StoredFile } from '../upload.ts';
import { endOfGallery, linkMarkdown, pictureMarkdown } from './media-text.ts';
import { asParagraph, isBefore } from './insert-pictures.ts';
import { placeForFile } from './paragraph.ts';
import { wordsOf } from './words.ts';

/** A file to store in the library, and what the text shows for it. */
export interface Wanted {
  name: string;
  /** The text while it is stored; absent: that the file is being uploaded. */
  progress?: string;
  /** Null for a file that cannot be sent: the text shows only the failure. */
  send: ((options: UploadOptions) => Promise<StoredFile>) | null;
  failure: (message: string) => string;
  /** The change of the text when the file is stored. `at`: the position at which the upload was shown. */
  place: (stored: StoredFile, at: number) => TransactionSpec;
}

/** One running upload. The editor shows it as a widget at the file's future position; the text does not contain it. */
interface Upload {
  wanted: Wanted;
  /** From 0 to 1; null if only the server knows the share. */
  share: number | null;
  error: string | null;
  cancel: () => void;
  retry: () => void;
  /** The element that shows the upload. Its content changes with the progress. */
  box: HTMLElement;
}

/** The most uploads that are shown at the same time. */
const MOST_AT_ONCE = 1_000;

const add = StateEffect.define<{ upload: Upload; at: number }>({
  map: ({ upload, at }, changes) => ({ upload, at: changes.mapPos(at) }),
});
const remove = StateEffect.define<Upload>();

class UploadWidget extends WidgetType {
  constructor(readonly upload: Upload) {
    super();
  }

  override eq(other: UploadWidget): boolean {
    return other.upload === this.upload;
  }

  toDOM(): HTMLElement {
    return this.upload.box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** The uploads that are shown in the text. */
export const uploadsField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(add)) {
        const { upload, at } = effect.value;
        // Uploads at the same position are in the order in which they began.
        const side = (isBefore(transaction.state, at) ? -MOST_AT_ONCE : 1) + next.size;
        const widget = Decoration.widget({ widget: new UploadWidget(upload), side, block: true });
        next = next.update({ add: [widget.range(at)] });
      } else if (effect.is(remove))
        next = next.update({
          filter: (_from, _to, { spec }) => (spec as { widget: UploadWidget }).widget.upload !== effect.value,
        });
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Uploads files one after the other. Each becomes a separate paragraph or, in a gallery, one of its pictures. */
export function insertFiles(view: EditorView, files: readonly File[], at: number, url: string): void {
  const gallery = endOfGallery(view.state, at);
  const end = gallery ?? placeForFile(view.state, at);
  const wanted = files.map((file) =>
    wantedFile(view, file, { url, isBeside: gallery !== null && isPicture(file) }),
  );
  const started = wanted.map((one) => begin(view, one));
  view.dispatch({ effects: started.map((upload) => add.of({ upload, at: end })) });
  // Each goes before the earlier ones at the beginning of the text, so the last file is uploaded first.
  if (gallery === null && isBefore(view.state, end)) started.reverse();
  void runAll(view, started);
}

/** Shows each upload after the paragraph at its position, and runs them one after the other. */
export function uploadInOrder(view: EditorView, all: readonly { wanted: Wanted; at: number }[]): void {
  const started = all.map(({ wanted, at }) => ({
    upload: begin(view, wanted),
    at: placeForFile(view.state, at),
  }));
  view.dispatch({ effects: started.map((one) => add.of(one)) });
  void runAll(
    view,
    started.map(({ upload }) => upload),
  );
}

async function runAll(view: EditorView, uploads: readonly Upload[]): Promise<void> {
  for (const upload of uploads) await run(view, upload);
}

/** A file of this device. With `isBeside` it continues the gallery at its position. */
export function wantedFile(
  view: EditorView,
  file: File,
  { url, isBeside = false, alt = '' }: { url: string; isBeside?: boolean; alt?: string },
): Wanted {
  return {
    name: file.name,
    send: isMedia(file) ? (options) => upload(file, url, options) : null,
    failure: (message) => `${file.name}: ${message}`,
    place(stored, at) {
      const markdown = isDocument(file)
        ? linkMarkdown(file.name.replace(/\.pdf$/i, ''), stored.path)
        : pictureMarkdown({ alt: stored.alt || alt, src: stored.path });
      const { main } = view.state.selection;
      // A caret at this position moves below the uploaded file.
      const isWaiting = main.empty && main.head === at;
      const inserted = isBeside
        ? { changes: { from: at, insert: ` ${markdown}` } }
        : asParagraph(view.state, at, markdown, { caretFollows: isWaiting });
      return { ...inserted, scrollIntoView: isWaiting };
    },
  };
}

function begin(view: EditorView, wanted: Wanted): Upload {
  const box = document.createElement('div');
  box.className = 'md-upload';
  const one: Upload = {
    wanted,
    share: 0,
    error: null,
    box,
    cancel: () => view.dispatch({ effects: remove.of(one) }),
    retry: () => void run(view, one),
  };
  if (!wanted.send)
    one.error = wanted.failure(
      wordsOf(view)('This kind of file can’t be placed in a text. Upload it in the media library.'),
    );
  show(view, one);
  return one;
}

async function run(view: EditorView, one: Upload): Promise<void> {
  const { send, place, failure } = one.wanted;
  if (!send) return;
  const stopped = new AbortController();
  one.error = null;
  one.cancel = () => {
    stopped.abort();
    view.dispatch({ effects: remove.of(one) });
  };
  show(view, one);
  const onProgress = (share: number | null) => {
    one.share = share;
    const bar = one.box.querySelector('progress');
    if (bar) showShare(bar, share);
  };
  try {
    const stored = await send({ onProgress, signal: stopped.signal });
    const at = positionOf(view, one);
    if (at === null) return;
    view.dispatch({ userEvent: 'input', ...place(stored, at), effects: remove.of(one) });
  } catch (error) {
    if (stopped.signal.aborted) return;
    const t = wordsOf(view);
    one.error = failure(t(error instanceof Error ? error.message : 'The upload failed.'));
    show(view, one);
    view.requestMeasure();
  }
}

function positionOf(view: EditorView, one: Upload): number | null {
  const iterator = view.state.field(uploadsField).iter();
  for (; iterator.value; iterator.next())
    if ((iterator.value.spec as { widget: UploadWidget }).widget.upload === one) return iterator.from;
  return null;
}

function show(view: EditorView, { box, wanted, share, error, cancel, retry }: Upload): void {
  const t = wordsOf(view);
  // A pressed button disappears, so the focus moves to the text for further typing.
  const inText = (act: () => void) => () => {
    view.focus();
    act();
  };
  const words = document.createElement('span');
  words.textContent = error ?? wanted.progress ?? t('Uploading {name}', { name: wanted.name });
  box.replaceChildren(words);
  if (error) {
    words.className = 'field-error';
    words.setAttribute('role', 'alert');
    if (wanted.send) box.append(button(t('Try again'), inText(retry)));
  } else {
    const bar = document.createElement('progress');
    showShare(bar, share);
    bar.setAttribute('aria-label', t('Upload of {name}', { name: wanted.name }));
    box.append(bar);
  }
  box.append(button(t(error ? 'Dismiss' : 'Cancel'), inText(cancel)));
}

function showShare(bar: HTMLProgressElement, share: number | null): void {
  if (share === null) bar.removeAttribute('value');
  else bar.value = share;
}
