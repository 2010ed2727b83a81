import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type Done,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import {
  countSubscribers,
  listGrowth,
  addressSchema,
  addSubscriber,
  eraseSubscriber,
  reactivate,
  suspend,
} from '#app/newsletter/subscribers.server.ts';
import { subscriberStates } from '#app/newsletter/states.ts';
import { byUser, writeAudit } from '#app/people/audit/audit.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { toStorable } from '#app/platform/text/schemas.ts';

const PER_PAGE = 50;
const NAME_MAX = 200;

const querySchema = z.object({
  q: z.string().trim().max(254).toLowerCase().optional().catch(undefined),
  state: z.enum(subscriberStates).optional().catch(undefined),
  after: z.string().max(254).optional().catch(undefined),
});

/** A page of subscribers, by address. A search finds addresses that begin with its words. */
export async function load({ app, request }: ScreenArguments) {
  const { searchParams } = new URL(request.url);
  const { q = '', state, after } = querySchema.parse(Object.fromEntries(searchParams));
  const emailKey = {
    ...(q !== '' && { startsWith: q }),
    ...(after !== undefined && { gt: after }),
  };
  const [rows, states, growth] = await Promise.all([
    app.db.subscriber.findMany({
      where: { state, ...(Object.keys(emailKey).length > 0 && { emailKey }) },
      select: {
        ...{ id: true, email: true, emailKey: true, name: true, state: true, reason: true },
        ...{ source: true, consentAt: true },
      },
      orderBy: { emailKey: 'asc' },
      take: PER_PAGE + 1,
    }),
    countSubscribers(app),
    listGrowth(app),
  ]);
  const shown = rows.slice(0, PER_PAGE);
  return {
    filter: { q, state: state ?? '' },
    states,
    subscribers: shown,
    growth,
    isFirstPage: after === undefined,
    next: rows.length > PER_PAGE ? shown.at(-1)!.emailKey : null,
    saved: searchParams.has('saved'),
  };
}

const intents = ['add', 'suspend', 'reactivate', 'erase'];

/** Runs `add`, `suspend`, `reactivate` or `erase`. */
export async function act({ app, form, user, address, adminContext }: ActionArguments): Promise<Done> {
  const { intent, id = '' } = form.values;
  if (!intents.includes(intent ?? '')) throw unknownIntent();
  if (intent === 'add') {
    const email = addressSchema.safeParse(form.values.email ?? '');
    if (!email.success) throw fieldError('email', 'This is not an email address.');
    const name = toStorable(form.values.name ?? '').trim();
    await addSubscriber(app, email.data, name.slice(0, NAME_MAX));
  } else {
    if (!(await app.db.subscriber.findUnique({ where: { id }, select: { id: true } })))
      throw new AppError('not_found', 'This subscriber does not exist.');
    if (intent === 'suspend') await suspend(app, id, '');
    else if (intent === 'reactivate') await reactivate(app, id);
    else await eraseSubscriber(app, id);
  }
  // The log outlives an erasure, so it names nobody.
  await writeAudit(app.db, app.clock, {
    action: 'newsletter.subscribers-changed',
    by: byUser(user, address),
    subject: intent,
  });
  return { location: `${adminUrl(adminContext.adminPath, 'subscribers')}?saved`, id };
}
