import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import { PastTime } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { stateNames } from './state-names.ts';
import type { usersScreen } from './users.server.ts';

export default function Users({ data, result, adminContext }: ViewProps<typeof usersScreen.load>) {
  const t = useWords();
  return (
    <>
      <div className="page-head">
        <h1>{t('People')}</h1>
        <a className="button primary" href={adminUrl(adminContext.adminPath, 'users', 'new')}>
          {t('Invite a person')}
        </a>
      </div>
      <Notices saved={data.deleted ? 'Account deleted.' : null} result={result} />
      <Table
        columns={[t('Name'), t('Email'), t('Role'), t('Posts'), t('Second factor'), t('Last seen')]}
        numbers={[3]}
        className="table table-cards people"
      >
        {data.users.map((user) => (
          <tr key={user.id}>
            <th scope="row">
              <a href={adminUrl(adminContext.adminPath, 'users', user.id)}>{user.displayName}</a>{' '}
              {user.state === 'active' ? null : <span className="state">{t(stateNames[user.state])}</span>}
            </th>
            <td>{user.email}</td>
            <td data-label={t('Role')}>{t(user.role)}</td>
            <td data-label={t('Posts')} className="number">
              {user.posts}
            </td>
            <td data-label={t('Second factor')}>{user.hasSecondFactor ? t('On') : t('Off')}</td>
            <td data-label={t('Last seen')}>
              {user.lastSeenAt ? <PastTime instant={user.lastSeenAt} {...adminContext} /> : t('Never')}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
