import { useEffect, useState, type ReactNode } from 'react';
import { useFormValues } from '#app/admin/editor/model/form-fields.ts';
import { PreviewMail } from '#app/admin/editor/publish-panel/send-by-email.tsx';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { distance, roughInstant } from '#app/admin/times/local.ts';
import { OccurrenceChoice } from '#app/admin/times/occurrence-choice.tsx';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { Choice, TextField, NamedOptions } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { PanelProps } from './props.ts';

const timeNames = ['publishedAt', 'archiveAt', 'changeAt'] as const;

export function PublicationPanel({ data, edit, adminContext, form, values, errors, field }: PanelProps) {
  const t = useWords();
  const { post, may } = data;
  const status = post?.status ?? 'draft';
  const isScheduledText = edit === SCHEDULED_TEXT;
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
  const update = { local: times.changeAt, distanceText: help(times.changeAt, 'No time set') };
  return (
    <section className="side-panel side-panel-open" aria-labelledby="publication">
      <h2 id="publication">{t('Publication')}</h2>
      {isScheduledText ? <ScheduledTextPanel {...{ adminContext, field, ...update }} /> : null}
      {overdue ? (
        <p className="notice notice-error">{t('This post is due. It is published at the next check.')}</p>
      ) : null}
      <TextField
        {...field('publishedAt')}
        label={status === 'published' ? 'Published' : 'Publication time'}
        type="datetime-local"
        readOnly={!may.publish || isScheduledText}
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
      {may.publish && status === 'published' && !isScheduledText ? (
        <ScheduledUpdate {...{ data, adminContext, errors, field, ...update }} />
      ) : null}
      <NewsletterFields {...{ data, field, adminContext }} />
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
        {may.publish && status !== 'draft' && !isScheduledText ? (
          <button name="intent" value="draft">
            {t('Back to draft')}
          </button>
        ) : null}
        {may.publish && post && status !== 'archived' && !isScheduledText ? (
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

/** Whether the first publication is sent to the newsletter's subscribers, and as what. */
function NewsletterFields({
  data,
  field,
  adminContext,
}: Pick<PanelProps, 'data' | 'field' | 'adminContext'>) {
  const t = useWords();
  const { subscribers } = data.choices;
  if (subscribers === null || !data.may.publish) return null;
  return (
    <details className="more">
      <summary>{t('Newsletter')}</summary>
      <Choice
        {...field('sendByEmail')}
        label="Send by email"
        help={t('The first publication goes to {count} subscribers.', { count: subscribers })}
      >
        <option value="">{t('No')}</option>
        <option value="yes">{t('Yes')}</option>
      </Choice>
      <TextField {...field('emailSubject')} label="Email subject" help="Leave blank to use the title" />
      <TextField
        {...field('emailPreview')}
        label="Email preview text"
        help="Leave blank to use the excerpt"
      />
      {data.post ? (
        <>
          <TextField {...field('emailTo')} label="Test mail to" type="email" />
          <button name="intent" value="send-test" formNoValidate>
            {t('Send test message')}
          </button>{' '}
          <PreviewMail url={adminUrl(adminContext.adminPath, 'posts', data.post.id, 'mail')} />
        </>
      ) : null}
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

type Props = Pick<PanelProps, 'data' | 'adminContext' | 'errors' | 'field'> & {
  local: string;
  distanceText: ReactNode;
};

/** The scheduled update as the live text's page shows it: a new one, or the one that there is. */
function ScheduledUpdate({ data, adminContext, errors, field, local, distanceText }: Props) {
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
function ScheduledTextPanel({ adminContext, field, local, distanceText }: Omit<Props, 'data' | 'errors'>) {
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

const actionWords: Record<string, string> = {
  publish: 'Published with',
  update: 'Changed by',
  archive: 'Archived by',
  restore: 'Goes back with',
};

/** The releases that contain the post, and the choice of the release to which the form is saved. */
function ReleaseChoice({ data, adminContext, field }: Pick<PanelProps, 'data' | 'adminContext' | 'field'>) {
  const t = useWords();
  const { open, of } = data.releases;
  if (open.length === 0) return null;
  const status = data.post?.status ?? 'draft';
  const isLive = status === 'published';
  // The form's first choice, and that of the last save, which the form still has.
  const chosen = [field('releaseId').defaultValue, data.values.releaseId];
  // A save of this text would replace the text that such a release already has; “Edit that text” leads to it. Of a
  // rollback it would replace that the post goes back.
  const changing = new Set(
    of.flatMap(({ release, action }) => (action === 'update' || action === 'restore' ? [release.id] : [])),
  );
  const offered = isLive ? open.filter(({ id }) => chosen.includes(id) || !changing.has(id)) : open;
  return (
    <details className="more" open={of.length > 0 || chosen.some(Boolean)}>
      <summary>{t('Release')}</summary>
      {of.map(({ release, action }) => (
        <p key={release.id} className="notice notice-wait">
          {t(actionWords[action] ?? 'In')}{' '}
          <a href={adminUrl(adminContext.adminPath, 'releases', release.id)}>{release.name}</a>
          {release.publishAt ? (
            <> {t.rich('at {time}', { time: <Time instant={release.publishAt} {...adminContext} /> })}</>
          ) : null}
          {isLive && action === 'update' ? (
            <>
              . <a href={`?release=${release.id}`}>{t('Edit that text')}</a>
            </>
          ) : null}
        </p>
      ))}
      <Choice
        {...field('releaseId')}
        label={isLive ? 'Save or archive with' : 'Publish with'}
        help={
          isLive
            ? '“Update” and “Archive” then change the release, not what readers see'
            : '“Save” then adds the post to the release'
        }
      >
        <option value="">{isLive ? t('Now, without a release') : t('No release')}</option>
        <NamedOptions of={offered} />
      </Choice>
    </details>
  );
}
