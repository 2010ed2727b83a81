import { adminUrl } from '#app/admin/admin-url.ts';
import { Notices } from '#app/admin/notices.tsx';
import type { ViewProps } from '#app/admin/screen.ts';
import { Time } from '#app/ui/time.tsx';
import { stateNames } from './state-names.ts';
import type { load } from './users.server.ts';

/** All accounts. */
export default function Users({ data, result, adminContext }: ViewProps<typeof load>) {
  return (
    <>
      <div className="page-head">
        <h1>People</h1>
        <a className="button primary" href={adminUrl(adminContext.adminPath, 'users', 'new')}>
          Invite a person
        </a>
      </div>
      <Notices saved={data.deleted ? 'Account deleted.' : null} result={result} />
      <div className="scroll">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Email</th>
              <th scope="col">Role</th>
              <th scope="col" className="number">
                Posts
              </th>
              <th scope="col">Second factor</th>
              <th scope="col">Last seen</th>
            </tr>
          </thead>
          <tbody>
            {data.users.map((user) => (
              <tr key={user.id}>
                <th scope="row">
                  <a href={adminUrl(adminContext.adminPath, 'users', user.id)}>{user.displayName}</a>{' '}
                  {user.state === 'active' ? null : <span className="state">{stateNames[user.state]}</span>}
                </th>
                <td>{user.email}</td>
                <td>{user.role}</td>
                <td className="number">{user.posts}</td>
                <td>{user.hasSecondFactor ? 'On' : 'Off'}</td>
                <td>{user.lastSeenAt ? <Time instant={user.lastSeenAt} {...adminContext} /> : 'Never'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
