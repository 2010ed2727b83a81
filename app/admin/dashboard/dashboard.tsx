import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext, ViewProps } from '#app/admin/frame/screen.ts';
import { sourceWords } from '#app/admin/system/trigger-runs.tsx';
import { distance } from '#app/admin/times/local.ts';
import { earliest } from '#app/platform/time/earliest.ts';
import { postStatuses } from '#app/posts/fields/states.ts';
import { PastTime, Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { load } from './dashboard.server.ts';
import { MonthsPanel } from './months-chart.tsx';

type Props = Pick<ViewProps<typeof load>, 'data' | 'adminContext'>;

/** What needs attention now, and what is scheduled. */
export default function Dashboard({ data, adminContext }: Props) {
  const t = useWords();
  const { counts, months } = data;
  // A site that has published nothing has no figures for a chart, and a newcomer needs the first steps instead.
  const isNew =
    data.isUnwritten ||
    (counts.published + counts.archived === 0 && months.every(({ count }) => count === 0));
  return (
    <>
      <div className="page-head">
        <h1>{isNew ? t('Welcome to {site}', { site: adminContext.siteTitle }) : t('Dashboard')}</h1>
      </div>
      {/* A sample that waits is no reason for an alarm. */}
      {data.isUnwritten ? null : <Alarm data={data} adminContext={adminContext} />}
      <BlockedReleases data={data} adminContext={adminContext} />
      <EffectNotices data={data} adminContext={adminContext} />
      {isNew ? <FirstSteps adminContext={adminContext} /> : null}
      {isNew ? null : <Figures data={data} adminContext={adminContext} />}
      <div className="dashboard">
        <Queue data={data} adminContext={adminContext} />
        <div className="dashboard-column">
          <Drafts data={data} adminContext={adminContext} />
          <RecentlyEdited data={data} adminContext={adminContext} />
        </div>
        {data.demo && (isNew || data.demo !== 'absent') ? (
          <DemoPosts state={data.demo} adminContext={adminContext} />
        ) : null}
        {isNew ? null : <MonthsPanel months={months} language={adminContext.language} />}
      </div>
    </>
  );
}

/** Offers the demo posts on a new site, and their removal while they are there. */
function DemoPosts({
  state,
  adminContext,
}: {
  state: NonNullable<Props['data']['demo']>;
  adminContext: AdminContext;
}) {
  const t = useWords();
  return (
    <section className="panel dashboard-chart" aria-labelledby="demo-posts">
      <h2 id="demo-posts">{t('Demo posts')}</h2>
      <form method="post" className="stack" action={adminUrl(adminContext.adminPath)}>
        <PageUserField />
        <p className="hint">
          {state !== 'shown'
            ? t('Ten posts with pictures show the site in use. You can remove them with one click.')
            : t(
                'This also deletes their pictures, categories and tags. Posts that you have changed are kept.',
              )}
        </p>
        <div className="row">
          {state === 'shown' ? null : (
            <button name="intent" value="add-demo">
              {t('Add demo posts')}
            </button>
          )}
          {state === 'absent' ? null : (
            <button name="intent" value="remove-demo">
              {t('Remove demo posts')}
            </button>
          )}
        </div>
      </form>
    </section>
  );
}

function Figures({ data: { counts }, adminContext }: Props) {
  const t = useWords();
  return (
    <ul className="figures">
      {postStatuses.map((status) => (
        <li key={status}>
          <a href={`${adminUrl(adminContext.adminPath, 'posts')}?status=${status}`}>
            <strong>{counts[status].toLocaleString(adminContext.language)}</strong>
            <span className={`state state-${status}`}>{t(status)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Shows that publishing is late. What to do about it is for administrators. */
function Alarm({ data, adminContext }: Props) {
  const t = useWords();
  const { publishing, planned } = data;
  const isOperator = adminContext.screens.includes('system');
  const help = <a href={adminUrl(adminContext.adminPath, 'system')}>{t('Set up scheduled publishing')}</a>;
  if (publishing.overdue > 0 || planned.oldestOverdueAt)
    return (
      <div className={`notice ${data.mustAlert ? 'notice-error' : 'notice-wait'}`} role="alert">
        {publishing.overdue > 0 ? (
          <p>
            <strong>
              {t.count(
                '{count} scheduled post is overdue',
                '{count} scheduled posts are overdue',
                publishing.overdue,
              )}
              <Since time={publishing.oldestOverdueAt} adminContext={adminContext} />.
            </strong>
          </p>
        ) : null}
        {planned.oldestOverdueAt ? (
          <p>
            <strong>
              {t.rich('A scheduled update or archive is overdue{since}.', {
                since: <Since time={planned.oldestOverdueAt} adminContext={adminContext} />,
              })}
            </strong>
          </p>
        ) : null}
        <p>
          {!data.mustAlert && !data.hasFailed
            ? t('The next run publishes it.')
            : isOperator
              ? t.rich(
                  data.hasFailed
                    ? 'Scheduled publishing failed the last time it ran. {link}'
                    : 'Scheduled publishing has not run. {link}',
                  { link: help },
                )
              : t('An administrator can fix this: scheduled publishing doesn’t run.')}
        </p>
        {data.mayBuiltIn ? <BuiltInTrigger adminContext={adminContext} /> : null}
      </div>
    );
  // Before anything is scheduled, nobody needs it.
  if (publishing.lastTriggeredAt === null && isOperator && data.queue.length > 0)
    return (
      <div className="notice notice-wait">
        <p>{t.rich('Scheduled posts don’t publish on their own yet. {link}', { link: help })}</p>
        {data.mayBuiltIn ? <BuiltInTrigger adminContext={adminContext} /> : null}
      </div>
    );
  return null;
}

/** What is wrong with webhooks and the like, for administrators. */
function EffectNotices({ data: { effects }, adminContext: { adminPath } }: Props) {
  const t = useWords();
  if (!effects) return null;
  const { isHeld, mustAlert, pausedWebhooks } = effects;
  return (
    <>
      {isHeld ? (
        <p className="notice notice-wait">
          {t(
            'This instance was restored or copied, so webhooks and other deliveries are paused. Resume them only if no other instance sends them.',
          )}{' '}
          <a href={adminUrl(adminPath, 'effects')}>{t('Effects')}</a>
        </p>
      ) : null}
      {mustAlert && !isHeld ? (
        <p className="notice notice-error" role="alert">
          {t('A webhook or another delivery is late or has failed permanently.')}{' '}
          <a href={adminUrl(adminPath, 'effects')}>{t('Effects')}</a>
        </p>
      ) : null}
      {pausedWebhooks.length > 0 ? (
        <p className="notice notice-wait">
          <a href={adminUrl(adminPath, 'webhooks')}>
            {t('Paused webhooks: {names}', { names: pausedWebhooks.join(', ') })}
          </a>
        </p>
      ) : null}
    </>
  );
}

function BuiltInTrigger({ adminContext }: Pick<Props, 'adminContext'>) {
  const t = useWords();
  return (
    <form method="post" action={adminUrl(adminContext.adminPath, 'settings', 'publishing')}>
      <PageUserField />
      <input type="hidden" name="built_in_trigger" value="yes" />
      <button name="intent" value="save">
        {t('Turn on the built-in trigger')}
      </button>
      <p className="hint">{t('Publishes due posts within two seconds, without cron.')}</p>
    </form>
  );
}

/** Releases that cannot be published. Shown before their times, so that somebody can fix them. */
function BlockedReleases({ data, adminContext }: Props) {
  const t = useWords();
  const blocked = data.releases.filter(({ problem }) => problem !== '');
  if (blocked.length === 0) return null;
  return (
    <div className="notice notice-error" role="alert">
      {blocked.map(({ id, name, problem }) => (
        <p key={id}>
          <strong>
            {t.rich('The release {link} can’t be published.', {
              link: <a href={adminUrl(adminContext.adminPath, 'releases', id)}>{name}</a>,
            })}
          </strong>{' '}
          {t.message(problem)}
        </p>
      ))}
    </div>
  );
}

function Since({ time, adminContext }: Pick<Props, 'adminContext'> & { time: string | null }) {
  const t = useWords();
  return time ? <> {t.rich('since {time}', { time: <Time instant={time} {...adminContext} /> })}</> : null;
}

function Queue({ data, adminContext }: Props) {
  const t = useWords();
  const { publishing, planned, queue, now } = data;
  const nextRelease = data.releases.find(({ publishAt }) => publishAt > now)?.publishAt.toISOString() ?? null;
  const nextDueAt = earliest(publishing.nextDueAt, planned.nextDueAt, nextRelease);
  const entries = [
    ...data.releases.map(({ id, name, publishAt, problem }) => {
      const isBlocked = problem !== '';
      return { key: id, segments: ['releases', id], title: name, at: publishAt, kind: 'Release', isBlocked };
    }),
    ...queue.map(({ id, title, at, isUpdate }) => {
      const kind = isUpdate ? 'Update' : null;
      return { key: `${id} ${isUpdate}`, segments: ['posts', id], title, at, kind, isBlocked: false };
    }),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  return (
    <section className="panel" aria-labelledby="queue">
      <div className="panel-head">
        <h2 id="queue">{t('Next to be published')}</h2>
        <a href={adminUrl(adminContext.adminPath, 'calendar')}>{t('Calendar')}</a>
      </div>
      {entries.length === 0 ? <p className="hint">{t('Nothing is scheduled.')}</p> : null}
      <ul className="brief">
        {entries.map(({ key, segments, title, at, kind, isBlocked }) => (
          <li key={key}>
            <a href={adminUrl(adminContext.adminPath, ...segments)}>{title}</a>
            <span className="hint">
              {isBlocked || (at <= now && !data.isUnwritten) ? (
                <span className="state state-overdue">{isBlocked ? t('blocked') : t('overdue')}</span>
              ) : null}{' '}
              {kind ? `${t(kind)} · ` : null}
              <Time instant={at} {...adminContext} /> · {distance(at, now, adminContext.language)}
            </span>
          </li>
        ))}
      </ul>
      {data.isUnwritten && data.mayBuiltIn && publishing.lastTriggeredAt === null && entries.length > 0 ? (
        <BuiltInTrigger adminContext={adminContext} />
      ) : adminContext.screens.includes('system') ? (
        <dl className="facts facts-small">
          <dt>{t('Last run')}</dt>
          <dd>
            {publishing.lastTriggeredAt ? (
              <>
                <PastTime instant={publishing.lastTriggeredAt} withTime {...adminContext} />
                {data.lastSource ? ` (${t(sourceWords[data.lastSource])})` : null}
              </>
            ) : (
              t('never')
            )}
          </dd>
          <dt>{t('Next due')}</dt>
          <dd>{nextDueAt ? <Time instant={nextDueAt} {...adminContext} /> : t('nothing')}</dd>
        </dl>
      ) : null}
    </section>
  );
}

function RecentlyEdited({ data, adminContext }: Props) {
  const t = useWords();
  if (data.recent.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="recent">
      <div className="panel-head">
        <h2 id="recent">{t('Recently edited')}</h2>
        <a href={adminUrl(adminContext.adminPath, 'posts')}>{t('All posts')}</a>
      </div>
      <ul className="brief">
        {data.recent.map(({ id, title, status, updatedAt }) => (
          <li key={id}>
            <a href={adminUrl(adminContext.adminPath, 'posts', id)}>{title}</a>
            <span className="hint">
              {t(status)} · <PastTime instant={updatedAt} {...adminContext} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Drafts({ data, adminContext }: Props) {
  const t = useWords();
  return (
    <section className="panel" aria-labelledby="drafts">
      <div className="panel-head">
        <h2 id="drafts">{t('Drafts in progress')}</h2>
        <a href={`${adminUrl(adminContext.adminPath, 'posts')}?status=draft`}>{t('All drafts')}</a>
      </div>
      {data.drafts.length === 0 ? <p className="hint">{t('No drafts.')}</p> : null}
      <ul className="brief">
        {data.drafts.map(({ id, title, updatedAt, author }) => (
          <li key={id}>
            <a href={adminUrl(adminContext.adminPath, 'posts', id)}>{title}</a>
            <span className="hint">
              {author?.displayName} · <PastTime instant={updatedAt} {...adminContext} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The steps from a new site to its first post. A step is shown only to users who may open its `screen`. */
const steps = [
  {
    screen: 'settings',
    segments: ['settings', 'site'],
    label: 'Name the site',
    hint: 'Title, description, language and time zone',
  },
  {
    screen: 'appearance',
    segments: ['appearance'],
    label: 'Choose how it looks',
    hint: 'Presets, typefaces and colours, shown on your own pages',
  },
  {
    screen: 'editor',
    segments: ['posts', 'new'],
    label: 'Write your first post',
    hint: 'It is a draft until you publish it.',
  },
];

/** The first dashboard, instead of figures: nothing is published yet. */
function FirstSteps({ adminContext }: { adminContext: AdminContext }) {
  const t = useWords();
  return (
    <section aria-labelledby="first-steps">
      <h2 id="first-steps" className="sr-only">
        {t('First steps')}
      </h2>
      <ol className="first-steps">
        {steps
          .filter(({ screen }) => adminContext.screens.includes(screen))
          .map(({ segments, label, hint }) => (
            <li key={label}>
              <a href={adminUrl(adminContext.adminPath, ...segments)}>
                <strong>{t(label)}</strong>
                <span>{t(hint)}</span>
              </a>
            </li>
          ))}
      </ol>
    </section>
  );
}
