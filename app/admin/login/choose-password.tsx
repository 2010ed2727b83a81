import { adminUrl } from '#app/admin/admin-url.ts';
import { Notices } from '#app/admin/notices.tsx';
import type { ActionResult, Frame } from '#app/admin/screen.ts';
import { TextField } from '#app/ui/field.tsx';
import type { ChoosePasswordData } from './choose-password.server.ts';

/** A new password behind a link from an e-mail. */
export default function ChoosePassword({
  data,
  result,
  frame,
}: {
  data: ChoosePasswordData;
  result: ActionResult | undefined;
  frame: Frame;
}) {
  const token = data.token || result?.values?.token;
  if (!data.account && !result?.errors?.password) return <Invalid data={data} frame={frame} />;
  return (
    <form method="post" action={adminUrl(frame.adminPath, 'login', data.purpose)} className="card">
      <h1>{data.purpose === 'reset' ? 'A new password' : `Welcome to ${frame.siteTitle}`}</h1>
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

function Invalid({ data, frame }: { data: ChoosePasswordData; frame: Frame }) {
  return (
    <div className="card">
      <h1>This link is no longer valid</h1>
      <p>
        It works once and for {data.purpose === 'reset' ? 'one hour' : 'seven days'}.{' '}
        {data.purpose === 'reset' ? null : 'Ask whoever invited you for a new one.'}
      </p>
      <p>
        {data.purpose === 'reset' ? (
          <a href={adminUrl(frame.adminPath, 'login', 'forgot')}>Ask for a new one</a>
        ) : (
          <a href={adminUrl(frame.adminPath, 'login')}>To the login</a>
        )}
      </p>
    </div>
  );
}
