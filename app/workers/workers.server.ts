import { availableParallelism } from 'node:os';
import path from 'node:path';
import { AppError, fieldError, isAppError } from '#app/platform/errors.ts';
import {
  TaskLimitError,
  WorkerPool,
  type WorkerPoolOptions,
  startProcess,
  startThread,
} from '#app/platform/jobs/worker-pool.server.ts';
import { say } from '#app/platform/message.ts';
import { buildFolder, isBuilt, projectRoot } from '#app/platform/project.server.ts';
import type { ShownBlocks } from '#app/posts/history/compare-pages.ts';
import { compareAsWhole } from '#app/posts/history/compare-passages.ts';
import { compareAsBlocks, type ShownLine } from '#app/posts/history/compare-texts.ts';
import type { MergedText, Merging } from '#app/posts/history/merge-paragraphs.ts';
import type { Passage } from '#app/posts/history/passages.ts';
import type { RenderedMarkdown, Rendering } from '#app/posts/markdown/render.server.ts';
import type { SiteMaking } from '#app/time-travel/prepare-site.server.ts';
import type { RenderedPage, PageTasks } from './page-tasks.ts';
import { loadTasks, type PoolName, type TaskCall } from './tasks.server.ts';

/** How long one text may take to render. */
const RENDER_SECONDS = 5;
/** How long a comparison of two or three texts may take. Then they are compared in whole blocks. */
const COMPARISON_SECONDS = 2;
/** How long the copy of a large site may take on a busy machine. */
const SITE_MINUTES = 5;
/** How long a checkpoint may wait for a slow disk. */
const CHECKPOINT_SECONDS = 60;
/** How long one page of the site at an instant may take. */
const PAGE_SECONDS = 30;

/** Runs work that takes much processor time outside the thread that answers requests. */
export type Workers = Rendering['workers'] &
  Merging['workers'] &
  SiteMaking['workers'] &
  PageTasks & {
    /** Compares two texts line by line, or in whole blocks when that takes too long or too many comparisons wait. */
    compareTexts(before: string, after: string): Promise<ShownLine[]>;
    /** Compares two rendered texts block by block (`comparePages`); null if they differ in too much, and in the same cases. */
    comparePages(before: string, after: string): Promise<ShownBlocks[] | null>;
    /** Compares two versions of a text paragraph by paragraph (`comparePassages`), or as a whole in the same cases. */
    comparePassages(base: string | null, mine: string, theirs: string): Promise<Passage[]>;
    /** The text with the changes of both versions; null if they changed the same lines, and in the same cases. */
    mergeTexts(base: string, mine: string, theirs: string): Promise<string | null>;
    /** Makes a checkpoint of a SQLite file. Rejects when the checkpoint takes too long. */
    checkpoint(file: string): Promise<void>;
    close(): Promise<void>;
  };

/**
 * Worker threads and worker processes for a server. None starts before the first task.
 * @param options for the pool that renders texts
 */
export function createWorkers(options: Partial<WorkerPoolOptions> = {}): Workers {
  const { deadlineMs: renderMs = RENDER_SECONDS * 1_000 } = options;
  const pools = createPools({ deadlineMs: renderMs, ...options });
  const { texts, sites, checkpoints } = pools;
  const compare = async <Result>(call: TaskCall<'texts'>) =>
    (await texts.run(call, COMPARISON_SECONDS * 1_000).catch(asNotCompared)) as Result | null;
  const runForSite = async (call: TaskCall<'sites'>) =>
    void (await sites.run(call, SITE_MINUTES * 60_000).catch(asAppError(tooLarge)));
  return {
    async renderMarkdown(...input) {
      const call: TaskCall<'texts'> = { name: 'renderMarkdown', input };
      const rendered = await texts.run(call).catch(asAppError(() => tooComplex(renderMs)));
      return rendered as RenderedMarkdown;
    },
    compareTexts: async (...input) =>
      (await compare<ShownLine[]>({ name: 'compareTexts', input })) ?? compareAsBlocks(...input),
    comparePages: (...input) => compare<ShownBlocks[]>({ name: 'comparePages', input }),
    comparePassages: async (...input) =>
      (await compare<Passage[]>({ name: 'comparePassages', input })) ?? compareAsWhole(...input),
    mergeTexts: (...input) => compare<string>({ name: 'mergeTexts', input }),
    async mergeParagraphs(...input) {
      const call: TaskCall<'texts'> = { name: 'mergeParagraphs', input };
      return (await texts.run(call).catch(asAppError(tooSlowToMerge))) as MergedText;
    },
    prepareSite: (plan) => runForSite({ name: 'prepareSite', input: [plan] }),
    prepareSiteSearch: (plan) => runForSite({ name: 'prepareSiteSearch', input: [plan] }),
    async renderPage(...input) {
      const call: TaskCall<'sites'> = { name: 'renderPage', input };
      return (await sites.run(call, PAGE_SECONDS * 1_000).catch(asAppError(tooSlow))) as RenderedPage;
    },
    async checkpoint(file) {
      const call: TaskCall<'checkpoints'> = { name: 'checkpointSqlite', input: [file] };
      await checkpoints.run(call);
    },
    close: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.close()))),
  };
}

/** A pool for each kind of work. @param ofTexts options of the pool that renders texts */
function createPools(ofTexts: Partial<WorkerPoolOptions> & Pick<WorkerPoolOptions, 'deadlineMs'>) {
  const texts = new WorkerPool({
    ...entryOf('texts', 5),
    start: startThread,
    // One core stays free for requests.
    workers: Math.max(1, Math.min(2, availableParallelism() - 1)),
    queue: 50,
    waitMs: 10_000,
    idleMs: 60_000,
    limits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
    ...ofTexts,
  });
  // A separate process, so that V8's background work for a site of the past or future does not delay readers.
  const sites = new WorkerPool({
    ...entryOf('sites', 15),
    start: startProcess,
    workers: 1,
    // A browser requests a page's stylesheet and pictures at the same time.
    queue: 50,
    waitMs: 60_000,
    deadlineMs: SITE_MINUTES * 60_000,
    idleMs: 60_000,
    limits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });
  // A separate pool, so that no other work waits for the disk.
  const checkpoints = new WorkerPool({
    ...entryOf('checkpoints', 5),
    start: startThread,
    workers: 1,
    queue: 2,
    waitMs: 60_000,
    deadlineMs: CHECKPOINT_SECONDS * 1_000,
    idleMs: 60_000,
    limits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 3 },
  });
  return { texts, sites, checkpoints };
}

/** A handler that throws an AppError for a task that was ended at a limit, and any other error unchanged. */
function asAppError(errorFor: (cause: TaskLimitError) => AppError): (error: unknown) => never {
  return (error) => {
    throw error instanceof TaskLimitError ? errorFor(error) : error;
  };
}

/** Null for a comparison that was ended at a limit or not begun; throws any other error. */
function asNotCompared(error: unknown): null {
  if (error instanceof TaskLimitError || (isAppError(error) && error.code === 'unavailable')) return null;
  throw error;
}

/** Worker threads for a command with much work: any number of texts may wait, and a text may take ten minutes. */
export function createPatientWorkers(): Workers {
  const ms = 10 * 60_000;
  return createWorkers({
    queue: Infinity,
    waitMs: ms,
    deadlineMs: ms,
    limits: { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 24 },
  });
}

/** Runs the work in the thread of a command: no requests wait for it, and starting a thread takes time. */
export function createInlineWorkers(): Workers {
  let loaded: ReturnType<typeof loadTasks.sites> | undefined;
  const sites = () => (loaded ??= loadTasks.sites());
  return {
    // Loaded lazily: most commands do not need it.
    renderMarkdown: async (...input) => (await loadTasks.texts()).renderMarkdown(...input),
    compareTexts: async (...input) => (await loadTasks.texts()).compareTexts(...input),
    comparePages: async (...input) => (await loadTasks.texts()).comparePages(...input),
    comparePassages: async (...input) => (await loadTasks.texts()).comparePassages(...input),
    mergeTexts: async (...input) => (await loadTasks.texts()).mergeTexts(...input),
    mergeParagraphs: async (...input) => (await loadTasks.texts()).mergeParagraphs(...input),
    prepareSite: async (plan) => (await sites()).prepareSite(plan),
    prepareSiteSearch: async (plan) => (await sites()).prepareSiteSearch(plan),
    // No command renders pages.
    renderPage: () => Promise.reject(new AppError('unavailable', 'Only a server renders pages.')),
    checkpoint: async (file) => (await loadTasks.checkpoints()).checkpointSqlite(file),
    close: () => Promise.resolve(),
  };
}

/**
 * The file that a pool's workers run: the bundle if this code is bundled, else the source.
 * @param niceness added to that of the process; for threads only on Linux
 */
function entryOf(
  pool: PoolName,
  niceness: number,
): Pick<WorkerPoolOptions, 'file' | 'niceness' | 'workerData'> {
  const file = isBuilt ? path.join(buildFolder, 'worker.js') : path.join(projectRoot, 'bin/worker.mjs');
  return { file, niceness, workerData: { pool } };
}

function tooComplex(renderMs: number): AppError {
  return fieldError(
    'body',
    say(
      'The text takes more than {seconds} seconds to render. Make it shorter, or split it into several posts.',
      { seconds: renderMs / 1_000 },
    ),
  );
}

function tooSlowToMerge(cause: TaskLimitError): AppError {
  const message = 'The server is busy with other work. Try again in a few seconds.';
  return new AppError('unavailable', message, { retryAfter: 10, cause });
}

function tooSlow(cause: TaskLimitError): AppError {
  const message = say(
    'The page took longer than {seconds} seconds or needed too much memory. Try again when the server is less busy.',
    { seconds: PAGE_SECONDS },
  );
  return new AppError('unavailable', message, { retryAfter: 10, cause });
}

function tooLarge(cause: TaskLimitError): AppError {
  const message = say(
    'The preview took longer than {minutes} minutes or needed too much memory. Try again when the server is less busy.',
    { minutes: SITE_MINUTES },
  );
  return new AppError('unavailable', message, { retryAfter: 60, cause });
}
