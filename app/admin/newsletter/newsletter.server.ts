import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  type ScreenArguments,
  type ScreenModule,
  unknownIntent,
  type ActionArguments,
  type Done,
} from '#app/admin/frame/screen.ts';
import {
  countActive,
  listIssues,
  cancelIssue,
  pauseIssue,
  requireIssue,
  resumeIssue,
} from '#app/newsletter/issues.server.ts';
import { openIssueStates, type IssueState, subscriberStates } from '#app/newsletter/states.ts';
import {
  countUnsubscribed,
  countSubscribers,
  listGrowth,
  addressSchema,
  addSubscriber,
  eraseSubscriber,
  reactivate,
  suspend,
} from '#app/newsletter/subscribers.server.ts';
import { byUser, writeAudit } from '#app/people/audit/audit.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { toStorable } from '#app/platform/text/schemas.ts';
import { readSetting } from '#app/settings/queries.server.ts';

const PER_PAGE = 50;
const querySchema = z.object({ before: z.uuid().optional().catch(undefined) });

export const newsletterScreen = {
  /** A page of issues, newest first. */
  async load({ app, request }: ScreenArguments) {
    const { before } = querySchema.parse(Object.fromEntries(new URL(request.url).searchParams));
    const [issues, subscribers, isEnabled] = await Promise.all([
      listIssues(app, { before, take: PER_PAGE + 1 }),
      countActive(app),
      readSetting(app, 'newsletter_enabled'),
    ]);
    const shown = issues.slice(0, PER_PAGE);
    return {
      ...{ issues: shown, subscribers, isEnabled },
      isFirstPage: before === undefined,
      next: issues.length > PER_PAGE ? shown.at(-1)!.id : null,
    };
  },
} satisfies ScreenModule;

const REFUSALS_SHOWN = 50;

export const issueScreen = {
  /** An issue, its figures and the newest refusals. */
  async load({ app, params, request }: ScreenArguments) {
    const issue = await requireIssue(app, params.id ?? '');
    const refusals = await app.db.newsletterRecipient.findMany({
      where: { issueId: issue.id, state: { in: ['failed', 'refused'] } },
      select: { subscriberId: true, state: true, reason: true },
      orderBy: { dueAt: 'desc' },
      take: REFUSALS_SHOWN,
    });
    const people = await app.db.subscriber.findMany({
      where: { id: { in: refusals.map(({ subscriberId }) => subscriberId) } },
      select: { id: true, email: true },
    });
    const emails = new Map(people.map(({ id, email }) => [id, email]));
    return {
      issue: { ...issue, unsubscribed: await countUnsubscribed(app, issue.id) },
      isOpen: openIssueStates.includes(issue.state as IssueState),
      refusals: refusals.map((row) => ({ ...row, email: emails.get(row.subscriberId) ?? '' })),
      saved: new URL(request.url).searchParams.has('saved'),
    };
  },

  /** Runs `pause`, `resume` or `cancel`. */
  async act({ app, params, form, user, address, adminContext }: ActionArguments): Promise<Done> {
    const { id, subject } = await requireIssue(app, params.id ?? '');
    const { intent } = form.values;
    if (intent === 'pause') await pauseIssue(app, id);
    else if (intent === 'resume') await resumeIssue(app, id);
    else if (intent === 'cancel') await cancelIssue(app, id);
    else throw unknownIntent();
    await writeAudit(app.db, app.clock, {
      action: 'newsletter.issue-changed',
      by: byUser(user, address),
      subject: `${subject}: ${intent}`,
    });
    app.effects.request(app);
    return { location: `${adminUrl(adminContext.adminPath, 'newsletter', id)}?saved`, id };
  },
} satisfies ScreenModule;

const NAME_MAX = 200;

const filterSchema = z.object({
  q: z.string().trim().max(254).toLowerCase().optional().catch(undefined),
  state: z.enum(subscriberStates).optional().catch(undefined),
  after: z.string().max(254).optional().catch(undefined),
});

const intents = ['add', 'suspend', 'reactivate', 'erase'];

export const subscribersScreen = {
  /** A page of subscribers, by address. A search finds addresses that begin with its words. */
  async load({ app, request }: ScreenArguments) {
    const { searchParams } = new URL(request.url);
    const { q = '', state, after } = filterSchema.parse(Object.fromEntries(searchParams));
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
  },

  /** Runs `add`, `suspend`, `reactivate` or `erase`. */
  async act({ app, form, user, address, adminContext }: ActionArguments): Promise<Done> {
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
  },
} satisfies ScreenModule;
