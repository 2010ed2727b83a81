import type { EditorView } from '@codemirror/view';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { copyPicture, type StoredFile } from '#app/admin/media/upload.ts';
import type { PastedText } from './rich-text.ts';
import { fileTask, notice, uploadInOrder, type UploadTask } from './uploads.ts';

/** A picture of a pasted text, with its position in the text. */
type PastedPicture = { at: number } & ({ file: File; alt: string } | { address: string; written: string });

const PICTURE = /!\[((?:\\.|[^\]\\])*)\]\(<?(https?:\/\/(?:\\.|[^\s<>()\\])+)>?(?:\s+"(?:\\.|[^"\\])*")?\)/gi;

/**
 * Splits a pasted text into the text and its pictures. The text lacks the pictures that the clipboard itself contains
 * until they are uploaded.
 */
export function readPictures(
  { markdown, carried }: Pick<PastedText, 'markdown' | 'carried'>,
  carriedAddress: (index: number) => string,
): { text: string; pictures: PastedPicture[] } {
  const pictures: PastedPicture[] = [];
  const seen = new Set<string>();
  let text = '';
  let read = 0;
  for (const { 0: whole, 1: alt = '', 2: written = '', index } of markdown.matchAll(PICTURE)) {
    text += markdown.slice(read, index);
    read = index + whole.length;
    const address = written.replace(/\\(.)/g, '$1');
    const number = carried.findIndex((_, each) => carriedAddress(each) === address);
    if (number >= 0) {
      pictures.push({ at: text.length, file: fileOf(carried[number]!, number + 1), alt });
      // The picture was a separate paragraph, so the line breaks after it go too.
      if (/(^|\n\n)$/.test(text)) read += /^\n*/.exec(markdown.slice(read))![0].length;
      continue;
    }
    if (!seen.has(address) && new URL(address).origin !== location.origin)
      pictures.push({ at: text.length + 1, address, written });
    seen.add(address);
    text += whole;
  }
  return { text: (text + markdown.slice(read)).trimEnd(), pictures };
}

function fileOf(data: string, number: number): File {
  const [type = '', content = ''] = data.slice('data:'.length).split(';base64,');
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  return new File([bytes], `picture-${number}.${type.split('/')[1]}`, { type });
}

/** Uploads the pictures of the clipboard, and copies those of other sites, which may remove them at any time. */
export function storePictures(
  view: EditorView,
  pictures: readonly PastedPicture[],
  { from, lost, url }: { from: number; lost: number; url: string },
): void {
  const all = pictures.map((picture) => ({
    at: from + picture.at,
    task:
      'file' in picture
        ? fileTask(view, picture.file, { url, alt: picture.alt })
        : copyTask(view, picture, url),
  }));
  if (lost > 0) {
    const t = wordsOf(view);
    const text = t('Only the app you copied from can read the pasted pictures. Upload them here.');
    all.push({ at: view.state.selection.main.head, task: notice(text) });
  }
  uploadInOrder(view, all);
}

/** A picture of another site. The text shows it from there until it is copied. */
function copyTask(
  view: EditorView,
  { address, written }: { address: string; written: string },
  url: string,
): UploadTask {
  const t = wordsOf(view);
  const { host } = new URL(address);
  return {
    name: host,
    progress: t('Copying the picture from {host}', { host }),
    send: (sending) => copyPicture(address, url, sending),
    failure: () =>
      t(
        'The picture couldn’t be copied to the library. It is still loaded from {host}, where it may disappear.',
        {
          host,
        },
      ),
    changeFor: ({ path }: StoredFile) => ({ changes: addressesIn(view.state.sliceDoc(), written, path) }),
  };
}

/** The changes that replace an address in all pictures and links of a text. */
function addressesIn(text: string, written: string, insert: string) {
  const changes = [];
  for (let from = text.indexOf(written); from >= 0; from = text.indexOf(written, from + 1)) {
    const to = from + written.length;
    if (/\]\(<?$/.test(text.slice(from - 3, from)) && /[\s)>]/.test(text.charAt(to)))
      changes.push({ from, to, insert });
  }
  return changes;
}
