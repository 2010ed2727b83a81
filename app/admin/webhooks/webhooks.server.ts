import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  type ScreenArguments,
  type ScreenModule,
  unknownIntent,
  type ActionArguments,
  type ActionResult,
  type Done,
  type SubmittedForm,
} from '#app/admin/frame/screen.ts';
import { eventTypes } from '#app/effects/events.ts';
import { pauseWebhook, resumeWebhook } from '#app/effects/webhooks/deliver.server.ts';
import {
  createWebhook,
  webhookSchema,
  type WebhookFields,
  deleteWebhook,
  requireWebhook,
  rotateSecret,
  saveWebhook,
  testWebhook,
  replayMessage,
} from '#app/effects/webhooks/save.server.ts';
import { byUser, writeAudit } from '#app/people/audit/audit.server.ts';
import { newId } from '#app/platform/clock.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import type { Message } from '#app/platform/message.ts';
import { fromStored } from '#app/platform/stored-message.server.ts';

export const webhooksScreen = {
  async load({ app, request }: ScreenArguments) {
    const webhooks = await app.db.webhook.findMany({
      select: { id: true, name: true, url: true, pausedAt: true, failingSince: true },
    });
    return {
      webhooks: webhooks.sort((a, b) => a.name.localeCompare(b.name)),
      deleted: new URL(request.url).searchParams.has('deleted'),
    };
  },
} satisfies ScreenModule;

export const newWebhookScreen = {
  async load({ app }: ScreenArguments) {
    return { eventTypes, id: newId(app.clock) };
  },

  /**
   * Creates a webhook, and shows its secret once: on the page that answers the form. So that a reload of that page adds no
   * other webhook, the form proposes the id.
   */
  async act({
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
  },
} satisfies ScreenModule;

/** The fields of a webhook's form; `events` is repeated. */
function readWebhook(form: SubmittedForm): WebhookFields {
  const { name = '', url = '' } = form.values;
  return parseForm(webhookSchema, { name, url, events: form.all('events') });
}

export const webhookScreen = {
  async load({ app, params, request }: ScreenArguments) {
    const { id, name, url, events, pausedAt, pauseReason, failingSince } = await requireWebhook(
      app,
      params.id ?? '',
    );
    return {
      webhook: { id, name, url, pausedAt, pauseReason, failingSince },
      chosen: JSON.parse(events) as string[],
      eventTypes,
      saved: new URL(request.url).searchParams.has('saved'),
    };
  },

  /** Runs `save`, `test`, `rotate`, `pause`, `resume` or `delete`. */
  async act({
    app,
    params,
    form,
    user,
    address,
    adminContext,
  }: ActionArguments): Promise<
    ActionResult<{ secret: string; test: { status: number; error: Message } }> | Done
  > {
    const { id, name: subject } = await requireWebhook(app, params.id ?? '');
    const audit = () =>
      writeAudit(app.db, app.clock, {
        action: 'settings.webhooks-changed',
        by: byUser(user, address),
        subject,
      });
    const page = adminUrl(adminContext.adminPath, 'webhooks', id);
    switch (form.values.intent ?? 'save') {
      case 'save':
        await saveWebhook(app, id, readWebhook(form));
        break;
      case 'test':
        return { test: await testWebhook(app, id) };
      case 'rotate': {
        const secret = await rotateSecret(app, id);
        await audit();
        return { secret };
      }
      case 'pause':
        await pauseWebhook(app, id);
        break;
      case 'resume':
        await resumeWebhook(app, id);
        app.effects.request(app);
        break;
      case 'delete':
        await deleteWebhook(app, id);
        await audit();
        return { location: `${adminUrl(adminContext.adminPath, 'webhooks')}?deleted`, id };
      default:
        throw unknownIntent();
    }
    await audit();
    return { location: `${page}?saved`, id };
  },
} satisfies ScreenModule;

const PER_PAGE = 50;

const querySchema = z.object({ before: z.uuid().optional().catch(undefined) });

export const deliveriesScreen = {
  /** A page of the tries to deliver messages to a webhook, newest first. */
  async load({ app, params, request }: ScreenArguments) {
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
  },

  /** Sends a message again: `replay`. */
  async act({ app, params, form, adminContext }: ActionArguments): Promise<Done> {
    const webhookId = params.id ?? '';
    if (form.values.intent !== 'replay') throw unknownIntent();
    await requireWebhook(app, webhookId);
    const { id = '' } = form.values;
    await replayMessage(app, webhookId, id);
    app.effects.request(app);
    const page = adminUrl(adminContext.adminPath, 'webhooks', webhookId, 'deliveries');
    return { location: `${page}?replayed`, id };
  },
} satisfies ScreenModule;
