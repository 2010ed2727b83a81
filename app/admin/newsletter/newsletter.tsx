import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageLinks } from '#app/admin/frame/page-links.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { newsletterScreen } from './newsletter.server.ts';

const issueWords: Record<string, string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  paused: 'Paused',
  held: 'Held',
  sent: 'Sent',
  cancelled: 'Cancelled',
};

/** The colours of the states, which are those of posts. */
const looks: Record<string, string> = {
  sent: 'published',
  paused: 'scheduled',
  held: 'scheduled',
  cancelled: 'archived',
};

export function IssueState({ state }: { state: string }) {
  const t = useWords();
  return <span className={`state state-${looks[state] ?? 'draft'}`}>{t(issueWords[state] ?? state)}</span>;
}

/** All issues with their figures. */
export default function Newsletter({ data, adminContext }: ViewProps<typeof newsletterScreen.load>) {
  const t = useWords();
  const base = adminUrl(adminContext.adminPath, 'newsletter');
  return (
    <>
      <div className="page-head">
        <h1>{t('Newsletter')}</h1>
        {adminContext.screens.includes('subscribers') ? (
          <p>
            <a href={adminUrl(adminContext.adminPath, 'subscribers')}>{t('Subscribers')}</a>:{' '}
            {data.subscribers.toLocaleString(adminContext.language)}
          </p>
        ) : null}
      </div>
      {data.isEnabled ? null : (
        <p className="notice">
          {adminContext.screens.includes('settings') ? (
            <>
              {t('The newsletter is switched off.')}{' '}
              <a href={adminUrl(adminContext.adminPath, 'settings', 'newsletter')}>{t('Settings')}</a>
            </>
          ) : (
            t('The newsletter is switched off. An administrator can switch it on.')
          )}
        </p>
      )}
      {data.issues.length === 0 ? (
        <p className="empty">
          {t('A post becomes an issue when you publish it with “Send by email” turned on.')}
        </p>
      ) : (
        <Table
          columns={[
            t('Email subject'),
            t('State'),
            t('When'),
            t('Recipients'),
            t('Sent'),
            t('Waiting'),
            t('Failed'),
          ]}
          label={t('Newsletter')}
        >
          {data.issues.map((issue) => (
            <tr key={issue.id}>
              <th scope="row">
                <a href={adminUrl(adminContext.adminPath, 'newsletter', issue.id)}>{issue.subject}</a>
              </th>
              <td data-label={t('State')}>
                <IssueState state={issue.state} />
              </td>
              <td data-label={t('When')}>
                <Time instant={issue.dueAt} {...adminContext} />
              </td>
              <td data-label={t('Recipients')}>{issue.recipients.toLocaleString(adminContext.language)}</td>
              <td data-label={t('Sent')}>{issue.sent.toLocaleString(adminContext.language)}</td>
              <td data-label={t('Waiting')}>{issue.waiting.toLocaleString(adminContext.language)}</td>
              <td data-label={t('Failed')}>{issue.failed.toLocaleString(adminContext.language)}</td>
            </tr>
          ))}
        </Table>
      )}
      <PageLinks
        first={!data.isFirstPage && base}
        next={data.next !== null && `${base}?before=${data.next}`}
      />
      <p className="hint below-list">
        {t('Opens and clicks aren’t counted: that would take pictures and links that track your readers.')}
      </p>
    </>
  );
}
