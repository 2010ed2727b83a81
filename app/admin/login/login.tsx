import { adminUrl, loginUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { loginScreen } from './login.server.ts';
import { PendingSubmissionFields } from './pending-submission.tsx';

export default function Login({ data, result, adminContext }: ViewProps<typeof loginScreen.load>) {
  const t = useWords();
  const values = result?.values ?? {};
  return (
    <form method="post" action={loginUrl(adminContext.adminPath, { again: data.again })} className="card">
      <h1>{adminContext.siteTitle}</h1>
      {result?.errors?.password ? null : <Notices saved={data.notice} result={result} />}
      <PendingSubmissionFields adminContext={adminContext} />
      <input type="hidden" name="redirectTo" value={values.redirectTo ?? data.redirectTo} />
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        required
        defaultValue={values.email}
        autoFocus={!values.email}
      />
      <TextField
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        errors={result?.errors?.password}
        autoFocus={Boolean(values.email)}
      />
      <button className="primary">{t('Log in')}</button>
      <p>
        <a href={adminUrl(adminContext.adminPath, 'login', 'forgot')}>{t('Forgot your password?')}</a>
      </p>
    </form>
  );
}
