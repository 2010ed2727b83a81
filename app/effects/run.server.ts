import { setTimeout as sleep } from 'node:timers/promises';
import { sendAlert } from '#app/effects/alerts/alert.server.ts';
import { notifyHub, notifySearchEngines } from '#app/effects/delivery/pings.server.ts';
import { sendPurge } from '#app/effects/delivery/purge.server.ts';
import { deliver } from '#app/effects/webhooks/deliver.server.ts';
import { sendMailEffect } from '#app/newsletter/send.server.ts';
import { newId } from '#app/platform/clock.ts';
import { isAppError, messageOf } from '#app/platform/errors.ts';
import type { EffectApp, EffectRunner } from './effect-app.ts';
import type { EffectKind } from './events.ts';
import { isHeld, nameInstance, readInstanceId, holdOpen } from './manage.server.ts';
import {
  claimDue,
  dueReceivers,
  finishTry,
  type ClaimedEffect,
  type Outcome,
  nextDueAt,
} from './outbox.server.ts';
import { countOpen } from './status.server.ts';

/** Tries at the same time for one receiver, and in all. */
const AT_ONCE_EACH = 6;
const AT_ONCE = 24;
const LOOK_AGAIN_MS = 1_000;

/** Carries out one effect. It never writes the effect's row. One that takes long ends early when `isOver` says so. */
type Perform = (app: EffectApp, effect: ClaimedEffect, isOver: () => boolean) => Promise<Outcome>;

const performs: Partial<Record<EffectKind, Perform>> = {
  webhook: deliver,
  purge: sendPurge,
  websub: notifyHub,
  indexnow: notifySearchEngines,
  mail: sendMailEffect,
};

/** What `effects:run` reports: the outcomes of its tries, and what is left. */
export interface EffectRun {
  done: number;
  failed: number;
  dead: number;
  waiting: number;
  held: number;
}

interface RunOptions {
  /** No try begins after this time. */
  totalMs?: number;
  /** True: no further try begins. */
  isOver?: () => boolean;
}

/**
 * Carries out what is due, until nothing is. Any number of processes may do so at once: claims decide. A restored or
 * copied instance sends nothing.
 */
export async function runEffects(app: EffectApp, options: RunOptions = {}): Promise<EffectRun> {
  const counts = { done: 0, failed: 0, dead: 0 };
  if ((await dueReceivers(app)).length > 0) {
    await nameInstance(app);
    // Looks twice: another process may be about to name a new instance.
    const held = (await isHeld(app)) && (await sleep(LOOK_AGAIN_MS, true)) && (await isHeld(app));
    if (held) await holdOpen(app);
    else await new Run(app, options, counts, await readInstanceId(app)).untilNothingIsDue();
  }
  const { waiting, held } = await countOpen(app);
  return { ...counts, waiting, held };
}

class Run {
  private readonly claimedBy: string;
  private readonly startedAt = performance.now();
  private readonly running = new Set<Promise<void>>();
  private readonly perReceiver = new Map<string, number>();

  constructor(
    private readonly app: EffectApp,
    private readonly options: RunOptions,
    private readonly counts: Record<'done' | 'failed' | 'dead', number>,
    private readonly instanceId: string,
  ) {
    this.claimedBy = newId(app.clock);
  }

  async untilNothingIsDue(): Promise<void> {
    try {
      for (;;) {
        if (!this.isOver()) await this.begin();
        if (this.running.size === 0) return;
        await Promise.race(this.running);
      }
    } finally {
      await Promise.allSettled(this.running);
    }
  }

  private isOver(): boolean {
    const { totalMs = Infinity, isOver } = this.options;
    return performance.now() - this.startedAt > totalMs || isOver?.() === true;
  }

  private async begin(): Promise<void> {
    // A backup was imported meanwhile: the next run holds what it brought.
    if ((await readInstanceId(this.app)) !== this.instanceId) return;
    for (const receiver of await dueReceivers(this.app)) {
      const busy = this.perReceiver.get(receiver) ?? 0;
      const limit = Math.min(AT_ONCE_EACH - busy, AT_ONCE - this.running.size);
      if (limit <= 0) continue;
      for (const effect of await claimDue(this.app, { receiver, claimedBy: this.claimedBy, limit }))
        this.start(effect);
    }
  }

  private start(effect: ClaimedEffect): void {
    const { receiver } = effect;
    this.perReceiver.set(receiver, (this.perReceiver.get(receiver) ?? 0) + 1);
    const trying = this.try(effect).finally(() => {
      this.perReceiver.set(receiver, this.perReceiver.get(receiver)! - 1);
      this.running.delete(trying);
    });
    this.running.add(trying);
  }

  private async try(effect: ClaimedEffect): Promise<void> {
    const { app, counts } = this;
    const state = await finishTry(app, effect, await perform(app, effect, () => this.isOver()));
    if (state === 'done' || state === 'failed' || state === 'dead') counts[state] += 1;
    if (state === 'dead')
      app.log.error(
        { effect: effect.id, kind: effect.kind },
        'The last try of an effect failed: see /effects',
      );
  }
}

async function perform(app: EffectApp, effect: ClaimedEffect, isOver: () => boolean): Promise<Outcome> {
  const perform = effect.event.startsWith('alert.') ? sendAlert : performs[effect.kind as EffectKind];
  // A newer version wrote it: that one carries it out.
  if (!perform) return { state: 'failed', error: 'This version does not know this kind of effect.' };
  try {
    return await perform(app, effect, isOver);
  } catch (error) {
    return { state: 'failed', error: isAppError(error) ? error.said : messageOf(error).slice(0, 500) };
  }
}

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
