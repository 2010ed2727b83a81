import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import type { AdminContext, PageProps } from '#app/admin/frame/screen.ts';
import { TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { ChoosePasswordData } from './login.server.ts';

/** Choosing a password through a link from an email. */
export default function ChoosePassword({ data, result, adminContext }: PageProps<ChoosePasswordData>) {
  const t = useWords();
  const token = data.token || result?.values?.token;
  // A submitted form names its token in the body, so `data` does not tell whether the link is valid; the result does.
  const isInvalid = result ? result.status === 400 && !result.errors?.password : !data.account;
  if (isInvalid) return <Invalid data={data} adminContext={adminContext} />;
  return (
    <form method="post" action={adminUrl(adminContext.adminPath, 'login', data.purpose)} className="card">
      <h1>
        {data.purpose === 'reset'
          ? t('Choose a new password')
          : t('Welcome to {site}', { site: adminContext.siteTitle })}
      </h1>
      {result?.errors?.password ? null : <Notices result={result} />}
      {data.account ? (
        <p>
          {t('For {displayName}, {email}', {
            displayName: data.account.displayName,
            email: data.account.email,
          })}
        </p>
      ) : null}
      <input type="hidden" name="token" value={token} />
      <input
        type="hidden"
        name="username"
        autoComplete="username"
        value={data.account?.email ?? result?.values?.username ?? ''}
      />
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
      <button className="primary">{t('Set password')}</button>
    </form>
  );
}

function Invalid({ data, adminContext }: { data: ChoosePasswordData; adminContext: AdminContext }) {
  const t = useWords();
  return (
    <div className="card">
      <h1>{t('This link is no longer valid')}</h1>
      <p>
        {data.purpose === 'reset'
          ? t('A link works once and expires after one hour.')
          : t(
              'A link works once and expires after seven days. Ask the person who invited you for a new one.',
            )}
      </p>
      <p>
        {data.purpose === 'reset' ? (
          <a href={adminUrl(adminContext.adminPath, 'login', 'forgot')}>{t('Request a new link')}</a>
        ) : (
          <a href={adminUrl(adminContext.adminPath, 'login')}>{t('Go to login')}</a>
        )}
      </p>
    </div>
  );
}
