import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { occurrences } from '#app/admin/times/local.ts';
import { OccurrenceChoice } from '#app/admin/times/occurrence-choice.tsx';
import { TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { act, load } from './publish.server.ts';

type Props = Pick<ViewProps<typeof load, typeof act>, 'data' | 'adminContext'>;

/** What to do after a post was published or scheduled. */
export function AfterPublishingPage({ data, adminContext }: Props) {
  const t = useWords();
  const { post } = data;
  const { adminPath } = adminContext;
  const isPublished = post.status === 'published';
  return (
    <section className="panel publish-done" aria-labelledby="done">
      <h1 id="done">{isPublished ? t('Published') : t('Scheduled')}</h1>
      <p>
        <strong>{post.title}</strong>{' '}
        {isPublished ? (
          t('is on the site.')
        ) : post.publishedAt ? (
          <>
            {t.rich('is published {time} ({timeZone} time).', {
              time: <Time instant={post.publishedAt} style="long" {...adminContext} />,
              timeZone: adminContext.timeZone,
            })}
          </>
        ) : null}
      </p>
      {isPublished ? null : <WhichOccurrence {...{ data, adminContext }} />}
      <TextField
        id="address"
        name="address"
        label="Link"
        defaultValue={data.publication.address}
        readOnly
        help="Select it to copy"
      />
      <p className="row">
        {isPublished ? (
          <a className="button primary" href={data.publication.address}>
            {t('Open the post')}
          </a>
        ) : null}
        <a className="button" href={adminUrl(adminPath, 'posts', 'new')}>
          {t('Write the next post')}
        </a>
        <a className="button" href={`${adminUrl(adminPath, 'posts')}?status=draft`}>
          {t('Schedule the next draft')}
        </a>
        <a href={adminUrl(adminPath, 'posts', post.id)}>{t('Back to the editor')}</a>
      </p>
    </section>
  );
}

/** Asks which of two equal times is meant if the clocks go back. The form could not ask before the time was chosen. */
function WhichOccurrence({ data, adminContext }: Props) {
  const t = useWords();
  const { publishedAt, publishedAtOccurrence } = data.values;
  if (!publishedAt || occurrences(publishedAt, adminContext.timeZone).length < 2) return null;
  return (
    <form method="post" className="notice notice-wait stack">
      <PageUserField />
      <input type="hidden" name="version" value={data.post.version} />
      <input type="hidden" name="publishedAt" value={publishedAt} />
      <OccurrenceChoice
        name="publishedAtOccurrence"
        local={publishedAt}
        defaultValue={publishedAtOccurrence}
        adminContext={adminContext}
      />
      <p className="row">
        <button name="intent" value="schedule">
          {t('Reschedule')}
        </button>
      </p>
    </form>
  );
}
