import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBackupState } from '#app/backup/write/runs.server.ts';
import { checkEffects } from '#app/effects/status.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import { checkNewsletter } from '#app/newsletter/issues.server.ts';
import { isWriteRefusal } from '#app/platform/database/failure.server.ts';
import { isMigrated } from '#app/platform/database/migrations.server.ts';
import { recordOf } from '#app/platform/narrow.ts';
import type { Timed, Configured } from '#app/platform/services.ts';
import { isPublic } from '#app/posts/lists/queries.server.ts';
import { checkPublishing } from '#app/publishing/trigger/status.server.ts';
import type { Searched } from '#app/search/engine.ts';

/** How long the result of a trial write is valid. */
const TRIAL_EVERY_MS = 10_000;
/** More than the free space in the last page of a file, so that the trial needs new disk space. */
const TRIAL_BYTES = 192 * 1024;
const TRIAL_ROW = 'write-check';

/** Whether the database accepts writes, for readiness. */
export interface WriteCheck {
  /** Must be called for every failed statement. */
  noteFailure(error: unknown): void;
  /**
   * False from the first write that the database refused (disk full, read-only) until a trial write succeeds. Costs
   * nothing as long as no write was refused. Otherwise it makes a trial write at most once every ten seconds, however
   * often it is called.
   */
  isWritable(): Promise<boolean>;
}

/** @param monotonic milliseconds from any beginning; the wall clock may jump */
export function createWriteCheck(app: Timed, monotonic = () => performance.now()): WriteCheck {
  let refused = false;
  let triedAt = -Infinity;
  let trial: Promise<boolean> | undefined;

  async function tryWriting(): Promise<boolean> {
    try {
      await writeAndRemove(app);
      return true;
    } catch {
      return false;
    }
  }

  return {
    noteFailure(error) {
      // Until the first trial, the refusal counts as its result.
      if (!refused && isWriteRefusal(error)) [refused, triedAt] = [true, monotonic()];
    },
    async isWritable() {
      if (!refused) return true;
      if (!trial && monotonic() - triedAt >= TRIAL_EVERY_MS) {
        trial = tryWriting().finally(() => {
          trial = undefined;
          triedAt = monotonic();
        });
        refused = !(await trial);
      } else if (trial) await trial;
      return !refused;
    },
  };
}

// Committed, not rolled back: SQLite allocates disk space only at the commit.
async function writeAndRemove({ db, clock }: Timed): Promise<void> {
  const row = {
    holder: TRIAL_ROW,
    expiresAt: clock.now(),
    // Random, so that PostgreSQL cannot compress it.
    details: randomBytes((TRIAL_BYTES * 3) / 4).toString('base64'),
  };
  const where = { name: TRIAL_ROW };
  await db.lease.upsert({ where, create: { ...where, ...row }, update: row });
  await db.lease.deleteMany({ where });
}

/** Time limit of each check. */
const CHECK_MS = 1_500;

const readinessChecks = [
  ...(['database', 'search', 'migrations', 'uploads'] as const),
  ...(['publishing', 'backups', 'effects', 'newsletter'] as const),
];

/** `/api/ready` (contract, section 3): each check `ok` or a short word, without addresses or versions. */
interface Readiness {
  status: 'ok' | 'degraded' | 'down';
  checks: Record<(typeof readinessChecks)[number], string>;
}

/** What the server knows without a check. */
interface ServerState {
  /**
   * The server has already detected the outage. A query could still succeed: an open connection keeps a removed file.
   */
  databaseDown?: boolean;
  /** The server is stopping: nothing is checked. */
  stopping?: boolean;
  writeCheck?: WriteCheck;
}

/** Checks everything that serving depends on. Never throws, never takes longer than two seconds. */
export async function readReadiness(
  app: Timed & Configured & Stored & Searched,
  state: ServerState = {},
): Promise<Readiness> {
  if (state.stopping) return { status: 'down', checks: recordOf(readinessChecks, () => 'stopping') };
  const [database, search, migrations, uploads, publishing, backups, effects, newsletter] = await Promise.all(
    [
      check('unreachable', async () => {
        if (state.databaseDown) return 'unreachable';
        await app.db.siteState.findFirst({ select: { id: true } });
        return (await state.writeCheck?.isWritable()) === false ? 'unwritable' : 'ok';
      }),
      check('unreachable', async () => {
        const health = await app.search.health();
        if (health !== 'missing') return health;
        // The first trigger after the first publication creates the index.
        return (await app.db.post.findFirst({ where: isPublic, select: { id: true } })) ? 'missing' : 'ok';
      }),
      check('unknown', async () => ((await isMigrated(app.db, app.env.database.dialect)) ? 'ok' : 'pending')),
      check('unwritable', async () => {
        await app.mediaStore.check();
        return 'ok';
      }),
      check('unknown', () => checkPublishing(app)),
      check('unknown', async () => ((await readBackupState(app)).overdue ? 'overdue' : 'ok')),
      check('unknown', () => checkEffects(app)),
      check('unknown', () => checkNewsletter(app)),
    ],
  );
  const checks = { database, search, migrations, uploads, publishing, backups, effects, newsletter };
  const serves = database === 'ok' && migrations === 'ok' && uploads === 'ok';
  const fine = [search, publishing, backups, effects, newsletter].every((state) => state === 'ok');
  return { status: !serves ? 'down' : fine ? 'ok' : 'degraded', checks };
}

async function check(failure: string, look: () => Promise<string>): Promise<string> {
  const looked = look().catch(() => failure);
  return Promise.race([looked, sleep(CHECK_MS, 'timeout', { ref: false })]);
}
