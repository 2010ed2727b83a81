import type { UploadAnswer } from '#app/admin/media/media.server.ts';

/** How an upload goes; null when none is running. `share`: 0 to 1. */
export type UploadState =
  { kind: 'running'; name: string; share: number } | { kind: 'failed'; message: string };

/** Any screen's refusal of a script, such as after a logout. */
interface Refusal {
  error: { message: string };
}

const ALT_PLACEHOLDER = 'Describe this image';

/**
 * Images that are pasted or dropped into the text are uploaded, and their Markdown put where they fell;
 * the description is selected, so that it is typed next.
 * @returns what ends it.
 */
export function acceptImages(
  textarea: HTMLTextAreaElement,
  options: { url: string; onState: (state: UploadState | null) => void },
): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  textarea.addEventListener(
    'paste',
    (event) => {
      const files = imagesOf(event.clipboardData);
      // A text that was copied with its picture is a text.
      if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      void insertImages(textarea, files, options);
    },
    { signal, capture: true },
  );
  textarea.addEventListener(
    'dragover',
    (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    },
    { signal },
  );
  textarea.addEventListener(
    'drop',
    (event) => {
      const files = imagesOf(event.dataTransfer);
      if (files.length === 0) return;
      event.preventDefault();
      void insertImages(textarea, files, options);
    },
    { signal },
  );
  return () => ended.abort();
}

async function insertImages(
  textarea: HTMLTextAreaElement,
  files: File[],
  { url, onState }: Parameters<typeof acceptImages>[1],
): Promise<void> {
  for (const file of files) {
    const placeholder = `![Uploading ${file.name.replace(/[[\]()]/g, '')}…]()`;
    insert(textarea, `${placeholder}\n`);
    try {
      const { src, alt } = await upload(file, url, (share) =>
        onState({ kind: 'running', name: file.name, share }),
      );
      const description = alt || ALT_PLACEHOLDER;
      replace(textarea, placeholder, `![${description}](${src})`, [2, 2 + description.length]);
      onState(null);
    } catch (error) {
      replace(textarea, `${placeholder}\n`, '', [0, 0]);
      onState({
        kind: 'failed',
        message: `${file.name}: ${error instanceof Error ? error.message : 'failed'}`,
      });
    }
  }
}

function upload(
  file: File,
  url: string,
  onProgress: (share: number) => void,
): Promise<{ src: string; alt: string }> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append('file', file);
    form.append('alt', '');
    // `fetch` tells nothing about the progress of an upload.
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('Accept', 'application/json');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Error('The server cannot be reached.'));
    request.onload = () => {
      const answer = request.response as Partial<UploadAnswer & Refusal> | null;
      const file = answer?.media?.[0];
      if (file) resolve({ src: file.path, alt: file.alt });
      else reject(new Error(answer?.errors?.[0]?.message ?? answer?.error?.message ?? 'The upload failed.'));
    };
    onProgress(0);
    request.send(form);
  });
}

function imagesOf(transfer: DataTransfer | null): File[] {
  return [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}

/** As if typed, so that undo takes it back. */
function insert(textarea: HTMLTextAreaElement, text: string): void {
  textarea.focus();
  if (!document.execCommand('insertText', false, text)) {
    textarea.setRangeText(text, textarea.selectionStart, textarea.selectionEnd, 'end');
    textarea.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

// The editor may have typed on elsewhere: the caret moves only when it still stands at the placeholder.
function replace(textarea: HTMLTextAreaElement, from: string, to: string, select: [number, number]): void {
  const start = textarea.value.indexOf(from);
  if (start < 0) return;
  const waiting = textarea.selectionStart >= start && textarea.selectionStart <= start + from.length + 1;
  textarea.setRangeText(to, start, start + from.length, 'preserve');
  if (waiting) textarea.setSelectionRange(start + select[0], start + select[1]);
  textarea.dispatchEvent(new Event('input', { bubbles: true }));
}
