import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type ActionResult,
  type Done,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import { eventTypes } from '#app/effects/events.ts';
import { pauseWebhook, resumeWebhook } from '#app/effects/webhooks/deliver.server.ts';
import {
  deleteWebhook,
  requireWebhook,
  rotateSecret,
  saveWebhook,
  testWebhook,
} from '#app/effects/webhooks/save.server.ts';
import { byUser, writeAudit } from '#app/people/audit/audit.server.ts';
import type { Message } from '#app/platform/message.ts';
import { readWebhook } from './new.server.ts';

export async function load({ app, params, request }: ScreenArguments) {
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
}

/** Runs `save`, `test`, `rotate`, `pause`, `resume` or `delete`. */
export async function act({
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
}
