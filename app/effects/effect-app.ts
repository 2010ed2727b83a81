import type { Stored } from '#app/media/store/media-store.ts';
import type { Configured, Logged, Timed } from '#app/platform/services.ts';

/** The services that carry out effects. */
export type EffectApp = Timed & Configured & Logged & Stored;

/** Carries out effects in the background. Its class imports what sends them, which needs only this. */
export interface EffectRunner {
  /** Begins to carry out what was committed before this call. Does not wait for it. */
  request(app: EffectApp): void;
  /** Carries out what is due, for as long as the process runs. */
  watch(app: EffectApp): void;
  /** Resolves when nothing is being carried out. */
  ended(): Promise<void>;
  /** Begins no further try, and waits a little for those that run: another process may take them after a minute. */
  close(): Promise<void>;
}

export interface Effectful {
  /** Carries out effects after commits. */
  effects: EffectRunner;
}
