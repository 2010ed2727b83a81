import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { ReleaseSelect } from '#app/admin/releases/select.tsx';
import { supportedLanguages } from '#app/platform/text/languages.ts';
import { Choice, TextArea, TextField } from '#app/ui/field.tsx';
import { PastTime } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { load } from './account.server.ts';

type Props = ViewProps<typeof load>;

/** The user's own account: name, password, second factor, sessions. */
export default function Account({ data, result, adminContext }: Props) {
  const t = useWords();
  const values: Record<string, string> = { ...result?.values };
  const errors = result?.errors ?? {};
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
            name="displayName"
            label="Name"
            required
            defaultValue={values.displayName ?? data.profile.displayName}
            errors={errors.displayName}
            help="Shown to readers"
          />
          <TextArea
            name="bio"
            label="About"
            rows={4}
            defaultValue={values.bio ?? data.profile.bio}
            errors={errors.bio}
            help="Shown on your author page"
          />
          <TextField
            name="picture"
            label="Picture"
            defaultValue={values.picture ?? data.profile.picture}
            errors={errors.picture}
            help="Address of a picture in the media library, such as /uploads/2026/11/….jpg"
          />
          <TextArea
            name="links"
            label="Links"
            rows={3}
            defaultValue={values.links ?? data.profile.links}
            errors={errors.links}
            help="One address a line, such as https://mastodon.social/@you. Shown with your name below your posts"
          />
          <Choice
            name="language"
            label="Language"
            defaultValue={values.language ?? data.profile.language}
            errors={errors.language}
            help="Backend language"
          >
            <option value="">{t('As the site')}</option>
            {supportedLanguages.map((tag) => (
              <option key={tag} value={tag} lang={tag}>
                {new Intl.DisplayNames(tag, { type: 'language' }).of(tag)}
              </option>
            ))}
          </Choice>
          <ReleaseSelect
            releases={data.releases}
            values={values}
            errors={errors.releaseId}
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
            errors={errors.currentPassword}
          />
          <TextField
            name="password"
            label="New password"
            type="password"
            autoComplete="new-password"
            required
            errors={errors.password}
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
      <div className="scroll" tabIndex={0} role="group" aria-labelledby="sessions">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('Device')}</th>
              <th scope="col">{t('Address')}</th>
              <th scope="col">{t('Last used')}</th>
              <th scope="col">
                <span className="sr-only">{t('Action')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
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
          </tbody>
        </table>
      </div>
    </section>
  );
}
