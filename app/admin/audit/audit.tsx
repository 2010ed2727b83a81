import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageLinks } from '#app/admin/frame/page-links.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { auditTerms } from '#app/people/audit/actions.ts';
import { Choice, TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { load } from './audit.server.ts';
import { actorIn, detailsIn } from './words.ts';

type Props = ViewProps<typeof load>;

/** The audit log. */
export default function Audit({ data, adminContext }: Props) {
  const t = useWords();
  const base = adminUrl(adminContext.adminPath, 'audit');
  const query = new URLSearchParams(Object.entries(data.filter).filter(([, value]) => value !== ''));
  const older = new URLSearchParams(query);
  if (data.next) older.set('after', data.next);
  return (
    <>
      <div className="page-head">
        <h1>{t('Audit log')}</h1>
        <p>
          {data.keepDays === 0
            ? t('Kept forever')
            : t('Kept for {keepDays} days', { keepDays: data.keepDays })}{' '}
          · <a href={adminUrl(adminContext.adminPath, 'settings', 'security')}>{t('Change')}</a>
        </p>
      </div>
      <Filters data={data} base={base} />
      {data.entries.length === 0 ? (
        <p className="empty">{t('No entries match.')}</p>
      ) : (
        <Entries data={data} adminContext={adminContext} />
      )}
      <PageLinks
        first={!data.isFirstPage && `${base}?${query}`}
        next={data.next !== null && `${base}?${older}`}
      />
    </>
  );
}

function Filters({ data, base }: { data: Props['data']; base: string }) {
  const t = useWords();
  return (
    <form className="filters" role="search" action={base}>
      <Choice name="term" label="Subject" defaultValue={data.filter.term}>
        <option value="">{t('All subjects')}</option>
        {Object.entries(auditTerms).map(([term, name]) => (
          <option key={term} value={term}>
            {t(name)}
          </option>
        ))}
      </Choice>
      <Choice name="user" label="Person" defaultValue={data.filter.user}>
        <option value="">{t('All people')}</option>
        {data.users.map(({ id, displayName }) => (
          <option key={id} value={id}>
            {displayName}
          </option>
        ))}
      </Choice>
      <TextField name="q" label="Text" type="search" defaultValue={data.filter.q} />
      <button>{t('Filter entries')}</button>
    </form>
  );
}

function Entries({ data, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  const t = useWords();
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={t('Entries')}>
      <table className="table table-cards">
        <thead>
          <tr>
            <th scope="col">{t('When')}</th>
            <th scope="col">{t('Who')}</th>
            <th scope="col">{t('What')}</th>
            <th scope="col">{t('From')}</th>
          </tr>
        </thead>
        <tbody>
          {data.entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                <Time instant={entry.at} {...adminContext} />
              </td>
              <td>{entry.userId === null ? actorIn(t, entry.actor) : entry.actor}</td>
              <td>
                {t(entry.words)}
                {entry.subject ? <>: {entry.subject}</> : null}
                {entry.details ? <span className="hint"> ({detailsIn(t, entry)})</span> : null}
              </td>
              <td data-label={t('From')}>{entry.address}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
