import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#app/platform/errors.ts';
import { nextDueAt } from './claim.server.ts';
import type { EffectApp, EffectRunner } from './effect-app.ts';
import { runEffects } from './run.server.ts';

/** The longest time between two looks for what is due: other processes write effects, too. */
const POLL_MS = 2_000;
/** The shortest time between two runs: what is due may wait for something else. */
const PAUSE_MS = 200;
const CLOSE_MS = 5_000;

/** Carries out the effects of one process in the background: after its changes, and in a server whenever one is due. */
export class BackgroundEffects implements EffectRunner {
  #running: Promise<void> | null = null;
  #isWanted = false;
  #isClosing = false;
  #timer: NodeJS.Timeout | undefined;
  /** Waits for what is due next. Absent: this process does not watch. */
  #look: (() => void) | undefined;
  /** Of two looks at once, the later one counts. */
  #looks = 0;

  request(app: EffectApp): void {
    if (this.#isClosing) return;
    this.#isWanted = true;
    this.#running ??= this.#run(app);
  }

  watch(app: EffectApp): void {
    const look = async () => {
      const mine = (this.#looks += 1);
      const next = await nextDueAt(app).catch(() => null);
      if (mine !== this.#looks || this.#isClosing) return;
      const wait = next === null ? Infinity : next.getTime() - app.clock.now().getTime();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(
        () => (wait > POLL_MS ? void look() : this.request(app)),
        Math.min(Math.max(wait, PAUSE_MS), POLL_MS),
      ).unref();
    };
    this.#look = () => void look();
    this.#look();
  }

  async ended(): Promise<void> {
    await this.#running;
  }

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
    this.#look?.();
  }
}
