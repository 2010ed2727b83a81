/** A file that the library has stored. */
export interface StoredFile {
  id: string;
  /** The path on this site: `/uploads/…`. */
  path: string;
  alt: string;
}

/** The name of the event on `document` after the library has stored a file; its `detail` is a `StoredFile`. */
export const MEDIA_STORED = 'mediastored';

interface Answer {
  media?: StoredFile[];
  errors?: { name: string; message: string }[] | Record<string, string>;
  error?: { message: string } | null;
}

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

function send(form: FormData, url: string, { onProgress, signal }: UploadOptions): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    // `fetch` does not report the progress of an upload.
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('Accept', 'application/json');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Error('The server cannot be reached.'));
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'));
    request.onload = () => {
      const answer = (request.response ?? {}) as Answer;
      const stored = answer.media?.[0];
      if (!stored) return reject(new Error(messageOf(answer)));
      document.dispatchEvent(new CustomEvent<StoredFile>(MEDIA_STORED, { detail: stored }));
      resolve(stored);
    };
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

function messageOf({ errors, error }: Answer): string {
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
