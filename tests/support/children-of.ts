import { readFile, readdir } from 'node:fs/promises';

/** The processes that a process has started, on Linux. */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const texts = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8'));
  return (await Promise.all(texts)).flatMap((text) => text.split(' ').filter(Boolean).map(Number));
}
