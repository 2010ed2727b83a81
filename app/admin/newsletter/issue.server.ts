import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type Done,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import { countUnsubscribed } from '#app/newsletter/subscribers.server.ts';
import { cancelIssue, pauseIssue, requireIssue, resumeIssue } from '#app/newsletter/issues.server.ts';
import { openIssueStates, type IssueState } from '#app/newsletter/states.ts';
import { byUser, writeAudit } from '#app/people/audit/audit.server.ts';

const REFUSALS_SHOWN = 50;

/** An issue, its figures and the newest refusals. */
export async function load({ app, params, request }: ScreenArguments) {
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
}

/** Runs `pause`, `resume` or `cancel`. */
export async function act({
  app,
  params,
  form,
  user,
  address,
  adminContext,
}: ActionArguments): Promise<Done> {
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
}
