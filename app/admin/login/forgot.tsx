import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { fieldOf, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { forgotScreen } from './login.server.ts';

export default function Forgot({ data, result, adminContext }: ViewProps<typeof forgotScreen.load>) {
  const t = useWords();
  return (
    <form method="post" action={adminUrl(adminContext.adminPath, 'login', 'forgot')} className="card">
      <h1>{t('Reset your password')}</h1>
      {data.sent && !result ? (
        <p className="notice" role="status">
          {t(
            'If there is an account with that address, a link was sent to it. The link expires after one hour.',
          )}
        </p>
      ) : null}
      {result?.errors?.email ? null : <Notices result={result} />}
      <TextField {...fieldOf(result)('email')} label="Email" type="email" autoComplete="username" required />
      <button className="primary">{t('Send reset link')}</button>
      <p>
        <a href={adminUrl(adminContext.adminPath, 'login')}>{t('Back to login')}</a>
      </p>
    </form>
  );
}
