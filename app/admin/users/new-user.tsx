import { adminUrl } from '#app/admin/admin-url.ts';
import { Notices } from '#app/admin/notices.tsx';
import type { ViewProps } from '#app/admin/screen.ts';
import { TextField } from '#app/ui/field.tsx';
import { InvitationLink } from './invitation-link.tsx';
import type { act, load } from './new-user.server.ts';
import { RoleChoice } from './role-choice.tsx';

/** A new account: invite its owner, or set a password here. */
export default function NewUser({ data, result, adminContext }: ViewProps<typeof load, typeof act>) {
  const values = result?.values ?? {};
  const errors = result?.errors ?? {};
  const field = (name: string) => ({ name, defaultValue: values[name], errors: errors[name] });
  return (
    <>
      <div className="page-head">
        <h1>Invite somebody</h1>
        <p>
          <a href={adminUrl(adminContext.adminPath, 'users')}>All people</a>
        </p>
      </div>
      <Notices result={result} />
      <InvitationLink result={result} />
      <form method="post" className="settings">
        <TextField {...field('displayName')} label="Name" required maxLength={200} help="Readers see it" />
        <TextField {...field('email')} label="E-mail" type="email" required autoComplete="off" />
        <TextField
          {...field('username')}
          label="Username"
          help="Stands in the address of the author’s page and stays. Blank: made from the name."
        />
        <RoleChoice roles={data.roles} defaultValue={values.role} errors={errors.role} />
        <button className="primary" name="intent" value="invite">
          Send an invitation
        </button>
        {data.sendsMail ? null : (
          <p className="hint">This site cannot send e-mail yet: you will get a link to pass on.</p>
        )}
        <details className="more" open={errors.password !== undefined}>
          <summary>Set a password here instead</summary>
          <div className="stack">
            <TextField {...field('password')} label="Password" type="password" autoComplete="new-password" />
            <button name="intent" value="create">
              Create the account
            </button>
          </div>
        </details>
      </form>
    </>
  );
}
