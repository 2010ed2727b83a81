import { Crumbs } from '#app/admin/frame/page-links.tsx';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import { PastTime, Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { act, load } from './previews.server.ts';

/** Links that show a post to somebody without an account, before it is public. */
export default function Previews({ data, result, adminContext }: ViewProps<typeof load, typeof act>) {
  const t = useWords();
  return (
    <>
      <Crumbs
        adminContext={adminContext}
        trail={[
          { label: 'Posts', segments: ['posts'] },
          { label: data.post.title, segments: ['posts', data.post.id] },
        ]}
        current={t('Preview links')}
      />
      <div className="page-head">
        <h1>{t('Preview links')}</h1>
        <form method="post">
          <PageUserField />
          <button className="primary" name="intent" value="create">
            {t('New link')}
          </button>
        </form>
      </div>
      <Notices saved={data.revoked ? 'Link revoked.' : null} result={result} />
      <p className="hint">
        {t(
          'Anyone with the link can see the post for seven days. Search engines don’t index it. Once the post is public, the link redirects to it.',
        )}
      </p>
      {data.links.length === 0 ? (
        <p className="empty">{t('No links yet.')}</p>
      ) : (
        <Links data={data} adminContext={adminContext} />
      )}
    </>
  );
}

function Links({ data, adminContext }: Pick<ViewProps<typeof load>, 'data' | 'adminContext'>) {
  const t = useWords();
  return (
    <Table columns={[t('Link'), t('Created'), t('By'), t('Ends'), t('State')]}>
      {data.links.map((link) => (
        <tr key={link.id}>
          <td>
            {link.address ? (
              <div className="link-address">
                <input
                  readOnly
                  value={link.address}
                  aria-label={t('Link')}
                  autoFocus={link.id === data.created}
                />
                <a className="button small" href={link.address}>
                  {t('Open it')}
                </a>
              </div>
            ) : null}
          </td>
          <td data-label={t('Created')}>
            <PastTime instant={link.createdAt} withTime {...adminContext} />
          </td>
          <td data-label={t('By')}>{link.createdBy ?? t('a removed account')}</td>
          <td data-label={t('Ends')}>
            <Time instant={link.expiresAt} {...adminContext} />
          </td>
          <td>
            {link.state === 'active' ? (
              <form method="post">
                <PageUserField />
                <input type="hidden" name="linkId" value={link.id} />
                <button className="small" name="intent" value="revoke">
                  {t('Revoke link')}
                </button>
              </form>
            ) : link.state === 'expired' ? (
              t('expired')
            ) : (
              t('revoked')
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
