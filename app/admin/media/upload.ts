import { countUpload } from './running-uploads.ts';
import { sendForm, type LibraryAnswer } from './send-form.ts';

/** A file that the library has stored. */
export interface StoredFile {
  id: string;
  /** The path on this site: `/uploads/…`. */
  path: string;
  alt: string;
  width: number | null;
  /** What the library has not kept of the file. */
  warning?: string;
}

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
  const { answer } = await countUpload(sendForm<StoredFile>(url, form, options));
  const [first] = answer?.media ?? [];
  if (!first) throw new Error(messageOf(answer ?? {}));
  const stored: StoredFile = { ...first, warning: answer?.warnings?.[0]?.message };
  document.dispatchEvent(new CustomEvent<StoredFile>(MEDIA_STORED, { detail: stored }));
  return stored;
}

function messageOf({ errors, error }: LibraryAnswer<StoredFile>): string {
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
