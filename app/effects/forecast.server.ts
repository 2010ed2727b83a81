import { forecastIssues, type ForecastIssue } from '#app/newsletter/forecast.server.ts';
import { inSteps, ROWS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import type { Timed } from '#app/platform/services.ts';
import { readPlan, type EventType } from './events.ts';

/** What leaves the site when posts become public. */
export interface Forecast {
  issues: ForecastIssue[];
  /** Number of further posts that are mailed. */
  more: number;
  /** Names of the webhooks that are told. */
  webhooks: string[];
  /** Names of others that are told. */
  others: ('Caches in front' | 'WebSub hub' | 'IndexNow')[];
}

/**
 * What will go out when these posts become public; null: nothing is switched on.
 * @param events of their publication, besides those of the posts
 */
export async function forecastOf(
  app: Pick<Timed, 'db'>,
  postIds: readonly string[],
  events: readonly EventType[] = [],
): Promise<Forecast | null> {
  const state = await app.db.siteState.findUnique({ where: { id: 1 }, select: { effectPlan: true } });
  if (postIds.length === 0 || (state?.effectPlan ?? '{}') === '{}') return null;
  const plan = readPlan(state!.effectPlan);
  const posts = await inSteps(postIds, ROWS_A_STEP, (batch) =>
    app.db.post.findMany({
      where: { id: { in: [...batch] } },
      select: { id: true, title: true, sendByEmail: true, categoryId: true, type: true },
    }),
  );
  const mailed = posts.filter(({ type }) => type === 'post');
  const { issues, more } = plan.newsletter ? await forecastIssues(app, mailed) : { issues: [], more: 0 };
  const published = new Set<string>([...posts.map(({ type }) => `${type}.published`), ...events]);
  const told = plan.webhooks.filter((webhook) => webhook.events.some((event) => published.has(event)));
  const rows = await app.db.webhook.findMany({
    where: { id: { in: told.map(({ id }) => id) } },
    select: { name: true },
    orderBy: { name: 'asc' },
  });
  return {
    issues,
    more,
    webhooks: rows.map(({ name }) => name),
    others: [
      ...(plan.purges ? (['Caches in front'] as const) : []),
      ...(plan.websub ? (['WebSub hub'] as const) : []),
      ...(plan.indexnow ? (['IndexNow'] as const) : []),
    ],
  };
}
