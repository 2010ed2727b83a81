const tasks: (() => unknown)[] = [];

/**
 * Runs a task at the end of every test file. Test files share their modules within a worker, so that a hook of vitest's
 * in a shared module would belong to the first file alone.
 */
export function atFileEnd(task: () => unknown): void {
  tasks.push(task);
}

/** Called by tests/setup/file-end.ts. */
export async function fileEnds(): Promise<void> {
  // What was opened last may need what was opened before, so it closes first.
  for (const task of tasks.toReversed()) await task();
}
