import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseFormData, type FileUpload } from '@remix-run/form-data-parser';
import { mediaLimits } from '#app/media/media-limits.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';

/** A file as it was sent, waiting outside memory. */
export interface SentFile {
  /** As the browser names it; anything may stand there. */
  name: string;
  read(): Promise<Uint8Array>;
}

/** A form with files; of a repeated text the last. */
export interface Upload {
  files: SentFile[];
  texts: Record<string, string>;
}

/**
 * Reads a multipart form as it comes in, at most one file at a time in memory, and hands it to `work`;
 * what was sent is gone afterwards. The files wait on disk, since encoding them would hold up the
 * request for longer than the server waits for one.
 * @throws AppError `unsupported_media_type`; `invalid_input` when a limit is passed or the form is broken.
 */
export async function withUpload<T>(request: Request, work: (upload: Upload) => Promise<T>): Promise<T> {
  if (!/^multipart\/form-data\b/i.test(request.headers.get('Content-Type') ?? ''))
    throw new AppError('unsupported_media_type', 'This address takes files.');
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-upload-'));
  try {
    return await work(await receive(request, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const limits = {
  maxFiles: mediaLimits.files,
  maxFileSize: mediaLimits.fileBytes,
  maxTotalSize: mediaLimits.formBytes,
  maxParts: mediaLimits.files + 20,
};

async function receive(request: Request, folder: string): Promise<Upload> {
  const files: SentFile[] = [];
  const keep = async (file: FileUpload) => {
    // A form without a chosen file sends one without a name and without content.
    if (file.fieldName !== 'file' || (file.name === '' && file.size === 0)) return null;
    const place = path.join(folder, String(files.length));
    await writeFile(place, new Uint8Array(await file.arrayBuffer()));
    files.push({ name: file.name, read: () => readFile(place) });
    return null;
  };
  try {
    const form = await parseFormData(request, limits, keep);
    const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { files, texts: Object.fromEntries(texts) };
  } catch (error) {
    throw isAppError(error) ? error : asRefusal(error);
  }
}

const refusals: Record<string, string> = {
  MaxFileSizeExceededError: `A file is too large: at most ${mediaLimits.fileBytes / 1024 / 1024} MB.`,
  MaxFilesExceededError: `Too many files at once: at most ${mediaLimits.files}.`,
  MaxTotalSizeExceededError: `The files are too large together: at most ${mediaLimits.formBytes / 1024 / 1024} MB.`,
};

function asRefusal(cause: unknown): AppError {
  const name = cause instanceof Error ? cause.name : '';
  const message = refusals[name] ?? 'The form could not be read. Please send it again.';
  return new AppError('invalid_input', message, { fields: { file: [message] }, cause });
}
