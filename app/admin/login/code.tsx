import { Notices } from '#app/admin/frame/notices.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import { loginUrl } from '#app/admin/frame/admin-url.ts';
import type { codeScreen } from './login.server.ts';
import { PendingSubmissionFields } from './pending-submission.tsx';

export default function Code({ data, result, adminContext }: ViewProps<typeof codeScreen.load>) {
  const t = useWords();
  const { adminPath } = adminContext;
  const { again } = data;
  return (
    <form method="post" action={loginUrl(adminPath, { step: 'code', again })} className="card">
      <h1>{t('Enter your login code')}</h1>
      {result?.errors?.code ? null : <Notices result={result} />}
      <PendingSubmissionFields adminContext={adminContext} />
      <input type="hidden" name="redirectTo" value={result?.values?.redirectTo ?? data.redirectTo} />
      <TextField
        name="code"
        label="Code"
        autoComplete="one-time-code"
        required
        autoFocus
        errors={result?.errors?.code}
        help="The six digits from your authenticator app, or a recovery code"
      />
      <button className="primary">{t('Log in')}</button>
      <p>
        <a href={loginUrl(adminPath, { again })}>{t('Start again')}</a>
      </p>
    </form>
  );
}
