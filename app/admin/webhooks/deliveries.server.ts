import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type Done,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import { fromStored } from '#app/platform/stored-message.server.ts';
import { replayMessage, requireWebhook } from '#app/effects/webhooks/save.server.ts';

const PER_PAGE = 50;

const querySchema = z.object({ before: z.uuid().optional().catch(undefined) });

/** A page of the tries to deliver messages to a webhook, newest first. */
export async function load({ app, params, request }: ScreenArguments) {
  const { id, name } = await requireWebhook(app, params.id ?? '');
  const { searchParams } = new URL(request.url);
  const { before } = querySchema.parse(Object.fromEntries(searchParams));
  const rows = await app.db.webhookDelivery.findMany({
    where: { webhookId: id, ...(before && { id: { lt: before } }) },
    orderBy: { id: 'desc' },
    take: PER_PAGE + 1,
  });
  const deliveries = rows.slice(0, PER_PAGE).map((row) => ({ ...row, error: fromStored(row.error) }));
  return {
    webhook: { id, name },
    deliveries,
    isFirstPage: before === undefined,
    next: rows.length > PER_PAGE ? deliveries.at(-1)!.id : null,
    replayed: searchParams.has('replayed'),
  };
}

/** Sends a message again: `replay`. */
export async function act({ app, params, form, adminContext }: ActionArguments): Promise<Done> {
  const webhookId = params.id ?? '';
  if (form.values.intent !== 'replay') throw unknownIntent();
  await requireWebhook(app, webhookId);
  const { id = '' } = form.values;
  await replayMessage(app, webhookId, id);
  app.effects.request(app);
  const page = adminUrl(adminContext.adminPath, 'webhooks', webhookId, 'deliveries');
  return { location: `${page}?replayed`, id };
}
