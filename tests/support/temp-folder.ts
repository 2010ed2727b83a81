import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atFileEnd } from './file-end.ts';

const folders: string[] = [];

/** A new empty folder, which is removed at the end of the test file. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-test-'));
  folders.push(folder);
  return folder;
}

atFileEnd(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))));
