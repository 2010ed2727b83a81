/** A stored backup, as far as retention needs it. */
export interface StoredBackup {
  name: string;
  createdAt: Date;
  proven: boolean;
}

/** The number of days, weeks and months whose newest backup is kept; without a number, none of that kind. */
export interface KeepRules {
  daily?: number;
  weekly?: number;
  monthly?: number;
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * The backups that may be removed. Keeps the newest, the last proven one, and the newest of each of the last days,
 * ISO weeks and months (UTC) that have a backup. Without a rule it keeps everything.
 */
export function selectRemovable(backups: readonly StoredBackup[], keep: KeepRules): StoredBackup[] {
  if (!hasRule(keep)) return [];
  const newestFirst = backups.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const kept = new Set<StoredBackup>(newestFirst.slice(0, 1));
  const lastProven = newestFirst.find(({ proven }) => proven);
  if (lastProven) kept.add(lastProven);
  const periods = [
    [keep.daily, dayOf],
    [keep.weekly, weekOf],
    [keep.monthly, (at: Date) => dayOf(at).slice(0, 7)],
  ] as const;
  for (const [count = 0, periodOf] of periods) {
    const met = new Set<string>();
    for (const backup of newestFirst) {
      const period = periodOf(backup.createdAt);
      if (met.has(period)) continue;
      if (met.size === count) break;
      met.add(period);
      kept.add(backup);
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}

/**
 * The time after which the next backup is overdue: in one and a half of the shortest kept period; null without a rule.
 */
export function nextExpectedAt(now: Date, keep: KeepRules): Date | null {
  const hours = keep.daily ? 36 : keep.weekly ? 7 * 36 : keep.monthly ? 31 * 36 : null;
  return hours === null ? null : new Date(now.getTime() + hours * HOUR_MS);
}

function hasRule({ daily, weekly, monthly }: KeepRules): boolean {
  return [daily, weekly, monthly].some((count) => count !== undefined && count > 0);
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The Monday of an instant's week. */
function weekOf(at: Date): string {
  const day = (at.getUTCDay() + 6) % 7;
  return dayOf(new Date(at.getTime() - day * 24 * HOUR_MS));
}
