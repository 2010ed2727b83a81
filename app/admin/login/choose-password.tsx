import { adminUrl } from '#app/admin/admin-url.ts';
import { Notices } from '#app/admin/notices.tsx';
import type { ActionResult, AdminContext } from '#app/admin/screen.ts';
import { TextField } from '#app/ui/field.tsx';
import type { ChoosePasswordData } from './choose-password.server.ts';

/** Choosing a password through a link from an email. */
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
      <h1>{data.purpose === 'reset' ? 'Choose a new password' : `Welcome to ${adminContext.siteTitle}`}</h1>
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
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        autoFocus
        errors={result?.errors?.password}
        help="At least 8 characters"
      />
      <button className="primary">Set password</button>
    </form>
  );
}

function Invalid({ data, adminContext }: { data: ChoosePasswordData; adminContext: AdminContext }) {
  return (
    <div className="card">
      <h1>This link is no longer valid</h1>
      <p>
        A link works once and expires after {data.purpose === 'reset' ? 'one hour' : 'seven days'}.{' '}
        {data.purpose === 'reset' ? null : 'Ask the person who invited you for a new one.'}
      </p>
      <p>
        {data.purpose === 'reset' ? (
          <a href={adminUrl(adminContext.adminPath, 'login', 'forgot')}>Request a new link</a>
        ) : (
          <a href={adminUrl(adminContext.adminPath, 'login')}>Go to login</a>
        )}
      </p>
    </div>
  );
}
