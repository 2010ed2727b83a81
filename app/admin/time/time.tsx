import { adminUrl } from '#app/admin/admin-url.ts';
import { Notices } from '#app/admin/notices.tsx';
import { Differences } from '#app/admin/revisions/differences.tsx';
import { NewLink } from '#app/admin/new-link.tsx';
import type { ViewProps } from '#app/admin/screen.ts';
import { TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import type { act, load } from './time.server.ts';

type Props = ViewProps<typeof load, typeof act>;

/** The whole public site at any instant: open it, share it, or see what differs from now. */
export default function TimeTravel({ data, result, adminContext }: Props) {
  return (
    <>
      <div className="page-head">
        <h1>Time travel</h1>
      </div>
      <Notices saved={data.revoked ? 'The link has ended.' : null} result={result} />
      <div className="beside">
        <div className="stack">
          <TimeForm data={data} result={result} adminContext={adminContext} />
          {data.differences ? <Changes data={data} adminContext={adminContext} /> : null}
        </div>
        <Links data={data} result={result} adminContext={adminContext} />
      </div>
    </>
  );
}

function TimeForm({ data, result, adminContext }: Props) {
  return (
    <form method="post" className="panel">
      <p className="hint">
        See the public site as it will be at a time, with every scheduled post, update, archive and release
        until then; or as it was, as far as revisions reach.
      </p>
      <TextField
        name="at"
        label="Time"
        type="datetime-local"
        required
        defaultValue={result?.values?.at ?? data.at}
        errors={result?.errors?.at ?? (data.problem ? [data.problem] : undefined)}
        help={`${adminContext.timeZone} time`}
      />
      <div className="row">
        <button className="primary" name="intent" value="open">
          Open the site
        </button>
        <button name="intent" value="share">
          Share a link
        </button>
        <button formMethod="get">Compare with now</button>
      </div>
      {data.releases.length > 0 ? (
        <ul className="links">
          {data.releases.map(({ id, name, publishAt, local }) => (
            <li key={id}>
              <a href={`?at=${local}`}>{name}</a>, <Time instant={publishAt} {...adminContext} />
            </li>
          ))}
        </ul>
      ) : null}
    </form>
  );
}

const words = { appears: 'appears', changes: 'changes', vanishes: 'vanishes' };

/** What readers get then and do not get now. */
function Changes({ data, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  const { addresses, settings, more } = data.differences!;
  return (
    <section className="stack" aria-labelledby="changes">
      <h2 id="changes">
        Between now and <Time instant={data.instant!} {...adminContext} />
      </h2>
      {addresses.length + settings.length === 0 ? <p className="empty">Nothing changes.</p> : null}
      <ul className="release-items">
        {addresses.map(({ path, title, what, differences }) => (
          <li key={`${path} ${what}`} className="panel">
            <h3>
              <code>{path}</code> {words[what]}
            </h3>
            <p className="hint">{title}</p>
            {differences && differences.length > 0 ? <Differences differences={differences} /> : null}
          </li>
        ))}
      </ul>
      {more ? <p className="hint">More addresses change than are shown here.</p> : null}
      {settings.length > 0 ? <Differences differences={settings} /> : null}
    </section>
  );
}

function Links({ data, result, adminContext }: Props) {
  const shared = result?.shared;
  return (
    <>
      {shared ? <NewLink link={shared} adminContext={adminContext} /> : null}
      <section className="panel" aria-labelledby="shared">
        <h2 id="shared">Shared links</h2>
        <p className="hint">
          Whoever has a link sees the site at its time, for seven days. Search engines are told to keep away.
        </p>
        {data.links.length === 0 ? <p className="hint">No links yet.</p> : null}
        <ul className="brief">
          {data.links.map((link) => (
            <li key={link.id}>
              <span>
                Site at <Time instant={link.instant} {...adminContext} />
              </span>
              <span className="hint">
                {link.createdBy ?? 'a removed account'}, until{' '}
                <Time instant={link.expiresAt} {...adminContext} />
              </span>
              {link.state === 'active' ? (
                <form method="post" action={adminUrl(adminContext.adminPath, 'time')}>
                  <input type="hidden" name="token" value={link.id} />
                  <button className="small" name="intent" value="revoke">
                    Revoke link
                  </button>
                </form>
              ) : (
                <span className="hint">{link.state}</span>
              )}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
