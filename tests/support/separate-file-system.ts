import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tempFolder } from './temp-folder.ts';

export interface SeparateFileSystem {
  folder: string;
  release(): Promise<void>;
}

/** A folder on a separate file system: a mount point if the machine allows one, else in memory. */
export async function separateFileSystem(sizeMegabytes = 64): Promise<SeparateFileSystem> {
  const folder = await tempFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMegabytes}m`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return { folder, release: async () => void execFileSync('umount', ['--lazy', folder]) };
  } catch {
    const inMemory = await mkdtemp('/dev/shm/dateline-test-');
    return { folder: inMemory, release: () => rm(inMemory, { recursive: true }) };
  }
}
