import type { ReactNode } from 'react';
import { OccurrenceChoice } from '#app/admin/times/occurrence-choice.tsx';
import { TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { PanelProps } from './props.ts';

type Props = Pick<PanelProps, 'data' | 'adminContext' | 'errors' | 'field'> & {
  /** The local time of the update in the form. */
  local: string;
  distanceText: ReactNode;
};

/** The scheduled update as the live text's page shows it: a new one, or the one that there is. */
export function ScheduledUpdate({ data, adminContext, errors, field, local, distanceText }: Props) {
  const t = useWords();
  const change = data.post?.change;
  const drop = (
    <button name="intent" value="cancel-change">
      {t('Drop the scheduled update')}
    </button>
  );
  if (change?.fields)
    return (
      <div className="notice notice-wait">
        <p>
          {t.rich('An update goes live at {time}.', {
            time: <Time instant={change.at} {...adminContext} />,
          })}{' '}
          {change.fields.length > 0
            ? `${t('It changes {fields}.', { fields: change.fields.map((label) => t(label)).join(', ') })} `
            : null}
          {t('What you change here is added to it.')}
        </p>
        <div className="row">
          <a href="?edit=scheduled">{t('Edit that text')}</a> {drop}
        </div>
      </div>
    );
  return (
    <details className="more" open={Boolean(change || errors.changeAt || field('changeAt').defaultValue)}>
      <summary>{t('Schedule an update')}</summary>
      {change ? (
        <p className="notice notice-error">
          {t.rich(
            'The update scheduled for {time} can’t be read and won’t go live. Drop it, or schedule another one.',
            { time: <Time instant={change.at} {...adminContext} /> },
          )}
        </p>
      ) : null}
      <UpdateTime {...{ adminContext, field, local, distanceText }} />
      <div className="row">
        <button name="intent" value="prepare">
          {t('Schedule this update')}
        </button>
        {change ? drop : null}
      </div>
    </details>
  );
}

/** When the text on the page goes live, and how to publish it sooner or not at all. */
export function ScheduledTextPanel({
  adminContext,
  field,
  local,
  distanceText,
}: Omit<Props, 'data' | 'errors'>) {
  const t = useWords();
  return (
    <>
      <UpdateTime {...{ adminContext, field, local, distanceText }} />
      <div className="row">
        <button name="intent" value="cancel-change">
          {t('Drop the scheduled update')}
        </button>
      </div>
      <details className="more">
        <summary>{t('Publish now…')}</summary>
        <p className="hint">{t('Readers see this text at once.')}</p>
        <button name="intent" value="publish">
          {t('Publish now')}
        </button>
      </details>
    </>
  );
}

function UpdateTime({
  adminContext,
  field,
  local,
  distanceText,
}: Pick<Props, 'adminContext' | 'field' | 'local' | 'distanceText'>) {
  return (
    <>
      <TextField {...field('changeAt')} label="Update time" type="datetime-local" help={distanceText} />
      <OccurrenceChoice {...field('changeAtOccurrence')} local={local} adminContext={adminContext} />
    </>
  );
}
