import { readFile, stat, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { App } from '#app/app.ts';
import { readBackupState } from '#app/backup/backup-runs.server.ts';
import { isSkewed, readClockSkew } from '#app/platform/database-clock.server.ts';
import { parseEnv, weakSecretWarning } from '#app/platform/env.server.ts';
import { isAppError, messageOf } from '#app/platform/errors.ts';
import { databaseFailure, outageReason } from '#app/platform/failure.server.ts';
import { isMigrated, migrationsOf } from '#app/platform/migrations.server.ts';
import { readPlannedChanges, readPublishingState, shouldAlert } from '#app/posts/status.server.ts';
import { checkSearch } from './check-search.server.ts';
import { checkSiteAddress } from './check-site-address.server.ts';

/** The result of one check. The message says what was found and what to do. */
export interface DoctorCheck {
  name: string;
  status: 'ok' | 'warning' | 'problem';
  message: string;
}

/** What `doctor` prints (contract, section 11). */
export interface Diagnosis {
  ok: boolean;
  checks: DoctorCheck[];
}

type Finding = Omit<DoctorCheck, 'name'>;

/** Longer than every check needs on a slow network. */
const CHECK_MS = 20_000;
const TRIGGER_LATE_MS = 15 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Checks everything that an installation depends on. Never throws; changes nothing. */
export async function diagnose(app: App, variables: Record<string, string | undefined>): Promise<Diagnosis> {
  const looks: [string, () => Promise<Finding>][] = [
    ['environment', () => checkEnvironment(variables)],
    ['node', checkNode],
    ['database', () => checkDatabase(app)],
    ['migrations', () => checkMigrations(app)],
    ['plans', () => checkPlans(app)],
    ['clock', () => checkClock(app)],
    ['disk', () => checkDisk(app)],
    ['permissions', () => checkPermissions(app)],
    ['media', () => checkMedia(app)],
    ['search', () => checkSearch(app)],
    ['trigger', () => checkTrigger(app)],
    ['backups', () => checkBackups(app)],
    ['AUTH_URL', () => checkSiteAddress(app.env, variables, app.clock)],
  ];
  const checks = await Promise.all(
    looks.map(async ([name, look]): Promise<DoctorCheck> => {
      const failed = (error: unknown) =>
        problem(
          messageOf(isAppError(error) || outageReason(error) === null ? error : databaseFailure(error)),
        );
      return { name, ...(await withDeadline(look().catch(failed))) };
    }),
  );
  return { ok: checks.every(({ status }) => status !== 'problem'), checks };
}

async function checkEnvironment(variables: Record<string, string | undefined>): Promise<Finding> {
  parseEnv({ ...variables, NODE_ENV: 'production' }, 'server');
  const env = parseEnv(variables, 'server');
  const weak = weakSecretWarning(env);
  if (weak) return warning(weak);
  if (!env.internalCronSecret)
    return warning(
      'INTERNAL_CRON_SECRET is not set: the trigger runs by command only, and metrics answer 503.',
    );
  return ok('Every variable that the server needs is set.');
}

async function checkNode(): Promise<Finding> {
  return checkNodeVersion(process.version, await readFile(sqliteAddon()));
}

function sqliteAddon(): string {
  const entry = createRequire(import.meta.url).resolve('better-sqlite3');
  return path.join(path.dirname(entry), '../build/Release/better_sqlite3.node');
}

/**
 * What is so with a version of Node and better-sqlite3's machine code. From 24.19 on Node's headers take a cleanup hook
 * from each object that goes; code of better-sqlite3 12 that was compiled with them ends the process while memory is
 * collected. What is downloaded for 12.11.1 is older than these headers.
 */
export function checkNodeVersion(version: string, addon: Buffer): Finding {
  const [major = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major < 20) return problem(`Node ${version} is too old. Install Node 24.`);
  if (addon.includes('RemoveEnvironmentCleanupHook'))
    return warning(
      `Node ${version} may end the server at any moment: better-sqlite3 was compiled for Node 24.19 or newer. Install Node 22 or 24.18, and run npm ci.`,
    );
  if (major < 22) return warning(`Node ${version} gets no security fixes any more. Install Node 24.`);
  if (major > 24) return warning(`Dateline is not tested with Node ${version}. Install Node 24.`);
  return ok(`Node ${version}.`);
}

async function checkDatabase(app: App): Promise<Finding> {
  await app.db.siteState.findFirst({ select: { id: true } });
  const { dialect } = app.env.database;
  return ok(dialect === 'sqlite' ? 'SQLite answers.' : 'PostgreSQL answers.');
}

async function checkMigrations(app: App): Promise<Finding> {
  if (await isMigrated(app.db, app.env.database.dialect))
    return ok('The database is at this version’s migration.');
  return problem('Migrations are missing. Run npm run db:migrate.');
}

// Without an index (dropped by hand, or missing in a restored dump) pages get slower with every post.
async function checkPlans(app: App): Promise<Finding> {
  const { dialect } = app.env.database;
  const found = await app.db.$queryRawUnsafe<{ name: string }[]>(
    dialect === 'sqlite'
      ? `SELECT name FROM sqlite_schema WHERE type = 'index'`
      : `SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema()`,
  );
  const present = new Set(found.map(({ name }) => name));
  const missing = wantedIndexes(dialect).filter((name) => !present.has(name));
  if (missing.length > 0)
    return problem(
      `Indexes are missing: ${missing.join(', ')}. Their migrations in prisma/ say how to create them.`,
    );
  return ok(`${present.size} indexes; none that a query needs is missing.`);
}

function wantedIndexes(dialect: 'sqlite' | 'postgresql'): string[] {
  const wanted = new Set<string>();
  for (const { sql } of migrationsOf(dialect))
    for (const [, created, dropped] of sql.matchAll(
      /^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?"(\w+)"|^DROP INDEX (?:IF EXISTS )?"(\w+)"/gm,
    ))
      if (created) wanted.add(created);
      else wanted.delete(dropped!);
  return [...wanted];
}

async function checkClock(app: App): Promise<Finding> {
  const skewMs = await readClockSkew(app);
  if (isSkewed(skewMs))
    return problem(
      `This host’s clock and the database’s differ by ${Math.round(skewMs / 1000)} s. Set both by NTP.`,
    );
  return ok('This host’s clock and the database’s agree.');
}

async function checkDisk(app: App): Promise<Finding> {
  const { database } = app.env;
  const folders = [
    ...(app.mediaStore.folder ? [app.mediaStore.folder] : []),
    ...(database.dialect === 'sqlite' ? [path.dirname(database.file)] : []),
  ];
  let least = 1;
  for (const folder of folders) {
    const { bavail, blocks } = await statfs(folder).catch(() => statfs(path.dirname(folder)));
    if (blocks > 0) least = Math.min(least, bavail / blocks);
  }
  const free = `${(least * 100).toFixed(1)} % of the disk are free.`;
  if (least < 0.01) return problem(`${free} Make room now: saves and uploads fail on a full disk.`);
  return least < 0.1 ? warning(`${free} Make room before it is full.`) : ok(free);
}

async function checkPermissions(app: App): Promise<Finding> {
  const readable: string[] = [];
  const { database } = app.env;
  const files = ['.env.local', ...(database.dialect === 'sqlite' ? [database.file] : [])];
  for (const file of files) {
    const found = await stat(file).catch(() => null);
    if (found && (found.mode & 0o004) !== 0) readable.push(file);
  }
  if (readable.length > 0)
    return warning(`Every user of this host can read ${readable.join(' and ')}. Run chmod o-rwx on it.`);
  if (process.getuid?.() === 0) return warning('This runs as root. Let Dateline run as a user of its own.');
  return ok('Files with secrets are readable by their owner only.');
}

async function checkMedia(app: App): Promise<Finding> {
  const { folder } = app.mediaStore;
  try {
    await app.mediaStore.check();
  } catch (error) {
    const { code } = error as { code?: string };
    if (!folder || !code?.startsWith('E')) throw error;
    const advice =
      code === 'ENOENT' ? 'Create it, or correct the address.' : 'Give it to the user of Dateline.';
    return problem(`The folder ${folder} cannot be read and written (${code}). ${advice}`);
  }
  return ok(`${app.mediaStore.address} answers.`);
}

async function checkTrigger(app: App): Promise<Finding> {
  const now = app.clock.now();
  const [state, planned] = await Promise.all([readPublishingState(app), readPlannedChanges(app)]);
  const advice = 'Let cron run npm run posts:publish-scheduled every 5 minutes.';
  if (shouldAlert(state, now) || shouldAlert(planned, now)) return problem(`Something is overdue. ${advice}`);
  if (state.lastTriggeredAt === null) return warning(`The trigger has never run. ${advice}`);
  const age = now.getTime() - Date.parse(state.lastTriggeredAt);
  if (age > TRIGGER_LATE_MS) return warning(`The trigger last ran at ${state.lastTriggeredAt}. ${advice}`);
  return ok(`The trigger last ran at ${state.lastTriggeredAt}.`);
}

async function checkBackups(app: App): Promise<Finding> {
  const { lastAt, lastProvenAt, overdue } = await readBackupState(app);
  if (lastAt === null) return warning('backup:run has never run. Let cron run it every day.');
  if (overdue)
    return problem(`The last backup is of ${lastAt.toISOString()}; its schedule was missed. Look at cron.`);
  if (lastProvenAt === null) return warning('No backup was proven yet. Run npm run backup:run with --prove.');
  const days = (app.clock.now().getTime() - lastProvenAt.getTime()) / DAY_MS;
  if (days > 35)
    return warning(`The last proven backup is ${Math.round(days)} days old. Run backup:run with --prove.`);
  return ok(`Last backup ${lastAt.toISOString()}, last proven one ${lastProvenAt.toISOString()}.`);
}

function withDeadline(finding: Promise<Finding>): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(problem(`No answer within ${CHECK_MS / 1000} s.`)), CHECK_MS);
  });
  return Promise.race([finding, late]).finally(() => clearTimeout(timer));
}

const ok = (message: string): Finding => ({ status: 'ok', message });
const warning = (message: string): Finding => ({ status: 'warning', message });
const problem = (message: string): Finding => ({ status: 'problem', message });
