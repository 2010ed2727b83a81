import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type ActionResult,
  type Done,
  type ScreenArguments,
  type SubmittedForm,
} from '#app/admin/frame/screen.ts';
import { eventTypes } from '#app/effects/events.ts';
import { createWebhook, webhookSchema, type WebhookFields } from '#app/effects/webhooks/save.server.ts';
import { byUser, writeAudit } from '#app/people/audit/audit.server.ts';
import { newId } from '#app/platform/clock.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';

export async function load({ app }: ScreenArguments) {
  return { eventTypes, id: newId(app.clock) };
}

/**
 * Creates a webhook, and shows its secret once: on the page that answers the form. So that a reload of that page adds no
 * other webhook, the form proposes the id.
 */
export async function act({
  app,
  form,
  user,
  address,
  adminContext,
}: ActionArguments): Promise<Done | ActionResult<{ created: { id: string; secret: string } }>> {
  if ((form.values.intent ?? 'save') !== 'save') throw unknownIntent();
  const id = z.uuidv7().safeParse(form.values.id).data;
  if (id && (await app.db.webhook.findUnique({ where: { id }, select: { id: true } })))
    return { location: adminUrl(adminContext.adminPath, 'webhooks', id), id };
  const fields = readWebhook(form);
  const created = await createWebhook(app, fields, id);
  const by = byUser(user, address);
  await writeAudit(app.db, app.clock, { action: 'settings.webhooks-changed', by, subject: fields.name });
  return { created };
}

/** The fields of a webhook's form; `events` is repeated. */
export function readWebhook(form: SubmittedForm): WebhookFields {
  const { name = '', url = '' } = form.values;
  return parseForm(webhookSchema, { name, url, events: form.all('events') });
}
