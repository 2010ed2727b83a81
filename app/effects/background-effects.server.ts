import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#app/platform/errors.ts';
import { nextDueAt } from './claim.server.ts';
import type { EffectApp } from './effect-app.ts';
import { runEffects } from './run.server.ts';

/** The longest time between two looks for what is due: other processes write effects, too. */
const POLL_MS = 5_000;
const CLOSE_MS = 5_000;

export interface Effectful {
  /** Carries out effects after commits. */
  effects: BackgroundEffects;
}

/** Carries out the effects of one process in the background: after its changes, and in a server whenever one is due. */
export class BackgroundEffects {
  #running: Promise<void> | null = null;
  #isWanted = false;
  #isClosing = false;
  #timer: NodeJS.Timeout | undefined;

  /** Begins to carry out what was committed before this call. Does not wait for it. */
  request(app: EffectApp): void {
    if (this.#isClosing) return;
    this.#isWanted = true;
    this.#running ??= this.#run(app);
  }

  /** Carries out what is due, for as long as the process runs. */
  watch(app: EffectApp): void {
    const look = async () => {
      const next = await nextDueAt(app).catch(() => null);
      const wait = next === null ? POLL_MS : next.getTime() - app.clock.now().getTime();
      if (next !== null && wait <= 0) {
        this.request(app);
        await this.#running;
      }
      if (!this.#isClosing)
        this.#timer = setTimeout(() => void look(), Math.min(Math.max(wait, 200), POLL_MS)).unref();
    };
    void look();
  }

  /** Resolves when nothing is being carried out. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** Begins no further try, and waits a little for those that run: another process may take them after a minute. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    await Promise.race([this.#running, sleep(CLOSE_MS, undefined, { ref: false })]);
  }

  async #run(app: EffectApp): Promise<void> {
    while (this.#isWanted && !this.#isClosing) {
      this.#isWanted = false;
      try {
        await runEffects(app, { isOver: () => this.#isClosing });
      } catch (error) {
        app.log.warn(
          { reason: messageOf(error) },
          'Effects could not be carried out; a later look tries again',
        );
      }
    }
    this.#running = null;
  }
}
