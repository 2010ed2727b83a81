import { Differences } from '#app/admin/differences/differences.tsx';
import { WillGoOut } from '#app/admin/effects/ledger.tsx';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext, ViewProps } from '#app/admin/frame/screen.ts';
import type { SiteProgress } from '#app/time-travel/prepare-site.server.ts';
import { TextField } from '#app/ui/field.tsx';
import { LongList } from '#app/ui/deferred.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { AddressDifference } from './compare-sites.server.ts';
import type { act, load } from './time.server.ts';

/** Addresses that the server renders in one turn of the event loop. */
const ADDRESSES_A_TURN = 5;

type Props = ViewProps<typeof load, typeof act>;

/** The public site at any instant: open the site, share it, or compare it with now. */
export default function TimeTravel({ data, result, adminContext }: Props) {
  const t = useWords();
  return (
    <>
      <div className="page-head">
        <h1>{t('Time travel')}</h1>
      </div>
      <Notices saved={data.revoked ? 'Link revoked.' : null} result={result} />
      <div className="beside">
        <div className="stack">
          <Preparations data={data} adminContext={adminContext} />
          <TimeForm data={data} result={result} adminContext={adminContext} />
          <WillGoOut forecast={data.forecast} adminContext={adminContext} />
          {data.differences ? <Changes data={data} adminContext={adminContext} /> : null}
        </div>
        <Links data={data} adminContext={adminContext} />
      </div>
    </>
  );
}

/** Sites that are being made at the moment, and why others could not be made. */
function Preparations({ data, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  const t = useWords();
  return data.preparations.map(({ instant, at, progress, failure }) => {
    const time = <Time instant={instant} {...adminContext} />;
    if (failure !== null)
      return (
        <p key={instant.getTime()} className="notice notice-error">
          {t.rich('The site at {time} can’t be shown: {problem}', { time, problem: t.message(failure) })}
        </p>
      );
    const seconds = Math.round((data.now.getTime() - at.getTime()) / 1000);
    return (
      <p key={instant.getTime()} className="notice">
        {t.rich('Preparing the site at {time} ({seconds} s so far).', { time, seconds })}{' '}
        {progress
          ? t(steps[progress.step], { done: progress.done, total: progress.total })
          : t('It’s waiting in the queue.')}{' '}
        <a href={adminUrl(adminContext.adminPath, 'time')}>{t('Refresh')}</a>
      </p>
    );
  });
}

const steps: Record<SiteProgress['step'], string> = {
  copy: 'The database is being copied.',
  publish: 'Everything due by then is being published.',
  rewind: 'Earlier versions are being restored: {done} of {total} posts.',
};

function TimeForm({ data, result, adminContext }: Props) {
  const t = useWords();
  // Without overdue releases: the site at their time does not contain them.
  const coming = data.releases.filter(({ publishAt }) => publishAt > data.now);
  return (
    <form method="post" className="panel">
      <PageUserField />
      <p className="hint">
        {t(
          'See the public site as it will be at a time, with every scheduled post, update, archive and release until then. Or see it as it was, with the posts, settings, categories, tags, authors and redirects of that time, for as long as revisions are kept. What was deleted permanently since is missing, and a replaced picture is the new one.',
        )}
      </p>
      <TextField
        name="at"
        label="Time"
        type="datetime-local"
        required
        defaultValue={result?.values?.at ?? data.at}
        errors={result?.errors?.at ?? (data.problem ? [data.problem] : undefined)}
        help={t('{timeZone} time', { timeZone: adminContext.timeZone })}
      />
      <div className="row">
        <button className="primary" name="intent" value="open">
          {t('Open the site')}
        </button>
        <button name="intent" value="share">
          {t('Share a link')}
        </button>
        <button name="intent" value="compare">
          {t('Compare with now')}
        </button>
      </div>
      {coming.length > 0 ? (
        <ul className="links">
          {coming.map(({ id, name, publishAt, local }) => (
            <li key={id}>
              <a href={`?at=${local}`}>{name}</a>{' '}
              <span className="hint">
                <Time instant={publishAt} {...adminContext} />
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </form>
  );
}

const words = { appears: 'appears', changes: 'is changed', vanishes: 'vanishes' };

/** The differences between the site at the chosen time and now. */
function Changes({ data, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  const t = useWords();
  const { addresses, settings, more } = data.differences!;
  return (
    <section className="stack" aria-labelledby="changes">
      <h2 id="changes">
        {t.rich('Between now and {time}', { time: <Time instant={data.instant!} {...adminContext} /> })}
      </h2>
      {data.releases
        .filter(({ isLeftOut }) => isLeftOut)
        .map(({ id, name, problem }) => (
          <p key={id} className="notice notice-error">
            {t.rich('{link} is not among these changes, since it is blocked: {problem}', {
              link: <a href={adminUrl(adminContext.adminPath, 'releases', id)}>{name}</a>,
              problem: t.message(problem),
            })}
          </p>
        ))}
      {addresses.length + settings.length === 0 ? <p className="empty">{t('Nothing changes.')}</p> : null}
      <ul className="release-items">
        <LongList values={addresses} size={ADDRESSES_A_TURN}>
          {(batch) =>
            batch.map((address) => <Address key={`${address.path} ${address.what}`} {...address} />)
          }
        </LongList>
      </ul>
      {more ? <p className="hint">{t('More addresses change than are shown here.')}</p> : null}
      {settings.length > 0 ? (
        <>
          <h3>{t('Settings')}</h3>
          <Differences differences={settings} />
        </>
      ) : null}
    </section>
  );
}

function Address({ path, title, what, differences }: AddressDifference) {
  const t = useWords();
  return (
    <li className="panel">
      <h3>
        <code>{path}</code> {t(words[what])}
      </h3>
      <p className="hint">{title}</p>
      {differences && differences.length > 0 ? <Differences differences={differences} /> : null}
    </li>
  );
}

function Links({ data, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  const t = useWords();
  return (
    <div className="stack">
      {data.shared ? <NewLink link={data.shared} adminContext={adminContext} /> : null}
      <section className="panel" aria-labelledby="shared">
        <h2 id="shared">{t('Shared links')}</h2>
        <p className="hint">
          {t(
            'Anyone with the link can see the site at that time for seven days. Search engines don’t index it.',
          )}
        </p>
        {data.links.length === 0 ? <p className="hint">{t('No links yet.')}</p> : null}
        <ul className="brief">
          {data.links.map((link) => (
            <li key={link.id}>
              <span>
                {t.rich('Site at {time}', { time: <Time instant={link.instant} {...adminContext} /> })}
              </span>
              <span className="hint">
                {t.rich('{createdBy}, until {time}', {
                  createdBy: link.createdBy ?? t('a removed account'),
                  time: <Time instant={link.expiresAt} {...adminContext} />,
                })}
              </span>
              {link.isRevocable ? (
                <form method="post" action={adminUrl(adminContext.adminPath, 'time')}>
                  <PageUserField />
                  <input type="hidden" name="token" value={link.id} />
                  <button className="small" name="intent" value="revoke">
                    {t('Revoke link')}
                  </button>
                </form>
              ) : null}
              {link.state === 'active' ? null : (
                <span className="hint">{link.state === 'expired' ? t('expired') : t('revoked')}</span>
              )}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** A new secret link, to be copied or opened. It is shown only this once. */
function NewLink({
  link,
  adminContext,
}: {
  link: { address: string; expiresAt: Date };
  adminContext: AdminContext;
}) {
  const t = useWords();
  return (
    <section className="panel new-link" aria-labelledby="new-link">
      <h2 id="new-link">{t('The new link')}</h2>
      <p className="hint" id="new-link-hint">
        {t.rich('Copy it now: it is not shown again. It works until {time}.', {
          time: <Time instant={link.expiresAt} {...adminContext} />,
        })}
      </p>
      <input
        readOnly
        value={link.address}
        aria-labelledby="new-link"
        aria-describedby="new-link-hint"
        autoFocus
      />
      <p>
        <a href={link.address}>{t('Open it')}</a>
      </p>
    </section>
  );
}
