import {
  unknownIntent,
  type ActionArguments,
  type ActionResult,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import type { SubmittedForm } from '#app/admin/frame/submitted-form.ts';
import { eventTypes } from '#app/effects/plan.ts';
import { createWebhook, webhookSchema, type WebhookFields } from '#app/effects/webhooks/save.server.ts';
import { byUser, writeAudit } from '#app/people/audit/audit.server.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';

export async function load(_args: ScreenArguments) {
  return { eventTypes };
}

/** Creates a webhook, and shows its secret once: on the page that answers the form. */
export async function act({
  app,
  form,
  user,
  address,
}: ActionArguments): Promise<ActionResult<{ created: { id: string; secret: string } }>> {
  if ((form.values.intent ?? 'save') !== 'save') throw unknownIntent();
  const fields = readWebhook(form);
  const created = await createWebhook(app, fields);
  const by = byUser(user, address);
  await writeAudit(app.db, app.clock, { action: 'settings.webhooks-changed', by, subject: fields.name });
  return { created };
}

/** The fields of a webhook's form; `events` is repeated. */
export function readWebhook(form: SubmittedForm): WebhookFields {
  const { name = '', url = '' } = form.values;
  return parseForm(webhookSchema, { name, url, events: form.all('events') });
}
