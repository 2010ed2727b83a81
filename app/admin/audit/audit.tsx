import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { listAddress, PageLinks } from '#app/admin/frame/page-links.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import { auditTerms } from '#app/people/audit/actions.ts';
import { roles } from '#app/people/roles.ts';
import { Choice, Options, TextField } from '#app/ui/field.tsx';
import { PastTime } from '#app/ui/time.tsx';
import { useWords, type Words } from '#app/ui/words.ts';
import type { load } from './audit.server.ts';

type Props = ViewProps<typeof load>;

export default function Audit({ data, adminContext }: Props) {
  const t = useWords();
  const base = adminUrl(adminContext.adminPath, 'audit');
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
        first={!data.isFirstPage && listAddress(base, data.filter)}
        next={data.next !== null && listAddress(base, data.filter, { after: data.next })}
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
        <Options of={Object.entries(auditTerms).map(([term, name]) => [term, t(name)])} />
      </Choice>
      <Choice name="user" label="Person" defaultValue={data.filter.user}>
        <option value="">{t('All people')}</option>
        <Options of={data.users.map(({ id, displayName }) => [id, displayName])} />
      </Choice>
      <TextField name="q" label="Text" type="search" defaultValue={data.filter.q} />
      <button>{t('Filter entries')}</button>
    </form>
  );
}

function Entries({ data, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  const t = useWords();
  return (
    <Table columns={[t('When'), t('Who'), t('What'), t('From')]} label={t('Entries')}>
      {data.entries.map((entry) => (
        <tr key={entry.id}>
          <td>
            <PastTime instant={entry.at} withTime {...adminContext} />
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
    </Table>
  );
}

/** The actor of an entry that no account made. An email address of a failed login stays as it is. */
export function actorIn(t: Words, actor: string): string {
  return actor === 'Command' || actor === 'Trigger' ? t(actor) : actor;
}

/**
 * The details of an entry in the person's language. They are stored in English, since people with other languages read
 * the log too.
 */
export function detailsIn(t: Words, { action, details }: { action: string; details: string }): string {
  const [, posts, receiver] = /^(\d+) posts to (.+)$/s.exec(details) ?? [];
  if (receiver !== undefined) {
    const to =
      receiver === 'no category' ? t('No category') : receiver === 'no author' ? t('No author') : receiver;
    return t('{from} → {to}', { from: countPosts(t, Number(posts)), to });
  }
  const [, successor, uses] = /^with (.+), in (\d+) posts$/s.exec(details) ?? [];
  if (successor !== undefined)
    return `${t('with {name}', { name: successor })}, ${countPosts(t, Number(uses))}`;
  if (action === 'tag.merged') return t('into {name}', { name: details.replace(/^into /, '') });
  if (action === 'user.created' || action === 'user.changed')
    return details
      .split(', ')
      .map((change) => changeIn(t, change))
      .join(', ');
  return t.message(details);
}

const countPosts = (t: Words, count: number) => t.count('{count} post', '{count} posts', count);

/** One change of an account: its role, the address, or the password. */
function changeIn(t: Words, change: string): string {
  const [, label, from, to] = /^(email )?(\S+) to (\S+)$/.exec(change) ?? [];
  if (from !== undefined && to !== undefined) {
    const step = t('{from} → {to}', { from: roleIn(t, from), to: roleIn(t, to) });
    return label ? `${t('Email')}: ${step}` : step;
  }
  return change === 'new password' ? t('New password') : roleIn(t, change);
}

const roleIn = (t: Words, text: string) => (roles.some((role) => role === text) ? t(text) : text);
