import { adminUrl } from '#app/admin/admin-url.ts';
import { Notices } from '#app/admin/notices.tsx';
import { ReleaseSelect } from '#app/admin/releases/release-select.tsx';
import type { ViewProps } from '#app/admin/screen.ts';
import { supportedLanguages } from '#app/platform/supported-languages.ts';
import { Choice, TextArea, TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import type { load } from './account.server.ts';

type Props = ViewProps<typeof load>;

/** One's own account: name, password, second factor, sessions. */
export default function Account({ data, result, adminContext }: Props) {
  const values: Record<string, string> = { ...result?.values };
  const errors = result?.errors ?? {};
  return (
    <>
      <div className="page-head">
        <h1>Your account</h1>
        <p>
          {data.email} · {data.role}
        </p>
      </div>
      <Notices saved={data.notice} result={result} />
      <div className="beside">
        <form method="post" className="panel">
          <h2>Profile</h2>
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
            help="Of dates and times in the backend"
          >
            <option value="">As the site</option>
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
            Save profile
          </button>
        </form>
        <form method="post" className="panel">
          <h2>Password</h2>
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
            Change password
          </button>
        </form>
        <Sessions data={data} adminContext={adminContext} />
        <section className="panel" aria-labelledby="second-factor">
          <h2 id="second-factor">Second factor</h2>
          <p>
            {data.hasSecondFactor
              ? 'On. Logging in also needs a code from your authenticator app.'
              : 'Off. Logging in needs only your password.'}
          </p>
          <p>
            <a className="button" href={adminUrl(adminContext.adminPath, 'account', 'second-factor')}>
              {data.hasSecondFactor ? 'Change second factor' : 'Set up second factor'}
            </a>
          </p>
        </section>
      </div>
    </>
  );
}

function Sessions({ data, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  return (
    <section className="panel" aria-labelledby="sessions">
      <div className="panel-head">
        <h2 id="sessions">Sessions</h2>
        {data.sessions.length > 1 ? (
          <form method="post">
            <button className="small" name="intent" value="end-other-sessions">
              End all other sessions
            </button>
          </form>
        ) : null}
      </div>
      <div className="scroll" tabIndex={0} role="group" aria-labelledby="sessions">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Device</th>
              <th scope="col">Address</th>
              <th scope="col">Last used</th>
              <th scope="col">
                <span className="sr-only">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.sessions.map((session) => (
              <tr key={session.id}>
                <td>{session.device}</td>
                <td>{session.address}</td>
                <td>
                  <Time instant={session.lastSeenAt} {...adminContext} />
                </td>
                <td>
                  {session.isThis ? (
                    'This session'
                  ) : (
                    <form method="post">
                      <input type="hidden" name="sessionId" value={session.id} />
                      <button className="small" name="intent" value="end-session">
                        End session
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
