import { adminUrl } from '#app/admin/admin-url.ts';
import { Notices } from '#app/admin/notices.tsx';
import type { ViewProps } from '#app/admin/screen.ts';
import { TextField } from '#app/ui/field.tsx';
import type { load } from './forgot.server.ts';

/** Asks for a link to a new password. */
export default function Forgot({ data, result, adminContext }: ViewProps<typeof load>) {
  return (
    <form method="post" action={adminUrl(adminContext.adminPath, 'login', 'forgot')} className="card">
      <h1>A new password</h1>
      {data.sent && !result ? (
        <p className="notice" role="status">
          If somebody has an account with that address, a message with a link is on its way. It is valid for
          one hour.
        </p>
      ) : null}
      {result?.errors?.email ? null : <Notices result={result} />}
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        required
        defaultValue={result?.values?.email}
        errors={result?.errors?.email}
      />
      <button className="primary">Send me a link</button>
      <p>
        <a href={adminUrl(adminContext.adminPath, 'login')}>Back to the login</a>
      </p>
    </form>
  );
}
