import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import { useWords } from '#app/ui/words.ts';
import type { webhooksScreen } from './webhooks.server.ts';

export default function Webhooks({ data, result, adminContext }: ViewProps<typeof webhooksScreen.load>) {
  const t = useWords();
  return (
    <>
      <div className="page-head">
        <h1>{t('Webhooks')}</h1>
        <a className="button primary" href={adminUrl(adminContext.adminPath, 'webhooks', 'new')}>
          {t('Add webhook')}
        </a>
      </div>
      <Notices saved={data.deleted ? 'Webhook deleted.' : null} result={result} />
      {data.webhooks.length === 0 ? (
        <p className="empty">
          {t('A webhook tells another server of each publication and change, in a signed message.')}
        </p>
      ) : (
        <Table columns={[t('Name'), t('Address'), t('State')]}>
          {data.webhooks.map(({ id, name, url, pausedAt, failingSince }) => (
            <tr key={id}>
              <th scope="row">
                <a href={adminUrl(adminContext.adminPath, 'webhooks', id)}>{name}</a>
              </th>
              <td>
                <bdi dir="ltr">{url}</bdi>
              </td>
              <td data-label={t('State')}>
                <span
                  className={`state state-${pausedAt ? 'scheduled' : failingSince ? 'overdue' : 'published'}`}
                >
                  {t(pausedAt ? 'Paused' : failingSince ? 'Failing' : 'Active')}
                </span>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
