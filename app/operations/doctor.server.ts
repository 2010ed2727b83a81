import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readBackupState } from '#app/backup/write/runs.server.ts';
import { checkEffects } from '#app/effects/status.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import { databaseFailure, outageReason } from '#app/platform/database/failure.server.ts';
import { parseEnv, weakSecretWarning, type Env, listEnvironmentProblems } from '#app/platform/env.server.ts';
import { isAppError, messageOf, type AppError } from '#app/platform/errors.ts';
import { application } from '#app/platform/project.server.ts';
import type { Configured, Db, Timed } from '#app/platform/services.ts';
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
import { checkServer, serverNotChecked, type ServerFindings } from './check-server.server.ts';
import { checkSearch } from './check-search.server.ts';
import { checkMailSender } from './check-mail.server.ts';
import { checkSiteAddress } from './check-site-address.server.ts';
import { combined, notChecked, ok, problem, warning, type Finding } from './finding.ts';

export type DoctorCheck = { name: string } & Finding;

/** What `doctor` prints (contract, section 11). */
export interface Diagnosis {
  ok: boolean;
  /** The version of Dateline whose command this is. */
  version: string;
  checks: DoctorCheck[];
}

const checkNames = [
  ...(['environment', 'node', 'database', 'migrations', 'plans', 'clock', 'disk'] as const),
  ...(['permissions', 'media', 'search', 'trigger', 'effects', 'mail', 'backups', 'AUTH_URL'] as const),
  ...(['auth_secret', 'cron_secret', 'instance', 'forwarded'] as const),
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
  const siteAddress = ask(() => checkSiteAddress(app.env, variables, app.clock));
  const compared = compareWithServer(app, { database, siteAddress });
  const findings: Record<CheckName, Promise<Finding>> = {
    environment: ask(() => checkEnvironment(variables)),
    node: ask(checkNode),
    database: Promise.resolve(database),
    migrations: Promise.resolve(migrations),
    plans: whenMigrated(() => checkPlans(app)),
    clock: whenItAnswers(() => checkClock(app)),
    disk: ask(() => checkDisk(app)),
    permissions: ask(() => checkPermissions(app)),
    media: ask(() => checkMedia(app, migrations.status === 'ok')),
    search: whenMigrated(() => checkSearch(app)),
    trigger: whenMigrated(() => checkTrigger(app)),
    effects: whenMigrated(() => checkOutbox(app)),
    mail: whenMigrated(() => checkMailSender(app)),
    backups: whenMigrated(() => checkBackups(app)),
    AUTH_URL: siteAddress,
    ...compared,
  };
  const checks = await Promise.all(
    checkNames.map(async (name): Promise<DoctorCheck> => ({ name, ...(await findings[name]) })),
  );
  return { ok: checks.every(({ status }) => status !== 'problem'), version: application.version, checks };
}

/**
 * The diagnosis of an installation whose environment cannot be read.
 * @param error the first thing that is wrong with it
 */
export async function diagnoseEnvironment(
  error: AppError,
  variables: Record<string, string | undefined>,
): Promise<Diagnosis> {
  const wrong = listEnvironmentProblems(variables, 'command');
  const findings: Partial<Record<CheckName, Finding>> = {
    environment: problem(sentences(wrong.length > 0 ? wrong : [error.message])),
    node: await ask(checkNode),
  };
  const checks = checkNames.map((name) => ({ name, ...(findings[name] ?? notChecked('environment')) }));
  return { ok: false, version: application.version, checks };
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

/** The four checks by the running server, which all come from its one answer. */
function compareWithServer(
  app: Db & Configured,
  before: { database: Finding; siteAddress: Promise<Finding> },
): Record<keyof ServerFindings, Promise<Finding>> {
  const compare = async (): Promise<ServerFindings> => {
    const siteAddress = await before.siteAddress;
    if (siteAddress.status === 'problem') return serverNotChecked('AUTH_URL');
    if (before.database.status !== 'ok') return serverNotChecked('database');
    return checkServer(app);
  };
  const findings = compare();
  const of = (name: keyof ServerFindings) => ask(async () => (await findings)[name]);
  return {
    auth_secret: of('auth_secret'),
    cron_secret: of('cron_secret'),
    instance: of('instance'),
    forwarded: of('forwarded'),
  };
}

async function checkEnvironment(variables: Record<string, string | undefined>): Promise<Finding> {
  const wrong = listEnvironmentProblems({ ...variables, NODE_ENV: 'production' }, 'server');
  const findings = wrong.length > 0 ? [problem(sentences(wrong))] : warningsOf(parseEnv(variables, 'server'));
  const mode = variables.NODE_ENV?.trim() || 'production';
  if (!['production', 'development', 'test'].includes(mode))
    findings.push(
      warning(
        `NODE_ENV is “${mode}”: only “production” makes the login cookie Secure and requires the secrets. Correct it, or leave it out.`,
      ),
    );
  return combined(findings, ok('Every variable that the server needs is set.'));
}

function warningsOf(env: Env): Finding[] {
  const weak = weakSecretWarning(env);
  const missing =
    'INTERNAL_CRON_SECRET is not set: the trigger runs by command only, and metrics answer 503.';
  return [...(weak ? [warning(weak)] : []), ...(env.internalCronSecret ? [] : [warning(missing)])];
}

/** Messages in one line. One that is alone stays as every command prints it. */
function sentences(messages: readonly string[]): string {
  const missing = messages.flatMap((message) => /^(\w+) is not configured$/.exec(message)?.[1] ?? []);
  const others = messages.filter((message) => !/^\w+ is not configured$/.test(message));
  const all = missing.length > 1 ? [`${missing.join(' and ')} are not configured`, ...others] : messages;
  if (all.length === 1) return all[0]!;
  return all.map((message) => message.replace(/\.?$/, '.')).join(' ');
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
  const findings: Finding[] = [];
  const late = [state, planned].find((each) => shouldAlert(each, now));
  if (late)
    findings.push(
      problem(`A post or a scheduled change is overdue since ${late.oldestOverdueAt}. ${advice}`),
    );
  if (shouldAlertReleases(releases, now, OVERDUE_AFTER_MS))
    findings.push(
      problem('A release is overdue or blocked. Run npm run releases:status: it names it and the reason.'),
    );
  const { lastTriggeredAt } = state;
  if (lastTriggeredAt === null) findings.push(warning(`The trigger has never run. ${advice}`));
  else if (now.getTime() - Date.parse(lastTriggeredAt) > TRIGGER_LATE_MS)
    findings.push(warning(`The trigger last ran at ${lastTriggeredAt}. ${advice}`));
  return combined(findings, ok(`The trigger last ran at ${lastTriggeredAt}.`));
}

async function checkOutbox(app: Timed & Stored): Promise<Finding> {
  const state = await checkEffects(app);
  if (state === 'held')
    return warning(
      'This instance was restored or copied, so webhooks and the like are held. Run npm run effects:release if no other instance sends them.',
    );
  if (state === 'overdue')
    return problem(
      'A webhook or the like failed for good or is late. See npm run effects:status and /effects.',
    );
  return ok('Nothing that must happen outside is late.');
}

async function checkBackups(app: Timed): Promise<Finding> {
  const { lastAt, lastProvenAt, overdue } = await readBackupState(app);
  if (lastAt === null) return warning('backup:run has never run. Let cron run it every day.');
  const findings: Finding[] = [];
  if (overdue)
    findings.push(
      problem(`The last backup is of ${lastAt.toISOString()}; its schedule was missed. Look at cron.`),
    );
  const days = lastProvenAt ? (app.clock.now().getTime() - lastProvenAt.getTime()) / DAY_MS : 0;
  if (lastProvenAt === null)
    findings.push(warning('No backup was proven yet. Run npm run backup:run with --prove.'));
  else if (days > 35)
    findings.push(
      warning(`The last proven backup is ${Math.round(days)} days old. Run backup:run with --prove.`),
    );
  return combined(
    findings,
    ok(`Last backup ${lastAt.toISOString()}, last proven one ${lastProvenAt?.toISOString()}.`),
  );
}

function withDeadline(finding: Promise<Finding>): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(problem(`No answer within ${CHECK_MS / 1000} s.`)), CHECK_MS);
  });
  return Promise.race([finding, late]).finally(() => clearTimeout(timer));
}
