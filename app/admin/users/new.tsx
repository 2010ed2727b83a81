import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { fieldOf, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import { InvitationLink } from './invitation-link.tsx';
import type { newUserScreen } from './users.server.ts';
import { RoleChoice } from './role-choice.tsx';

/** A new account, with an invitation or a password. */
export default function NewUser({
  data,
  result,
  adminContext,
}: ViewProps<typeof newUserScreen.load, typeof newUserScreen.act>) {
  const t = useWords();
  const field = fieldOf(result);
  return (
    <>
      <div className="page-head">
        <h1>{t('Invite a person')}</h1>
        <p>
          <a href={adminUrl(adminContext.adminPath, 'users')}>{t('All people')}</a>
        </p>
      </div>
      <Notices result={result} />
      <InvitationLink result={result} />
      <form method="post" className="settings">
        <PageUserField />
        <TextField {...field('displayName')} label="Name" required maxLength={200} help="Shown to readers" />
        <TextField {...field('email')} label="Email" type="email" required autoComplete="off" />
        <TextField
          {...field('username')}
          label="Username"
          help="Part of the author page’s address; it can’t be changed here later. Leave blank to use the name."
        />
        <RoleChoice {...field('role')} />
        <button className="primary" name="intent" value="invite">
          {t('Send invitation')}
        </button>
        {data.sendsMail ? null : (
          <p className="hint">{t('This site can’t send email yet. You get a link to send yourself.')}</p>
        )}
        <details className="more" open={result?.errors?.password !== undefined}>
          <summary>{t('Set a password instead')}</summary>
          <div className="stack">
            <TextField {...field('password')} label="Password" type="password" autoComplete="new-password" />
            <button name="intent" value="create">
              {t('Create account')}
            </button>
          </div>
        </details>
      </form>
    </>
  );
}
