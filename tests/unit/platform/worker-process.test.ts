import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WorkerPool, startProcess } from '#app/platform/jobs/worker-pool.server.ts';

let folder: string;
let pool: WorkerPool;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dateline-worker-'));
  const file = path.join(folder, 'worker.mjs');
  await writeFile(
    file,
    `process.on('message', () => process.send({ kind: 'done', value: process.pid }));
     process.send({ kind: 'ready' });`,
  );
  pool = new WorkerPool({
    start: startProcess,
    file,
    niceness: 0,
    workerData: {},
    limits: { maxOldGenerationSizeMb: 64 },
    workers: 1,
    queue: 1,
    waitMs: 10_000,
    deadlineMs: 10_000,
    idleMs: 60_000,
  });
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

it('says that a task has to be tried again whose process was killed before it could be sent there', async () => {
  const pid = (await pool.run('first')) as number;
  process.kill(pid, 'SIGKILL');
  // In one turn of the event loop, which would tell this process of the end.
  while (isRunning(pid));
  await expect(pool.run('second')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  expect(await pool.run('third')).not.toBe(pid);
});

/** Until its last thread has ended, its end of the channel takes messages. */
function isRunning(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const isLeft = readdirSync(`/proc/${pid}/task`).length > 1;
  return isLeft || !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}
