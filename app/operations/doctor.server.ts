import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readBackupState } from '#app/backup/write/runs.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import { databaseFailure, outageReason } from '#app/platform/database/failure.server.ts';
import { isConfigured, parseEnv, weakSecretWarning } from '#app/platform/env.server.ts';
import { isAppError, messageOf, type AppError } from '#app/platform/errors.ts';
import type { Configured, Timed } from '#app/platform/services.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import {
  OVERDUE_AFTER_MS,
  readPlannedChanges,
  readPublishingState,
  shouldAlert,
} from '#app/publishing/trigger/status.server.ts';
import { listScheduledReleases, shouldAlertReleases } from '#app/releases/status.server.ts';
import type { Searched } from '#app/search/engine.ts';
import { checkClock, checkDatabase, checkMigrations, checkPlans } from './check-database.server.ts';
import { checkDisk, checkMedia, checkPermissions } from './check-host.server.ts';
import { checkSearch } from './check-search.server.ts';
import { checkSiteAddress } from './check-site-address.server.ts';
import { notChecked, ok, problem, warning, type Finding } from './finding.ts';

export type DoctorCheck = { name: string } & Finding;

/** What `doctor` prints (contract, section 11). */
export interface Diagnosis {
  ok: boolean;
  checks: DoctorCheck[];
}

const checkNames = [
  ...(['environment', 'node', 'database', 'migrations', 'plans', 'clock', 'disk'] as const),
  ...(['permissions', 'media', 'search', 'trigger', 'backups', 'AUTH_URL'] as const),
];
type CheckName = (typeof checkNames)[number];

/** Longer than every check needs on a slow network. */
const CHECK_MS = 20_000;
const TRIGGER_LATE_MS = 15 * 60 * 1000;

type Check = () => Promise<Finding>;

/** Checks everything that an installation depends on. Never throws; changes nothing. */
export async function diagnose(
  app: Timed & Configured & Stored & Searched,
  variables: Record<string, string | undefined>,
): Promise<Diagnosis> {
  const database = await ask(() => checkDatabase(app));
  const whenItAnswers = (check: Check) => after('database', database, check);
  const migrations = await whenItAnswers(() => checkMigrations(app));
  const whenMigrated = (check: Check) => whenItAnswers(() => after('migrations', migrations, check));
  const findings: Record<CheckName, Promise<Finding>> = {
    environment: ask(() => checkEnvironment(variables)),
    node: ask(checkNode),
    database: Promise.resolve(database),
    migrations: Promise.resolve(migrations),
    plans: whenMigrated(() => checkPlans(app)),
    clock: whenItAnswers(() => checkClock(app)),
    disk: ask(() => checkDisk(app)),
    permissions: ask(() => checkPermissions(app)),
    media: ask(() => checkMedia(app)),
    search: whenMigrated(() => checkSearch(app)),
    trigger: whenMigrated(() => checkTrigger(app)),
    backups: whenMigrated(() => checkBackups(app)),
    AUTH_URL: ask(() => checkSiteAddress(app.env, variables, app.clock)),
  };
  const checks = await Promise.all(
    checkNames.map(async (name): Promise<DoctorCheck> => ({ name, ...(await findings[name]) })),
  );
  return { ok: checks.every(({ status }) => status !== 'problem'), checks };
}

/**
 * The diagnosis of an installation whose environment cannot be read.
 * @param error the first thing that is wrong with it
 */
export async function diagnoseEnvironment(error: AppError): Promise<Diagnosis> {
  const findings: Partial<Record<CheckName, Finding>> = {
    environment: problem(error.message),
    node: await ask(checkNode),
  };
  const checks = checkNames.map((name) => ({ name, ...(findings[name] ?? notChecked('environment')) }));
  return { ok: false, checks };
}

function ask(check: Check): Promise<Finding> {
  const failed = (error: unknown) =>
    problem(messageOf(isAppError(error) || outageReason(error) === null ? error : databaseFailure(error)));
  return withDeadline(check().catch(failed));
}

/** @param first the check that must be fine for `check` to say anything */
async function after(first: string, finding: Finding, check: Check): Promise<Finding> {
  if (finding.status === 'ok') return ask(check);
  return notChecked(first);
}

async function checkEnvironment(variables: Record<string, string | undefined>): Promise<Finding> {
  const missing = ['AUTH_SECRET', 'AUTH_URL'].filter((name) => !isConfigured(variables[name]));
  // `parseEnv` names only the first one.
  if (missing.length > 1) return problem(`${missing.join(' and ')} are not configured`);
  parseEnv({ ...variables, NODE_ENV: 'production' }, 'server');
  const env = parseEnv(variables, 'server');
  const weak = weakSecretWarning(env);
  if (weak) return warning(weak);
  const mode = variables.NODE_ENV?.trim() || 'production';
  if (!['production', 'development', 'test'].includes(mode))
    return warning(
      `NODE_ENV is “${mode}”: only “production” makes the login cookie Secure and requires the secrets. Correct it, or leave it out.`,
    );
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
 * Checks the version of Node and the machine code of better-sqlite3. Since 24.19, Node's headers remove a cleanup hook
 * from each freed object. With better-sqlite3 12 such code ends the process during a garbage collection. The binary
 * that npm downloads for 12.11.1 was compiled with older headers.
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

async function checkTrigger(app: Timed & Configured): Promise<Finding> {
  const now = app.clock.now();
  const [state, planned, releases] = await Promise.all([
    readPublishingState(app),
    readPlannedChanges(app),
    listScheduledReleases(app, now),
  ]);
  const advice = 'Let cron run npm run posts:publish-scheduled every 5 minutes.';
  const late = [state, planned].find((each) => shouldAlert(each, now));
  if (late)
    return problem(`A post or a scheduled change is overdue since ${late.oldestOverdueAt}. ${advice}`);
  if (shouldAlertReleases(releases, now, OVERDUE_AFTER_MS))
    return problem(
      'A release is overdue or blocked. Run npm run releases:status: it names it and the reason.',
    );
  if (state.lastTriggeredAt === null) return warning(`The trigger has never run. ${advice}`);
  const age = now.getTime() - Date.parse(state.lastTriggeredAt);
  if (age > TRIGGER_LATE_MS) return warning(`The trigger last ran at ${state.lastTriggeredAt}. ${advice}`);
  return ok(`The trigger last ran at ${state.lastTriggeredAt}.`);
}

async function checkBackups(app: Timed): Promise<Finding> {
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
