import type { ScreenArguments } from '#app/admin/frame/screen.ts';

export async function load({ app, request }: ScreenArguments) {
  const webhooks = await app.db.webhook.findMany({
    select: { id: true, name: true, url: true, pausedAt: true, failingSince: true },
  });
  return {
    webhooks: webhooks.sort((a, b) => a.name.localeCompare(b.name)),
    deleted: new URL(request.url).searchParams.has('deleted'),
  };
}
