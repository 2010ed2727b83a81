import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { ReleaseSelect } from '#app/admin/releases/select.tsx';
import { type Message } from '#app/platform/message.ts';
import { Choice, fieldOf, Options, TextArea, TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { InvitationLink } from './invitation-link.tsx';
import { RoleChoice } from './role-choice.tsx';
import { stateNames } from './state-names.ts';
import type { userScreen } from './users.server.ts';

type Props = ViewProps<typeof userScreen.load, typeof userScreen.act>;

export default function User({ data, result, adminContext }: Props) {
  const t = useWords();
  const { user } = data;
  const field = fieldOf(result);
  return (
    <>
      <div className="page-head">
        <h1>{user.displayName}</h1>
        <p>
          <a href={adminUrl(adminContext.adminPath, 'users')}>{t('All people')}</a>
        </p>
      </div>
      <Notices saved={data.notice} result={result} />
      <InvitationLink result={result} />
      <div className="beside">
        <form method="post" className="panel">
          <PageUserField />
          <TextField
            {...field('displayName', user.displayName)}
            label="Name"
            required
            help="Shown to readers"
          />
          <TextField
            {...field('email', user.email)}
            label="Email"
            type="email"
            required
            help="Changing the email address or role revokes invitations and password links"
          />
          <RoleChoice {...field('role', user.role)} />
          <TextArea {...field('bio', user.bio)} label="About" rows={4} help="Shown on the author page" />
          <ReleaseSelect
            releases={data.releases}
            values={result?.values}
            errors={result?.errors?.releaseId}
            adminContext={adminContext}
          />
          <button className="primary" name="intent" value="save">
            {t('Save account')}
          </button>
        </form>
        <div className="stack">
          <Facts data={data} adminContext={adminContext} />
          <Delete data={data} errors={result?.errors?.heirId} />
        </div>
      </div>
    </>
  );
}

function Facts({ data: { user }, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  const t = useWords();
  return (
    <form method="post" className="panel">
      <PageUserField />
      <dl className="facts">
        <dt>{t('State')}</dt>
        <dd>{t(stateNames[user.state])}</dd>
        <dt>{t('Username')}</dt>
        <dd>{user.username}</dd>
        <dt>{t('Posts')}</dt>
        <dd>{user.posts}</dd>
        <dt>{t('Second factor')}</dt>
        <dd>{user.hasSecondFactor ? t('On') : t('Off')}</dd>
        <dt>{t('Created')}</dt>
        <dd>
          <Time instant={user.createdAt} {...adminContext} />
        </dd>
      </dl>
      <div className="row">
        {user.state === 'disabled' ? (
          <button name="intent" value="enable">
            {t('Enable account')}
          </button>
        ) : (
          <button name="intent" value="disable">
            {t('Disable account')}
          </button>
        )}
        {user.state === 'invited' ? (
          <button name="intent" value="invite">
            {t('Send new invitation')}
          </button>
        ) : null}
        {user.hasSecondFactor && user.id !== adminContext.user?.id ? (
          <button name="intent" value="end-second-factor">
            {t('Turn off second factor')}
          </button>
        ) : null}
      </div>
      {user.state === 'disabled' ? null : (
        <p className="hint">{t('Disabling an account ends its sessions and links. Its posts stay.')}</p>
      )}
    </form>
  );
}

function Delete({ data: { user, others }, errors }: { data: Props['data']; errors?: Message[] }) {
  const t = useWords();
  return (
    <form method="post" className="panel">
      <PageUserField />
      <h2>{t('Delete account')}</h2>
      {user.posts > 0 ? (
        <Choice
          name="heirId"
          label={t.count('Reassign {count} post to', 'Reassign {count} posts to', user.posts)}
          errors={errors}
        >
          <option value="">{t('No author')}</option>
          <Options of={others.map(({ id, displayName }) => [id, displayName])} />
        </Choice>
      ) : (
        <p className="hint">{t('{displayName} has no posts.', { displayName: user.displayName })}</p>
      )}
      <button className="danger" name="intent" value="delete">
        {t('Delete account')}
      </button>
    </form>
  );
}
