import { pageUserHeader } from '#app/admin/frame/page-user.ts';

/** How to follow and cancel a request. */
export interface SendOptions {
  /** The share that has been sent, from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** The answer of the media library to a form, as JSON. */
export interface LibraryAnswer<Stored> {
  media?: Stored[];
  /** Why files were not stored: one entry for each, or messages by the form's field. */
  errors?: { name?: string; message: string }[] | Record<string, string>;
  /** About stored files. */
  warnings?: { name: string; message: string }[];
  error?: { message: string } | null;
}

/**
 * Posts a form to the media library. `fetch` does not report the progress of an upload.
 * @returns `answer` is null if the server's answer is not JSON
 * @throws Error with a message for people if there is no answer; `AbortError` after `signal`
 */
export function sendForm<Stored>(
  url: string,
  form: FormData,
  { onProgress, signal }: SendOptions = {},
): Promise<{ status: number; answer: LibraryAnswer<Stored> | null }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries(pageUserHeader())) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.upload.onload = () => onProgress?.(1);
    request.onerror = () => reject(new Error('The server cannot be reached.'));
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'));
    request.onload = () =>
      resolve({ status: request.status, answer: request.response as LibraryAnswer<Stored> | null });
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
