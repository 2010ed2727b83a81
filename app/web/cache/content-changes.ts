import * as z from 'zod';
import { EVERY_PAGE, type PageKey } from '#app/platform/http/page-keys.ts';

/** The keys that one content version changed, as the database stores them. */
export interface ContentChange {
  version: number;
  keys: readonly PageKey[];
}

/** The changes that a check of the database found. */
interface MissedChanges {
  version: number;
  /** The version that this process knew when the check began. */
  since: number;
  /** The changes after that version; some may be missing. */
  changes: readonly ContentChange[];
}

/** The keys that changed, or everything if some are unknown. */
export type Changed = ReadonlySet<PageKey> | 'everything';

/** Number of keys whose last change is stored, for renders in progress. */
const KEYS_REMEMBERED = 20_000;
const UNKNOWN = -1;

/** The changes of public content that this process knows, made by any process. */
export class ContentChanges {
  #version = UNKNOWN;
  #moment = 0;
  /** The moment of the last change after which everything may have changed. */
  #allChangedAt = 0;
  #changedAt = new Map<PageKey, number>();
  readonly #listeners: ((changed: Changed) => void)[] = [];
  readonly #replacedListeners: (() => void)[] = [];

  /** The newest content version that this process knows; -1 before the first check. */
  get version(): number {
    return this.#version;
  }

  /** Number of changes that this process has detected. Unlike the version it never decreases. */
  get moment(): number {
    return this.#moment;
  }

  /** Calls `listener` with every change, before any request that depends on the change is answered. */
  onChange(listener: (changed: Changed) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Calls `listener` when the database may be another one, such as a restored backup: its counters may reach the same
   * values again for other content.
   */
  onReplaced(listener: () => void): void {
    this.#replacedListeners.push(listener);
  }

  /** Applies the result of a check, unless another check has found more meanwhile. */
  take({ version, since, changes }: MissedChanges): void {
    if (version === this.#version) return;
    if (version < this.#version) {
      // Another check was faster. But if this check began with our version, the database was restored.
      if (since === this.#version) this.#replace(version);
      return;
    }
    const missed = changes.filter((change) => change.version > this.#version && change.version <= version);
    const isComplete = this.#version !== UNKNOWN && missed.length === version - this.#version;
    this.#version = version;
    const keys = new Set(missed.flatMap((change) => change.keys));
    this.#notify(isComplete && !keys.has(EVERY_PAGE) ? keys : 'everything');
  }

  /** Treats everything as changed: the database may be another one. */
  forget(): void {
    this.#replace(UNKNOWN);
  }

  #replace(version: number): void {
    this.#version = version;
    for (const listener of this.#replacedListeners) listener();
    this.#notify('everything');
  }

  /** Whether data with these keys, read from that moment on, is still valid. Without keys, any change counts. */
  isFresh(moment: number, keys: readonly PageKey[]): boolean {
    if (moment === this.#moment) return true;
    if (keys.length === 0 || moment < this.#allChangedAt) return false;
    for (const key of keys) if ((this.#changedAt.get(key) ?? 0) > moment) return false;
    return true;
  }

  #notify(changed: Changed): void {
    this.#moment += 1;
    if (changed === 'everything' || this.#changedAt.size + changed.size > KEYS_REMEMBERED) {
      this.#changedAt = new Map();
      this.#allChangedAt = this.#moment;
    } else for (const key of changed) this.#changedAt.set(key, this.#moment);
    for (const listener of this.#listeners) listener(changed);
  }
}

/** Detects changes of public content, in this process or any other. */
export interface ContentWatch {
  /** The changes that were found so far. */
  readonly changes: ContentChanges;
  /**
   * Checks for a request that has just come in. Afterwards `changes` has every change whose POST this process has
   * answered. It may lack what other processes committed in the last 2 ms (SQLite), or usually 20 and at most 750 ms
   * (PostgreSQL). Returns the content version: as a number, without waiting, if possible.
   */
  version(): number | Promise<number>;
  /** Checks now, and keeps earlier results valid. For a page that has just been rendered. */
  check(): number | Promise<number>;
  /** Records that this process may have written, so that the next `version()` checks again. */
  expire(): void;
  /**
   * Milliseconds since the last successful check; Infinity if cached pages must not be shown without their database.
   */
  checkAge(): number;
  /** Opens its connection again and treats everything as changed: the database may have been replaced. */
  reset(): void;
  close(): void;
}

/** A process that missed more versions empties its cache. A check reads one more than this at most. */
export const VERSIONS_READ = 100;

/**
 * A row of the query that reads the version. It contains one change after the known version, or nulls if there is none.
 */
export interface ChangeRow {
  version: number;
  changeVersion: number | null;
  keys: string | null;
}

const keysSchema = z.array(z.string());

/** The changes in the rows. Unreadable changes count as missing. */
export function readChangeRows(rows: ChangeRow[], since: number): MissedChanges {
  return { version: rows[0]?.version ?? 0, since, changes: rows.flatMap(changeOf) };
}

function changeOf({ changeVersion, keys }: ChangeRow): ContentChange[] {
  if (changeVersion === null || keys === null) return [];
  try {
    const parsed = keysSchema.safeParse(JSON.parse(keys));
    return parsed.success ? [{ version: changeVersion, keys: parsed.data }] : [];
  } catch {
    return [];
  }
}
