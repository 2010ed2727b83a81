import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { manifestFile } from '#app/backup/format/manifest.ts';
import { importBackup } from '#app/backup/restore/import-backup.server.ts';
import { readManifest } from '#app/backup/restore/read-manifest.server.ts';
import { closeApp, createApp } from '#app/compose.server.ts';
import { databaseReason, isWriteRefusal } from '#app/platform/database/failure.server.ts';
import { migrate } from '#app/platform/database/migrations.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { AppError, isAppError, messageOf } from '#app/platform/errors.ts';
import { asFileFailure } from '#app/platform/files/disk.server.ts';
import { isBuilt } from '#app/platform/project.server.ts';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { checkIndex } from '#app/search/reindex.server.ts';
import { startWebServer } from '#app/web/server.ts';
import { askAt, type Ask } from './ask.ts';
import { checkRestoredRows, type Expected } from './check-restored-rows.ts';
import { crawlSite } from './crawl-site.ts';
import { ProblemList } from './problem-list.ts';

/** What `backup:prove` prints (contract, section 11). */
export interface BackupProof {
  inputDir: string;
  proven: boolean;
  /** Public pages that answered. */
  pages: number;
  feeds: number;
  /** Files whose bytes, as readers get them, match the manifest. */
  mediaFiles: number;
  searchDocuments: number;
  /** Seconds from the start until the site with its search index can be served. */
  restoreSeconds: number;
  problems: string[];
}

export interface ProofInput {
  inputDir: string;
  onProgress?: ReportProgress;
  /** Receives findings that are not faults of the backup. */
  onWarning?: (warning: string) => void;
}

type ReportProgress = (progress: { step: string; done: number; total: number }) => void;

/**
 * Restores a backup into a scratch instance, serves that at a Unix socket and reads every page, feed and media file. Changes
 * no other instance. Returns the problems of the backup and does not throw for them.
 * @throws AppError `not_configured` without a build of these sources
 */
export async function proveBackup(input: ProofInput): Promise<BackupProof> {
  const inputDir = path.resolve(input.inputDir);
  const { onProgress = () => {}, onWarning = () => {} } = input;
  requireBuild();
  const problems = new ProblemList();
  const proof: BackupProof = {
    inputDir,
    proven: false,
    ...{ pages: 0, feeds: 0, mediaFiles: 0, searchDocuments: 0, restoreSeconds: 0 },
    problems: problems.list,
  };
  let scratch: string | undefined;
  try {
    scratch = await mkdtemp(path.join(tmpdir(), 'dateline-prove-'));
    const variables = scratchVariables(scratch);
    const account = scratchAccount();
    const restored = await restore(inputDir, variables, account, proof, problems, onProgress);
    if (restored)
      await serve(
        { ...input, inputDir, onProgress, onWarning },
        variables,
        account,
        restored,
        proof,
        problems,
      );
  } catch (error) {
    if (isStopped(error)) throw error;
    problems.add(problemOf(error));
  } finally {
    if (scratch) await rm(scratch, { recursive: true, force: true });
  }
  return { ...proof, proven: problems.list.length === 0, problems: problems.summary() };
}

/**
 * Requires a current build: a proof starts the built server in this process, so both need the same sources.
 * @throws AppError `not_configured`
 */
export function requireBuild(): void {
  if (!isBuilt)
    throw new AppError(
      'not_configured',
      'A backup is proven by the built server, and there is no build of these sources. Run npm run build first.',
    );
}

function scratchVariables(scratch: string) {
  return {
    DATABASE_URL: `file:${path.join(scratch, 'dateline.db')}`,
    SEARCH_HOST: `file:${path.join(scratch, 'search.db')}`,
    MEDIA_STORE: `file:${path.join(scratch, 'uploads')}`,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    AUTH_URL: 'http://restored.invalid',
    LOG_LEVEL: 'silent',
    NODE_ENV: 'production' as const,
    // No cache, since each page is read once.
    PAGE_CACHE_MB: '0',
  };
}

type ScratchVariables = ReturnType<typeof scratchVariables>;

/** An account for logging in. Its random name is in no backup. */
function scratchAccount() {
  const name = `prove-${randomBytes(8).toString('hex')}`;
  const password = randomBytes(24).toString('base64url');
  return { email: `${name}@restored.invalid`, username: name, displayName: 'Backup check', password };
}

type Account = ReturnType<typeof scratchAccount>;

async function restore(
  inputDir: string,
  variables: ScratchVariables,
  account: Account,
  proof: BackupProof,
  problems: ProblemList,
  onProgress: ReportProgress,
): Promise<Expected | null> {
  const startedAt = performance.now();
  const env = parseEnv(variables, 'server');
  await migrate(env.database);
  const app = await createApp(env, { logTo: 'stderr', workers: 'inline' });
  try {
    const manifest = await readManifest(inputDir);
    const imported = await importBackup(app, { inputDir, reindexSearch: true, onProgress });
    proof.restoreSeconds = Math.round((performance.now() - startedAt) / 100) / 10;
    for (const warning of manifest.warnings) problems.add(`${manifestFile}: ${warning}`);
    if (!imported.reindexedSearch) problems.add('The search index could not be rebuilt.');
    const index = await checkIndex(app, { repair: false });
    proof.searchDocuments = index.indexedCount;
    if (index.missing + index.stale + index.orphaned > 0)
      problems.add(
        `Search: ${index.missing} documents are missing, ${index.stale} stale and ${index.orphaned} orphaned.`,
      );
    const expected = await checkRestoredRows(app, manifest, problems);
    await createAdministrator(app, account);
    return expected;
  } catch (error) {
    if (isStopped(error)) throw error;
    problems.add(problemOf(error));
    return null;
  } finally {
    await closeApp(app);
  }
}

async function serve(
  { inputDir, onProgress, onWarning }: Required<ProofInput>,
  variables: ScratchVariables,
  account: Account,
  expected: Expected,
  proof: BackupProof,
  problems: ProblemList,
): Promise<void> {
  const socket = path.join(path.dirname(variables.SEARCH_HOST.slice('file:'.length)), 'server.sock');
  const server = await startWebServer(variables, socket);
  const { ask, close } = askAt(socket);
  try {
    const siteUrl = variables.AUTH_URL;
    const { media } = await readManifest(inputDir);
    const read = await crawlSite({ ask, siteUrl, expected, media, problems, onProgress, onWarning });
    Object.assign(proof, read);
    await logIn(ask, expected.adminPath, account, problems);
  } finally {
    close();
    await server.stop();
  }
}

async function logIn(ask: Ask, adminPath: string, account: Account, problems: ProblemList): Promise<void> {
  const { email, password } = account;
  const answer = await ask({
    path: `/${adminPath}/login`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email, password }).toString(),
  });
  await answer.arrayBuffer();
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  if (answer.status !== 302 && answer.status !== 303)
    return problems.add(`/${adminPath}/login answers ${answer.status} to a login.`);
  for (const screen of ['posts', 'media', 'settings/site']) {
    const page = await ask({ path: `/${adminPath}/${screen}`, headers: { cookie } });
    await page.arrayBuffer();
    if (page.status !== 200)
      problems.add(`/${adminPath}/${screen} answers ${page.status} to an administrator.`);
  }
}

/** A scratch instance that cannot be written says nothing about the backup. */
function problemOf(error: unknown): string {
  if (isWriteRefusal(error)) {
    const reason = databaseReason(isAppError(error) ? error.cause : error);
    return `The scratch instance cannot be written in ${tmpdir()} (${reason}). Make room there, or name another folder in TMPDIR.`;
  }
  return messageOf(asFileFailure(error));
}

function isStopped(error: unknown): boolean {
  return messageOf(error) === 'Stopped.';
}
