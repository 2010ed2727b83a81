import { pageUserHeader } from '#app/admin/frame/page-user-field.tsx';
import type { UploadAnswer } from './media.server.ts';

let running = 0;

/** Counts an upload until it ends. */
async function countUpload<T>(upload: Promise<T>): Promise<T> {
  running += 1;
  try {
    return await upload;
  } finally {
    running -= 1;
  }
}

/** True while the page sends a file, which is lost when the page is left. */
export function isUploading(): boolean {
  return running > 0;
}

/** How to follow and cancel a request. */
interface SendOptions {
  /** The share that has been sent, from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** The answer of the media library to a form, as JSON. */
type LibraryAnswer = Partial<Omit<UploadAnswer, 'errors'>> & {
  /** Why files were not stored: one entry for each, or messages by the form's field. */
  errors?: UploadAnswer['errors'] | Record<string, string>;
  error?: { message: string } | null;
};

/**
 * Posts a form to the media library. `fetch` does not report the progress of an upload.
 * @returns `answer` is null if the server's answer is not JSON
 * @throws Error with a message for people if there is no answer; `AbortError` after `signal`
 */
export function sendForm(
  url: string,
  form: FormData,
  { onProgress, signal }: SendOptions = {},
): Promise<{ status: number; answer: LibraryAnswer | null }> {
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
      resolve({ status: request.status, answer: request.response as LibraryAnswer | null });
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

/** A file that the library has stored, and what it has not kept of it. */
export type StoredFile = UploadAnswer['media'][number] & { warning?: string };

/** The name of the event on `document` after the library has stored a file; its `detail` is a `StoredFile`. */
export const MEDIA_STORED = 'mediastored';

/** How to follow and cancel an upload. */
export interface UploadOptions {
  /** From 0 to 1; null while the share is unknown. */
  onProgress?: (share: number | null) => void;
  signal?: AbortSignal;
}

/**
 * Sends a file to the media library.
 * @throws Error with a message for people; `AbortError` after `signal`.
 */
export function upload(file: File, url: string, options: UploadOptions = {}): Promise<StoredFile> {
  const form = new FormData();
  form.append('file', file);
  form.append('alt', '');
  return send(form, url, options);
}

/**
 * Lets the server copy a picture of another site into the media library.
 * @throws as `upload`
 */
export function copyPicture(
  address: string,
  url: string,
  { onProgress, signal }: UploadOptions,
): Promise<StoredFile> {
  const form = new FormData();
  form.append('address', address);
  onProgress?.(null);
  return send(form, url, { signal });
}

async function send(form: FormData, url: string, options: UploadOptions): Promise<StoredFile> {
  const { answer } = await countUpload(sendForm(url, form, options));
  const [first] = answer?.media ?? [];
  if (!first) throw new Error(messageOf(answer ?? {}));
  const stored: StoredFile = { ...first, warning: answer?.warnings?.[0]?.message };
  document.dispatchEvent(new CustomEvent<StoredFile>(MEDIA_STORED, { detail: stored }));
  return stored;
}

function messageOf({ errors, error }: LibraryAnswer): string {
  const first = Array.isArray(errors) ? errors[0]?.message : Object.values(errors ?? {})[0];
  return first ?? error?.message ?? 'The upload failed.';
}

export function isPicture({ type }: File): boolean {
  return type.startsWith('image/');
}

/** True for a document: a text links to it instead of showing it. */
export function isDocument({ type }: File): boolean {
  return type === 'application/pdf';
}

/** True for a file that a post's text can show or link to. */
export function isMedia({ type }: File): boolean {
  return /^((image|video|audio)\/|application\/pdf$)/.test(type);
}
