import type { ReactNode } from 'react';
import { distance } from '#app/admin/editor/zoned.ts';
import type { ViewProps } from '#app/admin/screen.ts';
import { Time } from '#app/ui/time.tsx';
import type { load } from './system.server.ts';

type Props = Pick<ViewProps<typeof load>, 'data' | 'adminContext'>;

/** How the installation is: what runs, what waits, what is wrong and what to do about it. */
export default function System({ data, adminContext }: Props) {
  const { search, storage, disk, versions, clock } = data;
  return (
    <>
      <div className="page-head">
        <h1>System</h1>
      </div>
      <div className="system">
        <Trigger data={data} adminContext={adminContext} />
        <Panel
          id="search"
          title="Search index"
          state={search.failing ? 'failing' : search.waiting > 0 ? 'waiting' : 'ok'}
        >
          <dl className="facts">
            <dt>Engine</dt>
            <dd>{search.engine}</dd>
            <dt>Published posts</dt>
            <dd>{search.published.toLocaleString('en')}</dd>
            <dt>Waiting changes</dt>
            <dd>{search.waiting.toLocaleString('en')}</dd>
          </dl>
          {search.failing ? (
            <p className="field-error">
              After {search.failing.attempts} tries: {search.failing.lastError}
            </p>
          ) : null}
          <p className="hint">
            Waiting changes follow with the next change or trigger. To compare index and database:{' '}
            <code>npm run search:check-index</code>.
          </p>
        </Panel>
        <Panel
          id="storage"
          title="Storage"
          state={disk && disk.freeBytes < disk.totalBytes / 20 ? 'low' : 'ok'}
        >
          <dl className="facts">
            <dt>Database</dt>
            <dd>
              {versions.database}
              {storage.databaseBytes === null ? '' : `, ${inUnits(storage.databaseBytes)}`}
            </dd>
            <dt>Media</dt>
            <dd>
              {storage.mediaCount.toLocaleString('en')} files, {inUnits(storage.mediaBytes)}
            </dd>
            <dt>Disk</dt>
            <dd>{disk ? `${inUnits(disk.freeBytes)} free of ${inUnits(disk.totalBytes)}` : 'unknown'}</dd>
          </dl>
        </Panel>
        <Backups data={data} adminContext={adminContext} />
        <Panel id="versions" title="Versions" state={clock.skewed ? 'clocks differ' : 'ok'}>
          <dl className="facts">
            <dt>Application</dt>
            <dd>{versions.application}</dd>
            <dt>Migration</dt>
            <dd>{versions.migration}</dd>
            <dt>Node</dt>
            <dd>{versions.node}</dd>
            <dt>Clocks</dt>
            <dd>
              {clock.skewed
                ? `The database’s clock differs by ${Math.round(clock.skewMs / 1000)} seconds: set both by NTP.`
                : 'Database and server agree'}
            </dd>
          </dl>
        </Panel>
        <Runs data={data} adminContext={adminContext} />
      </div>
    </>
  );
}

function Trigger({ data, adminContext }: Props) {
  const { publishing, planned, now } = data;
  return (
    <Panel id="trigger" title="Scheduled publishing" state={data.late ? 'overdue' : 'ok'}>
      <dl className="facts">
        <dt>Scheduled</dt>
        <dd>
          {publishing.scheduled} {publishing.scheduled === 1 ? 'post' : 'posts'}, {planned.changes} prepared
          changes, {planned.archives} to be archived
        </dd>
        <dt>Overdue</dt>
        <dd>
          {publishing.oldestOverdueAt ? (
            <strong className="field-error">
              {publishing.overdue}, the oldest since{' '}
              <Time instant={publishing.oldestOverdueAt} {...adminContext} />
            </strong>
          ) : (
            'none'
          )}
        </dd>
        <dt>Next due</dt>
        <dd>
          {publishing.nextDueAt ? <Time instant={publishing.nextDueAt} {...adminContext} /> : 'nothing'}
        </dd>
        <dt>Last trigger</dt>
        <dd>
          {publishing.lastTriggeredAt
            ? distance(new Date(publishing.lastTriggeredAt), now, adminContext.language)
            : 'never: let cron run npm run posts:publish-scheduled every 5 minutes'}
        </dd>
      </dl>
    </Panel>
  );
}

function Backups({ data, adminContext }: Props) {
  const { backups, now } = data;
  const ageOf = (at: Date | null) => (at ? distance(new Date(at), now, adminContext.language) : 'never');
  return (
    <Panel id="backups" title="Backups" state={backups.overdue ? 'overdue' : 'ok'}>
      <dl className="facts">
        <dt>Last backup</dt>
        <dd>{ageOf(backups.lastAt)}</dd>
        <dt>Last proven backup</dt>
        <dd>{ageOf(backups.lastProvenAt)}</dd>
        <dt>Next one due</dt>
        <dd>
          {backups.nextExpectedAt ? (
            <Time instant={backups.nextExpectedAt} {...adminContext} />
          ) : (
            'no schedule is kept'
          )}
        </dd>
      </dl>
      <p className="hint">
        Let cron run <code>npm run backup:run</code> every day, and with <code>--prove</code> every week.
      </p>
    </Panel>
  );
}

function Runs({ data, adminContext }: Props) {
  return (
    <section className="panel system-wide" aria-labelledby="runs">
      <h2 id="runs">Last triggers</h2>
      {data.runs.length === 0 ? <p className="hint">None yet.</p> : null}
      {data.runs.length > 0 ? (
        <div className="scroll" tabIndex={0} role="group" aria-label="Last triggers">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">From</th>
                <th scope="col" className="number">
                  Published
                </th>
                <th scope="col" className="number">
                  Took
                </th>
                <th scope="col">Result</th>
              </tr>
            </thead>
            <tbody>
              {data.runs.map((run) => (
                <tr key={run.id}>
                  <td>
                    <Time instant={run.startedAt} {...adminContext} />
                  </td>
                  <td>{run.source}</td>
                  <td className="number">{run.publishedCount}</td>
                  <td className="number">{run.durationMs === null ? '' : `${run.durationMs} ms`}</td>
                  <td>
                    {run.error ? (
                      <span className="field-error">{run.error}</span>
                    ) : run.finishedAt ? (
                      'done'
                    ) : (
                      'not ended'
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}

function Panel({
  id,
  title,
  state,
  children,
}: {
  id: string;
  title: string;
  state: string;
  children: ReactNode;
}) {
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        <span className={`state state-${stateClass(state)}`}>{state}</span>
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

function inUnits(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1000)));
  return `${(bytes / 1000 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${units[power]}`;
}
