import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#app/platform/errors.ts';
import type { ItemReport } from './report.ts';

/**
 * Runs `work` with a report that gets one JSON line an item. The complete file replaces an earlier report when the work
 * is done. A run that fails leaves the earlier one.
 * @param file undefined: no report is wanted
 * @throws AppError `invalid_input` when no file can be made there
 */
export async function withReportFile<T>(
  file: string | undefined,
  work: (onItem?: (report: ItemReport) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (file === undefined) return work();
  if (await isOtherFile(file))
    throw new AppError('invalid_input', `${file} is not a report of an import. Name another file.`);
  const temporary = path.join(
    path.dirname(file),
    `.${path.basename(file)}-${randomBytes(6).toString('hex')}`,
  );
  const handle = await open(temporary, 'wx', 0o600).catch((cause: unknown) => {
    throw new AppError('invalid_input', `The report ${file} cannot be written.`, { cause });
  });
  try {
    const result = await work(async (report) => void (await handle.write(`${JSON.stringify(report)}\n`)));
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
    return result;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** True for anything but an earlier report. It must not be overwritten. */
async function isOtherFile(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => null);
  if (stats === null) return false;
  if (!stats.isFile()) return true;
  if (stats.size === 0) return false;
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(9), 0, 9, 0);
    return buffer.toString('utf8', 0, bytesRead) !== '{"item":"';
  } finally {
    await handle.close();
  }
}
