import type { Readable } from 'node:stream';

/**
 * Where media files are: a folder or an S3 bucket. Every operation may run again with the same result.
 *
 * - A path is relative, with `/` between its segments. A stored file never changes: its name holds its hash.
 * - Names that begin with a dot are Dateline's own files; readers never get them.
 * - S3: 3 s to connect, 15 s without a byte, 5 attempts for temporary failures (network, 429, 5xx), about 6 s of
 *   waiting between them. A read that breaks off continues where it stopped.
 * - Each method throws AppError `unavailable` when the store cannot answer.
 */
export interface MediaStore {
  /** As `MEDIA_STORE` names it, without credentials. */
  readonly address: string;
  /** The folder of a `file:` store, otherwise null. */
  readonly folder: string | null;
  /** Stores a file, wholly or not at all, and flushes it. An existing file of this path is replaced. */
  put(path: string, content: MediaContent): Promise<void>;
  /**
   * Gives a stored file a second path, without its bytes passing through here: a hard link, or a copy inside the
   * bucket.
   * @returns false where that cannot be done; then nothing is stored
   */
  copy(from: string, to: string): Promise<boolean>;
  /** @returns null if there is no such file */
  get(path: string, range?: ByteRange): Promise<StoredRead | null>;
  /**
   * An address outside this site that gives a stored file to whoever has it, with these headers, for some minutes.
   * @returns null where readers get files through the app
   */
  signedAddress(path: string, headers: SignedHeaders): Promise<string | null>;
  /** @returns null if there is no such file */
  head(path: string): Promise<StoredFacts | null>;
  /**
   * All files whose path begins with `prefix`, in no order. Dot files only if the prefix names them. Entries
   * that are no regular files are listed too.
   */
  list(prefix?: string): AsyncIterable<StoredEntry>;
  /** Removes a file. A missing one is no error. */
  delete(path: string): Promise<void>;
  /** Throws when files cannot be read or, as far as that can be seen without writing, written. */
  check(): Promise<void>;
  /** Removes what killed writes left behind before an instant. @returns how many files are gone */
  removeUnfinished(before: Date): Promise<number>;
  close(): void;
}

export interface Stored {
  /** Where uploaded files are. */
  mediaStore: MediaStore;
}

/** Files that one task reads or writes at the same time: enough to hide an object store's delay. */
export const FILES_AT_ONCE = 8;

/** A file to store. `open` is called once for each attempt. */
export interface MediaContent {
  bytes: number;
  /** Lower-case hexadecimal; a different content is an error. */
  sha256: string;
  open(): Readable;
}

/** The headers of a store's answer to a reader with a signed address. */
export interface SignedHeaders {
  'Content-Type'?: string;
  'Content-Disposition'?: string;
}

/** First and last byte, both included, within the file. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredFacts {
  bytes: number;
  /** Set when the store records it. */
  sha256?: string;
}

export interface StoredRead {
  /** Of the whole file. */
  bytes: number;
  /** Of the whole file, where the store records it. */
  sha256?: string;
  /** The range, or all of it. Read it to its end or destroy it. */
  body: Readable;
}

export interface StoredEntry extends StoredFacts {
  path: string;
  /** False for links, devices and the like. */
  isFile: boolean;
}

/** True for Dateline's own files: a segment begins with a dot, and `prefix` does not ask for them. */
export function isHidden(path: string, prefix: string): boolean {
  return path
    .split('/')
    .some((segment, index) => segment.startsWith('.') && !(index === 0 && prefix.startsWith('.')));
}
