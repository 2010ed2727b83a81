import { TextDiff } from '#app/admin/differences/differences.tsx';
import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { SCHEDULED_FIELD } from '#app/admin/editor/model/form-fields.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { ResolvedField } from './conflict.tsx';
import type { ScheduledConflictPage } from './result.ts';

interface ScheduledConflictProps {
  page: ScheduledConflictPage;
  data: EditorData;
  adminContext: AdminContext;
}

/** Asks what the scheduled update gets before a live change is saved that changes the same. */
export function ScheduledConflict({ page, data, adminContext }: ScheduledConflictProps) {
  const t = useWords();
  const { intent = 'save', ...values } = page.values;
  return (
    <form method="post" className="conflict">
      <PageUserField />
      <div className="page-head">
        <h1>{t('Live and scheduled text of “{title}”', { title: data.values.title })}</h1>
      </div>
      <div className="notice notice-wait" role="alert">
        <p>
          {t.rich(
            'The update scheduled for {time} changes the same text as your change, so nothing is saved yet. Check below what the update contains then. Everything else of your change is added to it.',
            { time: <Time instant={page.changeAt} {...adminContext} /> },
          )}
        </p>
      </div>
      <div className="row">
        <button className="primary" name="intent" value={intent}>
          {t('Update the live post and the scheduled text')}
        </button>
        <a className="button quiet" href={adminUrl(adminContext.adminPath, 'posts', data.postId)}>
          {t('Cancel')}
        </a>
      </div>
      {Object.entries(values)
        .filter(([name]) => !name.startsWith(SCHEDULED_FIELD))
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      {page.fields.map((field) => (
        <section key={field.name} className="conflict-field" aria-labelledby={`conflict-${field.name}`}>
          <h2 id={`conflict-${field.name}`}>{t(field.label)}</h2>
          {field.changes.length > 0 ? (
            <div className="versions">
              {field.changes.map(({ label, lines }) => (
                <div key={label}>
                  <h3>{t(label)}</h3>
                  <TextDiff lines={lines} label={t(label)} />
                </div>
              ))}
            </div>
          ) : (
            <dl className="sides">
              <div>
                <dt>{t('Live text (yours)')}</dt>
                <dd>{field.live || t('(empty)')}</dd>
              </div>
              <div>
                <dt>{t('Scheduled text')}</dt>
                <dd>{field.scheduled || t('(empty)')}</dd>
              </div>
            </dl>
          )}
          <ResolvedField
            of={field.name}
            name={field.chosenName}
            label="Scheduled text"
            value={field.chosen}
            data={data}
          />
        </section>
      ))}
    </form>
  );
}
