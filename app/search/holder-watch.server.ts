import type { App } from '#app/app.ts';
import type { LeaseName } from './lease.server.ts';

/** How long a drain's lease lasts; a killed drain is in the others' way for no longer. */
export const DRAIN_LEASE_MS = 5_000;
/** How often whoever holds it extends it. */
export const DRAIN_HEARTBEAT_MS = 500;
/** Without a heartbeat for so long the holder is taken for gone. */
const SILENCE_MS = 1_250;

/** Watches who holds a lease, for those that wait for it. */
export class HolderWatch {
  readonly #app: Pick<App, 'db' | 'clock'>;
  readonly #name: LeaseName;
  #seen: { holder: string; expiresAt: Date } | null = null;
  #since = performance.now();

  constructor(app: Pick<App, 'db' | 'clock'>, name: LeaseName) {
    this.#app = app;
    this.#name = name;
  }

  /** Looks whether the lease was extended or changed hands since the last look. */
  async look(): Promise<void> {
    const row = await this.#app.db.lease.findUnique({ where: { name: this.#name } });
    // One that has run out unextended is as silent as before; one that was released is not.
    if (row?.holder === this.#seen?.holder && row?.expiresAt.getTime() === this.#seen?.expiresAt.getTime())
      return;
    this.#seen = row;
    this.#since = performance.now();
  }

  /** True when the holder gives no sign of life: the lease has run out or does so soon. */
  get holderIsDead(): boolean {
    const silence = performance.now() - this.#since;
    return this.#seen !== null && silence > SILENCE_MS && silence < DRAIN_LEASE_MS * 2;
  }

  /** The lease is ours. */
  forget(): void {
    this.#seen = null;
  }
}
