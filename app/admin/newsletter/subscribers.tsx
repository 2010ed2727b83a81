import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { listAddress, PageLinks } from '#app/admin/frame/page-links.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import { Choice, fieldOf, Options, TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { subscribersScreen } from './newsletter.server.ts';

type Props = ViewProps<typeof subscribersScreen.load, typeof subscribersScreen.act>;

const subscriberWords: Record<string, string> = {
  pending: 'Pending',
  active: 'Active',
  suspended: 'Suspended',
  unsubscribed: 'Unsubscribed',
};

/** The colours of the states, which are those of posts. */
const looks: Record<string, string> = { active: 'published', suspended: 'overdue', unsubscribed: 'archived' };

/** The list of subscribers, with search and states. */
export default function Subscribers({ data, result, adminContext }: Props) {
  const t = useWords();
  const field = fieldOf(result);
  const base = adminUrl(adminContext.adminPath, 'subscribers');
  return (
    <>
      <div className="page-head">
        <h1>{t('Subscribers')}</h1>
      </div>
      <Notices saved={data.saved} result={result} />
      <ul className="figures">
        {data.states.map(({ name, count }) => (
          <li key={name}>
            <a href={`${base}?state=${name}`}>
              <strong>{count.toLocaleString(adminContext.language)}</strong>
              <span className={`state state-${looks[name] ?? 'draft'}`}>
                {t(subscriberWords[name] ?? name)}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <Growth growth={data.growth} language={adminContext.language} />
      <form className="filters" role="search" action={base}>
        <TextField name="q" label="Address begins with" defaultValue={data.filter.q} />
        <Choice name="state" label="State" defaultValue={data.filter.state}>
          <option value="">{t('All states')}</option>
          <Options
            of={data.states.map(({ name, count }) => [
              name,
              `${t(subscriberWords[name] ?? name)} (${count.toLocaleString(adminContext.language)})`,
            ])}
          />
        </Choice>
        <button>{t('Filter entries')}</button>
      </form>
      {data.subscribers.length === 0 ? (
        <p className="empty">
          {data.filter.q || data.filter.state ? t('No entries match.') : t('No subscribers yet.')}
        </p>
      ) : (
        <Rows data={data} adminContext={adminContext} />
      )}
      <PageLinks
        first={!data.isFirstPage && listAddress(base, data.filter)}
        next={data.next !== null && listAddress(base, data.filter, { after: data.next })}
      />
      <form method="post" className="settings panel add-subscriber" action={base}>
        <PageUserField />
        <h2>{t('Add subscriber')}</h2>
        <p className="hint">
          {t('Add only people who agreed. To move a whole list, run npm run subscribers:import.')}
        </p>
        <TextField {...field('email')} label="Email" type="email" required />
        <TextField {...field('name')} label="Name" />
        <button name="intent" value="add">
          {t('Add subscriber')}
        </button>
      </form>
    </>
  );
}

function Rows({ data, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  const t = useWords();
  return (
    <Table columns={[t('Email'), t('State'), t('Consent'), t('Actions')]} label={t('Subscribers')}>
      {data.subscribers.map(({ id, email, name, state, reason, source, consentAt }) => (
        <tr key={id}>
          <th scope="row">
            {email} {name ? <span className="hint">{name}</span> : null}
          </th>
          <td data-label={t('State')}>
            <span className={`state state-${looks[state] ?? 'draft'}`}>
              {t(subscriberWords[state] ?? state)}
            </span>{' '}
            {reason ? <span className="hint">{reason}</span> : null}
          </td>
          <td data-label={t('Consent')}>
            {consentAt ? <Time instant={consentAt} {...adminContext} /> : null}{' '}
            <span className="hint">{source}</span>
          </td>
          <td>
            <form method="post" className="row" action={adminUrl(adminContext.adminPath, 'subscribers')}>
              <PageUserField />
              <input type="hidden" name="id" value={id} />
              {state === 'active' ? (
                <button className="small" name="intent" value="suspend">
                  {t('Suspend')}
                </button>
              ) : (
                <button className="small" name="intent" value="reactivate">
                  {t('Make active')}
                </button>
              )}
              <button className="small" name="intent" value="erase">
                {t('Erase data')}
              </button>
            </form>
          </td>
        </tr>
      ))}
    </Table>
  );
}

const CHART = { width: 600, height: 80, edge: 6 };

/** A line of how many people were on the list in the last twelve months. Screen readers get the numbers as text. */
function Growth({ growth, language }: { growth: Props['data']['growth']; language: string }) {
  const t = useWords();
  const highest = Math.max(...growth.map(({ subscribers }) => subscribers));
  if (highest === 0) return null;
  const { width, height, edge } = CHART;
  const format = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' });
  const words = growth
    .map(({ at, subscribers }) => `${format.format(at)} ${subscribers.toLocaleString(language)}`)
    .join(', ');
  const points = growth.map(({ subscribers }, index) => {
    const x = edge + ((width - 2 * edge) * index) / (growth.length - 1);
    return `${x.toFixed(1)},${(height - edge - ((height - 2 * edge) * subscribers) / highest).toFixed(1)}`;
  });
  return (
    <figure className="panel growth">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t('Subscribers in the last twelve months: {words}', { words })}
      >
        <line x1="0" x2={width} y1={height - edge} y2={height - edge} />
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption aria-hidden="true">
        {[growth[0]!, growth.at(-1)!].map(({ at, subscribers }, index) => (
          <span key={index}>
            {format.format(at)}: {subscribers.toLocaleString(language)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
