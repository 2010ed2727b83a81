import type { ReactNode } from 'react';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { PastTime, Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { load } from './system.server.ts';
import { sourceWords, TriggerRuns } from './trigger-runs.tsx';

type Props = Pick<ViewProps<typeof load>, 'data' | 'adminContext'>;

/** The state of the installation: what is running, what is pending, and what to do about problems. */
export default function System({ data, adminContext }: Props) {
  const t = useWords();
  const { search, storage, disk, versions, clock } = data;
  const { language } = adminContext;
  return (
    <>
      <div className="page-head">
        <h1>{t('System')}</h1>
      </div>
      <div className="system">
        <Trigger data={data} adminContext={adminContext} />
        <Panel
          id="search"
          title={t('Search index')}
          state={search.failing ? 'failing' : search.waiting > 0 ? 'waiting' : 'ok'}
        >
          <dl className="facts">
            <dt>{t('Engine')}</dt>
            <dd>{search.engine}</dd>
            <dt>{t('Published posts')}</dt>
            <dd>{search.published.toLocaleString(language)}</dd>
            <dt>{t('Pending changes')}</dt>
            <dd>{search.waiting.toLocaleString(language)}</dd>
          </dl>
          {search.failing ? (
            <p className="field-error">
              {t('After {attempts} tries: {lastError}', {
                attempts: search.failing.attempts,
                lastError: search.failing.lastError,
              })}
            </p>
          ) : null}
          <p className="hint">
            {t.rich(
              'Pending changes are indexed with the next change or run. To compare the index with the database, run {code}.',
              { code: <code>npm run search:check-index</code> },
            )}
          </p>
        </Panel>
        <Panel
          id="storage"
          title={t('Storage')}
          state={disk && disk.freeBytes < disk.totalBytes / 20 ? 'low' : 'ok'}
        >
          <dl className="facts">
            <dt>{t('Database')}</dt>
            <dd>
              {versions.database}
              {storage.databaseBytes === null ? '' : `, ${inUnits(storage.databaseBytes, language)}`}
            </dd>
            <dt>{t('Media')}</dt>
            <dd>
              {t(storage.mediaCount === 1 ? '1 file, {inUnits}' : '{mediaCount} files, {inUnits}', {
                mediaCount: storage.mediaCount,
                inUnits: inUnits(storage.mediaBytes, language),
              })}
            </dd>
            <dt>{t('Disk')}</dt>
            <dd>
              {disk
                ? t('{inUnits} free of {inUnits2}', {
                    inUnits: inUnits(disk.freeBytes, language),
                    inUnits2: inUnits(disk.totalBytes, language),
                  })
                : t('unknown')}
            </dd>
          </dl>
        </Panel>
        <Backups data={data} adminContext={adminContext} />
        <Panel id="versions" title={t('Versions')} state={clock.skewed ? 'clocks differ' : 'ok'}>
          <dl className="facts">
            <dt>{t('Application')}</dt>
            <dd>{versions.application}</dd>
            <dt>{t('Migration')}</dt>
            <dd>
              <bdi dir="ltr">{versions.migration}</bdi>
            </dd>
            <dt>{t('Node')}</dt>
            <dd>{versions.node}</dd>
            <dt>{t('Clocks')}</dt>
            <dd>
              {clock.skewed
                ? t('The database’s clock is off by {round} seconds. Synchronize both clocks with NTP.', {
                    round: Math.round(clock.skewMs / 1000),
                  })
                : t('Database and server agree')}
            </dd>
          </dl>
        </Panel>
        <TriggerRuns data={data} adminContext={adminContext} />
      </div>
    </>
  );
}

function Trigger({ data, adminContext }: Props) {
  const t = useWords();
  const { publishing, planned, nextDueAt } = data;
  const source = data.runs[0]?.source;
  return (
    <Panel id="trigger" title={t('Scheduled publishing')} state={data.late ? 'overdue' : 'ok'}>
      <dl className="facts">
        <dt>{t('Scheduled')}</dt>
        <dd>
          {t('Posts: {posts}, updates: {changes}, to be archived: {archives}', {
            posts: publishing.scheduled,
            changes: planned.changes,
            archives: planned.archives,
          })}
        </dd>
        <dt>{t('Overdue')}</dt>
        <dd>
          {publishing.oldestOverdueAt ? (
            <strong className="field-error">
              {t.rich('{overdue}, the oldest since {time}', {
                overdue: publishing.overdue,
                time: <Time instant={publishing.oldestOverdueAt} {...adminContext} />,
              })}
            </strong>
          ) : (
            t('none')
          )}
        </dd>
        <dt>{t('Next due')}</dt>
        <dd>{nextDueAt ? <Time instant={nextDueAt} {...adminContext} /> : t('nothing')}</dd>
        <dt>{t('Last run')}</dt>
        <dd>
          {publishing.lastTriggeredAt ? (
            <>
              <PastTime instant={publishing.lastTriggeredAt} withTime {...adminContext} />
              {source ? ` (${t(sourceWords[source])})` : ''}
            </>
          ) : (
            t('Never. Run npm run posts:publish-scheduled every 5 minutes with cron.')
          )}
        </dd>
      </dl>
    </Panel>
  );
}

function Backups({ data, adminContext }: Props) {
  const t = useWords();
  const { backups } = data;
  const ageOf = (at: Date | null) => (at ? <PastTime instant={at} withTime {...adminContext} /> : t('never'));
  return (
    <Panel id="backups" title={t('Backups')} state={backups.overdue ? 'overdue' : 'ok'}>
      <dl className="facts">
        <dt>{t('Last backup')}</dt>
        <dd>{ageOf(backups.lastAt)}</dd>
        <dt>{t('Last verified backup')}</dt>
        <dd>{ageOf(backups.lastProvenAt)}</dd>
        <dt>{t('Next due')}</dt>
        <dd>
          {backups.nextExpectedAt ? (
            <Time instant={backups.nextExpectedAt} {...adminContext} />
          ) : (
            t('No schedule')
          )}
        </dd>
      </dl>
      <p className="hint">
        {t.rich('Run {code} every day with cron, and with {code2} every week.', {
          code: <code>npm run backup:run</code>,
          code2: <code>--prove</code>,
        })}
      </p>
    </Panel>
  );
}

interface PanelProps {
  id: string;
  title: string;
  state: string;
  children: ReactNode;
}

function Panel({ id, title, state, children }: PanelProps) {
  const t = useWords();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{t(title)}</h2>
        <span className={`state state-${stateClass(state)}`}>{t(state)}</span>
      </div>
      {children}
    </section>
  );
}

function stateClass(state: string): string {
  if (state === 'ok') return 'published';
  return state === 'waiting' ? 'scheduled' : 'overdue';
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

function inUnits(bytes: number, language: string): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1000)));
  return `${(bytes / 1000 ** power).toLocaleString(language, { maximumFractionDigits: 1 })} ${units[power]}`;
}
