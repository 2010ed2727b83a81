import { useEffect, useState } from 'react';
import { PreviewMail } from '#app/admin/editor/publish-panel/send-by-email.tsx';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { useFormValues } from '#app/admin/editor/model/use-form-values.ts';
import { distance, roughInstant } from '#app/admin/times/local.ts';
import { OccurrenceChoice } from '#app/admin/times/occurrence-choice.tsx';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { Choice, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { PanelProps } from './props.ts';
import { ReleaseChoice } from './release-choice.tsx';
import { ScheduledTextPanel, ScheduledUpdate } from './scheduled.tsx';

const timeNames = ['publishedAt', 'archiveAt', 'changeAt'] as const;

/** When the post is published and archived. */
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
