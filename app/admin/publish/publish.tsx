import { CheckList, NO_PROBLEMS, SharePreview } from '#app/admin/editor/preview/share.tsx';
import { PUBLISH_AND_SEND } from '#app/admin/editor/publish-panel/send-by-email.tsx';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { Crumbs } from '#app/admin/frame/page-links.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { shortHour, occurrences } from '#app/admin/times/local.ts';
import { OccurrenceChoice } from '#app/admin/times/occurrence-choice.tsx';
import type { Message } from '#app/platform/message.ts';
import { Choice, NamedOptions, TextArea, TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { act, load } from './publish.server.ts';

type Props = ViewProps<typeof load, typeof act>;
type Data = Props['data'];

/** The page that publishes a post; after the publication, what to do next. */
export default function Publish({ data, result, adminContext }: Props) {
  const t = useWords();
  const { post } = data;
  const trail = [
    { label: 'Posts', segments: ['posts'] },
    { label: post.title, segments: ['posts', post.id] },
  ];
  const isDone = data.done && (post.status === 'published' || post.status === 'scheduled') && !result;
  return (
    <>
      <Crumbs adminContext={adminContext} trail={trail} current={t('Publish')} />
      {isDone ? (
        <AfterPublishingPage data={data} adminContext={adminContext} />
      ) : (
        <Panel {...{ data, result, adminContext }} />
      )}
    </>
  );
}

function Panel({ data, result, adminContext }: Props) {
  const t = useWords();
  const { post } = data;
  const values: Record<string, string> = data.values;
  const field = (name: string) => ({
    name,
    defaultValue: result?.values?.[name] ?? values[name] ?? '',
    errors: result?.errors?.[name],
  });
  const isPublished = post.status === 'published';
  return (
    <>
      <div className="page-head">
        <h1>{t(isPublished ? 'Update “{title}”' : 'Publish “{title}”', { title: post.title })}</h1>
      </div>
      <Notices result={result} />
      {data.hasUnsaved ? (
        <p className="notice">
          {t.rich('You have unsaved changes in this post. {link} first.', {
            link: <a href={adminUrl(adminContext.adminPath, 'posts', post.id)}>{t('View in the editor')}</a>,
          })}
        </p>
      ) : null}
      <form method="post" className="publish-page">
        <PageUserField />
        <input type="hidden" name="version" value={post.version} />
        {/* Enter presses the first button, so that one only saves. */}
        <button hidden tabIndex={-1} name="intent" value="save">
          {t('Save')}
        </button>
        <div className="stack">
          <Checks data={data} />
          <section className="panel stack" aria-labelledby="where">
            <h2 id="where">{t('Address and terms')}</h2>
            <TextField
              {...field('slug')}
              label="Slug"
              autoComplete="off"
              help="Leave blank to use the title"
            />
            <Choice {...field('categoryId')} label="Category">
              <option value="">{t('None')}</option>
              <NamedOptions of={data.categories} />
            </Choice>
            {adminContext.screens.includes('categories') ? (
              <TextField
                {...field('newCategory')}
                label="New category"
                autoComplete="off"
                help="Its name. It replaces the category above"
              />
            ) : null}
            <TextField
              {...field('tags')}
              label="Tags"
              list="publish-tags"
              autoComplete="off"
              help="Separated by commas"
            />
            <datalist id="publish-tags">
              {data.tags.map((tag) => (
                <option key={tag} value={tag} />
              ))}
            </datalist>
            <TextArea {...field('excerpt')} label="Excerpt" rows={3} help="Lists, feeds and search show it" />
          </section>
        </div>
        <div className="stack">
          <When data={data} field={field} adminContext={adminContext} />
          <Elsewhere data={data} field={field} />
        </div>
      </form>
    </>
  );
}

type FieldOf = (name: string) => { name: string; defaultValue: string; errors: Message[] | undefined };

interface WhenProps {
  data: Data;
  field: FieldOf;
  adminContext: Props['adminContext'];
}

function When({ data, field, adminContext }: WhenProps) {
  const t = useWords();
  const isPublished = data.post.status === 'published';
  const { mail } = data.publication;
  const isSent = mail !== null && field('sendByEmail').defaultValue === 'yes';
  return (
    <section className="panel stack" aria-labelledby="when">
      <h2 id="when">{t('When')}</h2>
      <p className="hint">
        {t('All times are {zone} ({timeZone}), where it is {now} now.', {
          zone: data.publication.zone,
          timeZone: adminContext.timeZone,
          now: shortHour(data.publication.now, adminContext),
        })}
      </p>
      <TextField
        {...field('publishedAt')}
        label={isPublished ? 'Published' : 'Publication time'}
        type="datetime-local"
        help={isPublished ? undefined : 'Leave blank to publish now'}
      />
      <OccurrenceChoice
        {...field('publishedAtOccurrence')}
        local={field('publishedAt').defaultValue}
        adminContext={adminContext}
      />
      {mail && !isPublished ? (
        <>
          <Choice
            {...field('sendByEmail')}
            label="Send by email"
            help={t('The first publication goes to {count} subscribers.', { count: mail.recipients })}
          >
            <option value="">{t('No')}</option>
            <option value="yes">{t('Yes')}</option>
          </Choice>
          <p>
            <a href={adminUrl(adminContext.adminPath, 'posts', data.post.id, 'mail')}>
              {t('Preview the mail')}
            </a>{' '}
            <span className="hint">
              {t('{size} KB of 102 KB, at which Gmail cuts a mail', { size: mail.kilobytes })}
            </span>
          </p>
        </>
      ) : null}
      <p className="row">
        {isPublished ? (
          <button className="primary" name="intent" value="save">
            {t('Update')}
          </button>
        ) : (
          <>
            <button className="primary" name="intent" value="publish">
              {isSent ? t.count(...PUBLISH_AND_SEND, mail?.recipients ?? 0) : t('Publish now')}
            </button>
            <button name="intent" value="schedule">
              {t('Schedule for that time')}
            </button>
            <button className="quiet" name="intent" value="save">
              {t('Save without publishing')}
            </button>
          </>
        )}
      </p>
      {isPublished ? null : (
        <p className="row">
          {data.publication.suggestions.map(({ label, value }) => (
            <button key={value} className="small" name="suggested" value={value}>
              {t(label)}, {shortHour(value, adminContext)}
            </button>
          ))}
        </p>
      )}
    </section>
  );
}

function Checks({ data }: { data: Data }) {
  const t = useWords();
  const { checks } = data.publication;
  if (checks.length === 0)
    return (
      <p className="notice" role="status">
        {t(NO_PROBLEMS)}
      </p>
    );
  return (
    <section className="panel" aria-labelledby="checks">
      <h2 id="checks">{t('Before publishing')}</h2>
      <CheckList checks={checks} />
    </section>
  );
}

function Elsewhere({ data, field }: { data: Data; field: FieldOf }) {
  const t = useWords();
  return (
    <section className="panel stack" aria-labelledby="look">
      <h2 id="look">{t('How it looks elsewhere')}</h2>
      <SharePreview {...data.sharePreview} />
      <TextField {...field('seoTitle')} label="Search title" help="Leave blank to use the title" />
      <TextArea
        {...field('seoDescription')}
        label="Search description"
        rows={2}
        help="Leave blank to use the excerpt"
      />
    </section>
  );
}

type AfterProps = Pick<ViewProps<typeof load, typeof act>, 'data' | 'adminContext'>;

/** What to do after a post was published or scheduled. */
function AfterPublishingPage({ data, adminContext }: AfterProps) {
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
function WhichOccurrence({ data, adminContext }: AfterProps) {
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
