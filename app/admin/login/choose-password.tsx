import { adminUrl } from '#app/admin/admin-url.ts';
import { Notices } from '#app/admin/notices.tsx';
import type { ActionResult, AdminContext } from '#app/admin/screen.ts';
import { TextField } from '#app/ui/field.tsx';
import type { ChoosePasswordData } from './choose-password.server.ts';

/** A new password behind a link from an e-mail. */
export default function ChoosePassword({
  data,
  result,
  adminContext,
}: {
  data: ChoosePasswordData;
  result: ActionResult | undefined;
  adminContext: AdminContext;
}) {
  const token = data.token || result?.values?.token;
  if (!data.account && !result?.errors?.password) return <Invalid data={data} adminContext={adminContext} />;
  return (
    <form method="post" action={adminUrl(adminContext.adminPath, 'login', data.purpose)} className="card">
      <h1>{data.purpose === 'reset' ? 'A new password' : `Welcome to ${adminContext.siteTitle}`}</h1>
      {result?.errors?.password ? null : <Notices result={result} />}
      {data.account ? (
        <p>
          For {data.account.displayName}, {data.account.email}
        </p>
      ) : null}
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="username" autoComplete="username" value={data.account?.email ?? ''} />
      <TextField
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        autoFocus
        errors={result?.errors?.password}
        help="At least 8 characters"
      />
      <button className="primary">Set the password</button>
    </form>
  );
}

function Invalid({ data, adminContext }: { data: ChoosePasswordData; adminContext: AdminContext }) {
  return (
    <div className="card">
      <h1>This link is no longer valid</h1>
      <p>
        It works once and for {data.purpose === 'reset' ? 'one hour' : 'seven days'}.{' '}
        {data.purpose === 'reset' ? null : 'Ask whoever invited you for a new one.'}
      </p>
      <p>
        {data.purpose === 'reset' ? (
          <a href={adminUrl(adminContext.adminPath, 'login', 'forgot')}>Ask for a new one</a>
        ) : (
          <a href={adminUrl(adminContext.adminPath, 'login')}>To the login</a>
        )}
      </p>
    </div>
  );
}
