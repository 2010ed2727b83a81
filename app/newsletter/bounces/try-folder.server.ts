import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#app/platform/errors.ts';
import { MESSAGE_BYTES } from './imap.server.ts';
import { readReport, type Report } from './read-report.ts';

const FILES_MAX = 10_000;

/** What a mail of the bounce mailbox would do to the person whose mail it is about. */
type Consequence = 'suspend' | 'unsubscribe' | 'fail' | 'nothing';

export interface TriedReports {
  suspend: number;
  unsubscribe: number;
  /** The mail counts as failed; the person stays. */
  fail: number;
  nothing: number;
  files: { file: string; would: Consequence; status: string; words: string }[];
}

/** Reads a folder of mails as if they were in the bounce mailbox, and changes nothing. */
export async function tryReports(folder: string): Promise<TriedReports> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (entries === null) throw new AppError('invalid_input', `There is no folder ${folder}.`);
  const names = entries.filter((entry) => entry.isFile() && !/^\.|\.json$/.test(entry.name));
  if (names.length > FILES_MAX)
    throw new AppError('invalid_input', `The folder has more than ${FILES_MAX} files.`);
  const result: TriedReports = { suspend: 0, unsubscribe: 0, fail: 0, nothing: 0, files: [] };
  for (const file of names.map(({ name }) => name).sort()) {
    const raw = (await readFile(path.join(folder, file))).subarray(0, MESSAGE_BYTES).toString('latin1');
    const report = readReport(raw);
    const would = consequenceOf(report);
    const { status = '', words = '' } = report.kind === 'bounce' ? report.refusal : {};
    result[would] += 1;
    result.files.push({ file, would, status, words });
  }
  return result;
}

/** What a report means for its person. */
export function consequenceOf(report: Report): Consequence {
  if (report.kind === 'complaint') return 'unsubscribe';
  if (report.kind === 'none' || report.refusal.kind === 'temporary') return 'nothing';
  return report.refusal.kind === 'address' ? 'suspend' : 'fail';
}
