import { adminUrl } from '#app/admin/admin-url.ts';
import { Notices } from '#app/admin/notices.tsx';
import type { ViewProps } from '#app/admin/screen.ts';
import { Time } from '#app/ui/time.tsx';
import type { load } from './users.server.ts';

/** Everybody with an account. */
export default function Users({ data, result, adminContext }: ViewProps<typeof load>) {
  return (
    <>
      <div className="page-head">
        <h1>People</h1>
        <a className="button primary" href={adminUrl(adminContext.adminPath, 'users', 'new')}>
          Invite somebody
        </a>
      </div>
      <Notices saved={data.deleted ? 'The account is gone.' : null} result={result} />
      <div className="scroll">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">E-mail</th>
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
                  {user.state === 'active' ? null : <span className="state">{user.state}</span>}
                </th>
                <td>{user.email}</td>
                <td>{user.role}</td>
                <td className="number">{user.posts}</td>
                <td>{user.hasSecondFactor ? 'on' : 'off'}</td>
                <td>{user.lastSeenAt ? <Time instant={user.lastSeenAt} {...adminContext} /> : 'never'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
