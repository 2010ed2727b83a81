import { useEffect, useState, type ReactNode } from 'react';
import { TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { OccurrenceChoice } from './occurrence-choice.tsx';
import { ReleaseChoice } from './release-choice.tsx';
import type { PanelProps } from './side-panels.tsx';
import { useFormValues } from './use-form-values.ts';
import { distance, roughInstant } from './local-times.ts';

const timeNames = ['publishedAt', 'archiveAt', 'changeAt'] as const;

/** When the post is published and archived. */
export function PublicationPanel({ data, adminContext, form, values, errors, field }: PanelProps) {
  const t = useWords();
  const { post, may } = data;
  const status = post?.status ?? 'draft';
  const now = useNow(data.now);
  const times = useFormValues(form, timeNames, values);
  const distanceOf = (local: string) => {
    const instant = roughInstant(local, adminContext.timeZone);
    return instant && distance(instant, now, adminContext.language);
  };
  const help = (local: string, empty: string) => {
    const words = distanceOf(local);
    return (
      <>
        {words ? <strong>{words}</strong> : t(empty)} ·{' '}
        {t('{timeZone} time', { timeZone: adminContext.timeZone })}
      </>
    );
  };
  // The time of the saved post: the form may contain a changed or refused one.
  const saved = data.values.publishedAt ?? '';
  const overdue = status === 'scheduled' && saved !== '' && isPast(saved, adminContext.timeZone, now);
  return (
    <section className="side-panel side-panel-open" aria-labelledby="publication">
      <h2 id="publication">{t('Publication')}</h2>
      {overdue ? (
        <p className="notice notice-error">{t('This post is due and waits for the next trigger.')}</p>
      ) : null}
      <TextField
        {...field('publishedAt')}
        label={status === 'published' ? 'Published' : 'Publication time'}
        type="datetime-local"
        readOnly={!may.publish}
        help={help(times.publishedAt, 'No time set')}
      />
      <OccurrenceChoice
        {...field('publishedAtOccurrence')}
        local={times.publishedAt}
        adminContext={adminContext}
      />
      {may.publish ? (
        <details className="more" open={values.archiveAt !== '' || Boolean(errors.archiveAt)}>
          <summary>{t('Archive automatically')}</summary>
          <TextField
            {...field('archiveAt')}
            label="Archive time"
            type="datetime-local"
            help={help(times.archiveAt, 'Stays public')}
          />
          <OccurrenceChoice
            {...field('archiveAtOccurrence')}
            local={times.archiveAt}
            adminContext={adminContext}
          />
        </details>
      ) : null}
      {may.publish && status === 'published' ? (
        <ScheduledUpdate
          {...{ data, adminContext, errors, field }}
          local={times.changeAt}
          distanceText={help(times.changeAt, 'No time set')}
        />
      ) : null}
      <ReleaseChoice data={data} adminContext={adminContext} field={field} />
      <div className="row">
        {may.publish && status === 'scheduled' ? (
          <button name="intent" value="schedule">
            {t('Reschedule')}
          </button>
        ) : null}
        {may.publish || status !== 'draft' ? null : (
          <p className="hint">{t('An editor publishes it for you.')}</p>
        )}
        {may.publish && status !== 'draft' ? (
          <button name="intent" value="draft">
            {t('Back to draft')}
          </button>
        ) : null}
        {may.publish && post && status !== 'archived' ? (
          <button name="intent" value="archive">
            {t('Archive')}
          </button>
        ) : null}
        {post ? null : (
          <button name="intent" value="draft">
            {t('Save as draft')}
          </button>
        )}
      </div>
    </section>
  );
}

/** The scheduled update, which replaces the live text at its time. */
function ScheduledUpdate({
  data,
  adminContext,
  errors,
  field,
  local,
  distanceText,
}: Pick<PanelProps, 'data' | 'adminContext' | 'errors' | 'field'> & {
  /** The local time of the update in the form. */
  local: string;
  distanceText: ReactNode;
}) {
  const t = useWords();
  const change = data.post?.change;
  return (
    <details className="more" open={Boolean(change || errors.changeAt || field('changeAt').defaultValue)}>
      <summary>{t('Schedule an update')}</summary>
      {change?.fields ? (
        <p className="notice notice-wait">
          {t.rich('An update goes live at {time}. Scheduling another replaces it.', {
            time: <Time instant={change.at} {...adminContext} />,
          })}{' '}
          {t('It changes {fields}: what you save of that until then is lost at that time.', {
            fields: change.fields.map((label) => t(label)).join(', '),
          })}{' '}
          <a href="?update">{t('Edit that text')}</a>
        </p>
      ) : null}
      {change && !change.fields ? (
        <p className="notice notice-error">
          {t.rich(
            'The update scheduled for {time} can’t be read, so it never goes live. Drop it, or schedule another in its place.',
            { time: <Time instant={change.at} {...adminContext} /> },
          )}
        </p>
      ) : null}
      <TextField {...field('changeAt')} label="Update time" type="datetime-local" help={distanceText} />
      <OccurrenceChoice {...field('changeAtOccurrence')} local={local} adminContext={adminContext} />
      <div className="row">
        <button name="intent" value="prepare">
          {t('Schedule this update')}
        </button>
        {change ? (
          <button name="intent" value="cancel-change">
            {t('Drop the scheduled update')}
          </button>
        ) : null}
      </div>
    </details>
  );
}

function isPast(local: string, timeZone: string, now: Date): boolean {
  const instant = roughInstant(local, timeZone);
  return instant !== null && instant <= now;
}

/** The current time, updated every half minute. It begins with the server's time, so that hydration matches. */
function useNow(start: Date): Date {
  const [now, setNow] = useState(start);
  useEffect(() => {
    const startedAt = performance.now();
    const timer = setInterval(
      () => setNow(new Date(start.getTime() + performance.now() - startedAt)),
      30_000,
    );
    return () => clearInterval(timer);
  }, [start]);
  return now;
}
