import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { PastTime } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { stateNames } from './state-names.ts';
import type { load } from './users.server.ts';

/** All accounts. */
export default function Users({ data, result, adminContext }: ViewProps<typeof load>) {
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
      <div className="scroll">
        <table className="table table-cards people">
          <thead>
            <tr>
              <th scope="col">{t('Name')}</th>
              <th scope="col">{t('Email')}</th>
              <th scope="col">{t('Role')}</th>
              <th scope="col" className="number">
                {t('Posts')}
              </th>
              <th scope="col">{t('Second factor')}</th>
              <th scope="col">{t('Last seen')}</th>
            </tr>
          </thead>
          <tbody>
            {data.users.map((user) => (
              <tr key={user.id}>
                <th scope="row">
                  <a href={adminUrl(adminContext.adminPath, 'users', user.id)}>{user.displayName}</a>{' '}
                  {user.state === 'active' ? null : (
                    <span className="state">{t(stateNames[user.state])}</span>
                  )}
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
          </tbody>
        </table>
      </div>
    </>
  );
}
