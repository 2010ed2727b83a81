import * as z from 'zod';
import { type ClaimedEffect, type Outcome, insertEffects } from '#app/effects/outbox.server.ts';
import type { EffectApp } from '#app/effects/effect-app.ts';
import { sendRequest } from '#app/effects/send.server.ts';
import { sendMail } from '#app/people/mail.server.ts';
import { inTransaction, isUniqueViolation } from '#app/platform/database/transaction.server.ts';
import { keysOf } from '#app/platform/narrow.ts';
import { readSettings } from '#app/settings/queries.server.ts';

/** A reason to alert the operator. */
export interface AlertCause {
  /** Such as `publishing_late`. */
  cause: string;
  message: string;
  since: Date;
}

/** A cause as it was known before it was looked at again. */
type KnownAlert = AlertCause & { version: number; isOpen: boolean };

/** The receivers of alerts, which are named like their settings. */
const receivers = { alert_email: 'mail', alert_webhook: 'webhook' } as const;
type AlertReceiver = keyof typeof receivers;

/** The receivers that the settings name. */
export async function alertReceivers(app: Pick<EffectApp, 'db'>): Promise<AlertReceiver[]> {
  const settings = await readSettings(app);
  return keysOf(receivers).filter((name) => settings[name] !== '');
}

/** The alerts of now and before. Read them before looking for causes. */
export function readAlerts({ db }: Pick<EffectApp, 'db'>): Promise<KnownAlert[]> {
  return db.alert.findMany();
}

/**
 * Raises new causes and ends those that are over, each once in any number of processes: who looked at an older state has
 * an older version.
 * @param known what `readAlerts` returned before the causes were looked for
 * @param isChecked false for causes that were not looked for: they stay as they are
 * @returns how many messages it caused
 */
export async function changeAlerts(
  app: EffectApp,
  known: readonly KnownAlert[],
  found: readonly AlertCause[],
  isChecked: (cause: string) => boolean,
): Promise<number> {
  const byCause = new Map(known.map((alert) => [alert.cause, alert]));
  const raised = found
    .filter(({ cause }) => byCause.get(cause)?.isOpen !== true)
    .map((each) => ({ ...each, version: byCause.get(each.cause)?.version ?? 0, isOpen: true }));
  const over = known
    .filter(({ cause, isOpen }) => isOpen && isChecked(cause) && !found.some((each) => each.cause === cause))
    .map((each) => ({ ...each, isOpen: false }));
  const to = await alertReceivers(app);
  let changed = 0;
  for (const alert of [...raised, ...over]) if (await changeAlert(app, alert, to)) changed += to.length;
  return changed;
}

async function changeAlert(app: EffectApp, alert: KnownAlert, to: AlertReceiver[]): Promise<boolean> {
  const now = app.clock.now();
  const { cause, message, since, version, isOpen } = alert;
  const data = { version: version + 1, isOpen, message, since, changedAt: now };
  try {
    return await inTransaction(app.db, async (tx) => {
      if (version === 0) await tx.alert.create({ data: { cause, ...data } });
      else if ((await tx.alert.updateMany({ where: { cause, version }, data })).count === 0) return false;
      const effects = to.map((receiver) => ({
        kind: receivers[receiver],
        event: isOpen ? 'alert.raised' : 'alert.over',
        subject: `alert:${cause}`,
        receiver,
        // The end of a cause is told after its beginning.
        lane: `${receiver} ${cause}`,
        details: { cause, message, since: since.toISOString() },
        dueAt: now,
      }));
      await insertEffects(app, tx, effects, { sequence: version + 1, now });
      return true;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

const alertDetails = z.object({ cause: z.string(), message: z.string(), since: z.string() });

/** Sends one message about a cause, by mail or as JSON. */
export async function sendAlert(app: EffectApp, effect: ClaimedEffect): Promise<Outcome> {
  const settings = await readSettings(app);
  const address = settings[effect.receiver as AlertReceiver];
  if (!address) return { state: 'cancelled', reason: 'No longer needed.' };
  const data = alertDetails.parse(JSON.parse(effect.details));
  const timestamp = effect.createdAt.toISOString();
  if (effect.kind === 'mail') {
    const [word, end] = effect.event === 'alert.over' ? ['over', `\nOver at: ${timestamp}`] : ['alert', ''];
    await sendMail(app, {
      to: address,
      subject: `[${settings.site_title}] ${word}: ${data.message}`,
      text: `${data.message}\n\nSince: ${data.since}${end}\nSite: ${app.env.siteUrl}\n`,
    });
    return { state: 'done' };
  }
  return sendRequest(app, {
    method: 'POST',
    url: address,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: effect.event, timestamp, data }),
  });
}
