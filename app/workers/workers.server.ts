import { availableParallelism } from 'node:os';
import path from 'node:path';
import { AppError } from '#app/platform/errors.ts';
import { buildFolder, isBuilt, projectRoot } from '#app/platform/project.server.ts';
import { TaskLimitError, WorkerPool, type WorkerPoolOptions } from '#app/platform/worker-pool.server.ts';
import type { RenderedMarkdown, RenderOptions } from '#app/posts/markdown.server.ts';
import type { TaskCall } from './tasks.server.ts';

/** How long one text may take to render. */
export const RENDER_SECONDS = 5;

/** Work that takes much processor time, kept away from the thread that answers requests. */
export interface Workers {
  /**
   * Renders a post's body.
   * @throws AppError `invalid_input` on the field `body` when that takes too long; `unavailable` when too many texts wait
   */
  renderMarkdown(markdown: string, options: RenderOptions): Promise<RenderedMarkdown>;
  close(): Promise<void>;
}

/** Worker threads for a server. None starts before the first task. */
export function createWorkers(options: Partial<WorkerPoolOptions> = {}): Workers {
  const pool = new WorkerPool({
    file: workerFile(),
    // One core stays free for requests.
    threads: Math.max(1, Math.min(2, availableParallelism() - 1)),
    queue: 20,
    waitMs: 10_000,
    deadlineMs: RENDER_SECONDS * 1_000,
    idleMs: 60_000,
    limits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
    ...options,
  });
  return {
    async renderMarkdown(...input) {
      try {
        return (await pool.run({ name: 'renderMarkdown', input } satisfies TaskCall)) as RenderedMarkdown;
      } catch (error) {
        throw error instanceof TaskLimitError ? tooComplex() : error;
      }
    },
    close: () => pool.close(),
  };
}

/** The same work in this thread, for a command: nobody waits beside it, and a thread takes time to start. */
export function createInlineWorkers(): Workers {
  return {
    async renderMarkdown(markdown, options) {
      // Most commands render nothing.
      const { tasks } = await import('./tasks.server.ts');
      return tasks.renderMarkdown(markdown, options);
    },
    close: () => Promise.resolve(),
  };
}

/** The worker's bundle where this code is a bundle itself, else its source. */
function workerFile(): string {
  return isBuilt ? path.join(buildFolder, 'worker.js') : path.join(projectRoot, 'bin/worker.mjs');
}

function tooComplex(): AppError {
  const message = `The text takes more than ${RENDER_SECONDS} seconds to render. Make it shorter, or split it into several posts.`;
  return new AppError('invalid_input', message, { fields: { body: [message] } });
}
