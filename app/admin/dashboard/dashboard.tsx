import { adminUrl } from '#app/admin/admin-url.ts';
import type { ViewProps } from '#app/admin/screen.ts';
import { postStatuses } from '#app/posts/states.ts';
import { distance } from '#app/admin/editor/zoned.ts';
import { Time } from '#app/ui/time.tsx';
import type { load } from './dashboard.server.ts';
import { MonthsChart } from './months-chart.tsx';

type Props = Pick<ViewProps<typeof load>, 'data' | 'frame'>;

/** What needs somebody now, and what is under way. */
export default function Dashboard({ data, frame }: Props) {
  return (
    <>
      <div className="page-head">
        <h1>Dashboard</h1>
      </div>
      <Alarm data={data} frame={frame} />
      <ul className="figures">
        {postStatuses.map((status) => (
          <li key={status}>
            <a href={`${adminUrl(frame.adminPath, 'posts')}?status=${status}`}>
              <strong>{data.counts[status].toLocaleString('en')}</strong>
              <span className={`state state-${status}`}>{status}</span>
            </a>
          </li>
        ))}
      </ul>
      <div className="dashboard">
        <Queue data={data} frame={frame} />
        <Drafts data={data} frame={frame} />
        <section className="panel dashboard-chart" aria-labelledby="months">
          <h2 id="months">Published in the last twelve months</h2>
          <MonthsChart months={data.months} language={frame.language} />
        </section>
      </div>
    </>
  );
}

/** Late is loud; and nobody has to guess what to do. */
function Alarm({ data, frame }: Props) {
  const { publishing, planned } = data;
  const command = <code>npm run posts:publish-scheduled</code>;
  if (publishing.overdue > 0 || planned.oldestOverdueAt)
    return (
      <div className={`notice ${data.loud ? 'notice-error' : 'notice-wait'}`} role="alert">
        {publishing.overdue > 0 ? (
          <p>
            <strong>
              {publishing.overdue} scheduled {publishing.overdue === 1 ? 'post is' : 'posts are'} overdue
              <Since time={publishing.oldestOverdueAt} data={data} frame={frame} />.
            </strong>
          </p>
        ) : null}
        {planned.oldestOverdueAt ? (
          <p>
            <strong>
              A prepared change or an archive is overdue
              <Since time={planned.oldestOverdueAt} data={data} frame={frame} />.
            </strong>
          </p>
        ) : null}
        <p>
          {data.hasFailed ? (
            <>
              The last trigger failed; the <a href={adminUrl(frame.adminPath, 'system')}>system page</a> says
              why. Run {command} when that is mended.
            </>
          ) : data.loud ? (
            <>
              The trigger has not come. Check the cron line or the external scheduler, or run {command} now.
            </>
          ) : (
            <>The next trigger does the rest.</>
          )}
        </p>
      </div>
    );
  if (publishing.lastTriggeredAt === null)
    return (
      <p className="notice notice-wait">
        No trigger has come yet. Scheduled posts go out when {command} runs; let cron run it every 5 minutes.
      </p>
    );
  return null;
}

function Since({ time, data, frame }: Props & { time: string | null }) {
  return time ? <> since {distance(new Date(time), data.now, frame.language)}</> : null;
}

function Queue({ data, frame }: Props) {
  const { publishing, queue, now } = data;
  return (
    <section className="panel" aria-labelledby="queue">
      <div className="panel-head">
        <h2 id="queue">Going out</h2>
        <a href={adminUrl(frame.adminPath, 'calendar')}>Calendar</a>
      </div>
      {queue.length === 0 ? <p className="hint">Nothing is scheduled.</p> : null}
      <ul className="brief">
        {queue.map(({ id, title, publishedAt }) => (
          <li key={id}>
            <a href={adminUrl(frame.adminPath, 'posts', id)}>{title}</a>
            <span className="hint">
              {publishedAt! <= now ? <span className="state state-overdue">overdue</span> : null}{' '}
              <Time instant={publishedAt!} {...frame} /> · {distance(publishedAt!, now, frame.language)}
            </span>
          </li>
        ))}
      </ul>
      <dl className="facts facts-small">
        <dt>Last trigger</dt>
        <dd>
          {publishing.lastTriggeredAt ? (
            <>
              <Time instant={publishing.lastTriggeredAt} {...frame} />,{' '}
              {distance(new Date(publishing.lastTriggeredAt), now, frame.language)}
            </>
          ) : (
            'never'
          )}
        </dd>
        <dt>Next due</dt>
        <dd>{publishing.nextDueAt ? <Time instant={publishing.nextDueAt} {...frame} /> : 'nothing'}</dd>
      </dl>
    </section>
  );
}

function Drafts({ data, frame }: Props) {
  return (
    <section className="panel" aria-labelledby="drafts">
      <div className="panel-head">
        <h2 id="drafts">Drafts in progress</h2>
        <a href={`${adminUrl(frame.adminPath, 'posts')}?status=draft`}>All drafts</a>
      </div>
      {data.drafts.length === 0 ? <p className="hint">No drafts.</p> : null}
      <ul className="brief">
        {data.drafts.map(({ id, title, updatedAt, author }) => (
          <li key={id}>
            <a href={adminUrl(frame.adminPath, 'posts', id)}>{title}</a>
            <span className="hint">
              {author?.displayName} · {distance(updatedAt, data.now, frame.language)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
