import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import { ReleaseSelect } from '#app/admin/releases/select.tsx';
import { supportedLanguages } from '#app/platform/text/languages.ts';
import { Choice, fieldOf, TextArea, TextField } from '#app/ui/field.tsx';
import { PastTime } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { accountScreen } from './account.server.ts';

type Props = ViewProps<typeof accountScreen.load>;

/** The user's own account: name, password, second factor, sessions. */
export default function Account({ data, result, adminContext }: Props) {
  const t = useWords();
  const field = fieldOf(result);
  const { profile } = data;
  return (
    <>
      <div className="page-head">
        <h1>{t('Your account')}</h1>
        <p>
          {data.email} · {t(data.role)}
        </p>
      </div>
      <Notices saved={data.notice} result={result} />
      <div className="beside">
        <form method="post" className="panel">
          <PageUserField />
          <h2>{t('Profile')}</h2>
          <TextField
            {...field('displayName', profile.displayName)}
            label="Name"
            required
            help="Shown to readers"
          />
          <TextArea {...field('bio', profile.bio)} label="About" rows={4} help="Shown on your author page" />
          <TextField
            {...field('picture', profile.picture)}
            label="Picture"
            help="Address of a picture in the media library, such as /uploads/2026/11/….jpg"
          />
          <TextArea
            {...field('links', profile.links)}
            label="Links"
            rows={3}
            help="One address a line, such as https://mastodon.social/@you. Shown with your name below your posts"
          />
          <Choice {...field('language', profile.language)} label="Language" help="Backend language">
            <option value="">{t('As the site')}</option>
            {supportedLanguages.map((tag) => (
              <option key={tag} value={tag} lang={tag}>
                {new Intl.DisplayNames(tag, { type: 'language' }).of(tag)}
              </option>
            ))}
          </Choice>
          <ReleaseSelect
            releases={data.releases}
            values={result?.values}
            errors={result?.errors?.releaseId}
            adminContext={adminContext}
          />
          <button className="primary" name="intent" value="save">
            {t('Save profile')}
          </button>
        </form>
        <form method="post" className="panel">
          <PageUserField />
          <h2>{t('Password')}</h2>
          <TextField
            name="currentPassword"
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
            errors={result?.errors?.currentPassword}
          />
          <TextField
            name="password"
            label="New password"
            type="password"
            autoComplete="new-password"
            required
            errors={result?.errors?.password}
            help="At least 8 characters. All other sessions end."
          />
          <button name="intent" value="password">
            {t('Change password')}
          </button>
        </form>
        <Sessions data={data} adminContext={adminContext} />
        <section className="panel" aria-labelledby="second-factor">
          <h2 id="second-factor">{t('Second factor')}</h2>
          <p>
            {data.hasSecondFactor
              ? t('On. Logging in also needs a code from your authenticator app.')
              : t('Off. Logging in needs only your password.')}
          </p>
          <p>
            <a className="button" href={adminUrl(adminContext.adminPath, 'account', 'second-factor')}>
              {data.hasSecondFactor ? t('Change second factor') : t('Set up second factor')}
            </a>
          </p>
        </section>
      </div>
    </>
  );
}

function Sessions({ data, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  const t = useWords();
  return (
    <section className="panel" aria-labelledby="sessions">
      <div className="panel-head">
        <h2 id="sessions">{t('Sessions')}</h2>
        {data.sessions.length > 1 ? (
          <form method="post">
            <PageUserField />
            <button className="small" name="intent" value="end-other-sessions">
              {t('End all other sessions')}
            </button>
          </form>
        ) : null}
      </div>
      <Table
        columns={[t('Device'), t('Address'), t('Last used'), <span className="sr-only">{t('Action')}</span>]}
        className="table"
        labelledBy="sessions"
      >
        {data.sessions.map((session) => (
          <tr key={session.id}>
            <td>{session.device}</td>
            <td>{session.address}</td>
            <td>
              <PastTime instant={session.lastSeenAt} {...adminContext} />
            </td>
            <td>
              {session.isThis ? (
                t('This session')
              ) : (
                <form method="post">
                  <PageUserField />
                  <input type="hidden" name="sessionId" value={session.id} />
                  <button className="small" name="intent" value="end-session">
                    {t('End session')}
                  </button>
                </form>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
