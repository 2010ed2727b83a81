import { adminUrl } from '#app/admin/admin-url.ts';
import type { ViewProps } from '#app/admin/screen.ts';
import { auditTerms } from '#app/auth/audit-actions.ts';
import { Choice, TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import type { load } from './audit.server.ts';

type Props = ViewProps<typeof load>;

/** Who did what when and from where. */
export default function Audit({ data, adminContext }: Props) {
  const base = adminUrl(adminContext.adminPath, 'audit');
  const query = new URLSearchParams(Object.entries(data.filter).filter(([, value]) => value !== ''));
  const older = new URLSearchParams(query);
  if (data.next) older.set('after', data.next);
  return (
    <>
      <div className="page-head">
        <h1>Audit log</h1>
        <p>
          {data.keepDays === 0 ? 'Kept forever' : `Kept for ${data.keepDays} days`} ·{' '}
          <a href={adminUrl(adminContext.adminPath, 'settings', 'security')}>Change</a>
        </p>
      </div>
      <Filters data={data} base={base} />
      {data.entries.length === 0 ? (
        <p className="empty">No entries match.</p>
      ) : (
        <Entries data={data} adminContext={adminContext} />
      )}
      <nav aria-label="Pages" className="pages">
        {data.isFirstPage ? null : <a href={`${base}?${query}`}>Newest</a>}
        {data.next ? <a href={`${base}?${older}`}>Older</a> : null}
      </nav>
    </>
  );
}

function Filters({ data, base }: { data: Props['data']; base: string }) {
  return (
    <form className="filters" role="search" action={base}>
      <Choice name="term" label="Subject" defaultValue={data.filter.term}>
        <option value="">All subjects</option>
        {Object.entries(auditTerms).map(([term, name]) => (
          <option key={term} value={term}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice name="user" label="Person" defaultValue={data.filter.user}>
        <option value="">All people</option>
        {data.users.map(({ id, displayName }) => (
          <option key={id} value={id}>
            {displayName}
          </option>
        ))}
      </Choice>
      <TextField name="q" label="Text" type="search" defaultValue={data.filter.q} />
      <button>Filter entries</button>
    </form>
  );
}

function Entries({ data, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label="Entries">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {data.entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                <Time instant={entry.at} {...adminContext} />
              </td>
              <td>{entry.actor}</td>
              <td>
                {entry.words}
                {entry.subject ? <>: {entry.subject}</> : null}
                {entry.details ? <span className="hint"> ({entry.details})</span> : null}
              </td>
              <td>{entry.address}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
