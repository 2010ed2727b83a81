import { access, constants, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** The shared PostgreSQL of all tests takes about 2 GB; the rest is for what the tests start. */
const FREE_BYTES = 6 * 1024 ** 3;

/**
 * A folder for temporary data at the least cost: in memory if the machine has plenty of it, else the usual temporary
 * folder. In memory, tests with a new database of PostgreSQL take a fifth less processor time (busy machine: 31 s and
 * 25 s for 64 tests).
 */
export async function memoryFolder(): Promise<string> {
  try {
    await access(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = await statfs(IN_MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= FREE_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir(); // not Linux, or a container without it
  }
}
