import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import type { TriggerSource } from '#app/publishing/trigger/publish-due.server.ts';
import { PastTime } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { load } from './system.server.ts';

type Props = Pick<ViewProps<typeof load>, 'data' | 'adminContext'>;

export const sourceWords: Record<TriggerSource, string> = {
  command: 'Cron or command',
  route: 'Route',
  server: 'Server',
};

/** The last runs of the trigger, with what each did. */
export function TriggerRuns({ data, adminContext }: Props) {
  const t = useWords();
  return (
    <section className="panel system-wide" aria-labelledby="runs">
      <h2 id="runs">{t('Recent runs')}</h2>
      {data.runs.length === 0 ? <p className="hint">{t('None yet.')}</p> : null}
      {data.runs.length > 0 ? (
        <Table
          columns={[t('When'), t('From'), t('Published'), t('Duration'), t('Result')]}
          numbers={[2, 3]}
          className="table"
          label={t('Recent runs')}
        >
          {data.runs.map((run) => (
            <tr key={run.id}>
              <td>
                <PastTime instant={run.startedAt} withTime {...adminContext} />
              </td>
              <td>{t(sourceWords[run.source])}</td>
              <td className="number">{run.publishedCount}</td>
              <td className="number">
                {run.durationMs === null ? '' : t('{durationMs} ms', { durationMs: run.durationMs })}
              </td>
              <td>
                {run.error ? (
                  <span className="field-error">{run.error}</span>
                ) : run.finishedAt ? (
                  t('done')
                ) : (
                  t('not ended')
                )}
              </td>
            </tr>
          ))}
        </Table>
      ) : null}
    </section>
  );
}
