import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { issueScreen } from './newsletter.server.ts';
import { IssueState } from './newsletter.tsx';

/** An issue: what became of its mails, and what was refused. */
export default function Issue({
  data,
  result,
  adminContext,
}: ViewProps<typeof issueScreen.load, typeof issueScreen.act>) {
  const t = useWords();
  const { issue } = data;
  const figures: [string, number][] = [
    ['Recipients', issue.recipients],
    ['Sent', issue.sent],
    ['Waiting', issue.waiting],
    ['Failed', issue.failed],
    ['Cancelled', issue.cancelled],
    ['Unsubscribed', issue.unsubscribed],
  ];
  return (
    <>
      <div className="page-head">
        <h1>{issue.subject}</h1>
        <p>
          <a href={adminUrl(adminContext.adminPath, 'posts', issue.postId)}>{t('Edit post')}</a>
        </p>
      </div>
      <Notices saved={data.saved} result={result} />
      {issue.reason ? <p className="notice notice-wait">{t(issue.reason)}</p> : null}
      <p className="row issue-state">
        <IssueState state={issue.state} />
        <Time instant={issue.dueAt} {...adminContext} />
      </p>
      <dl className="figures">
        {figures.map(([name, count]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{count.toLocaleString(adminContext.language)}</dd>
          </div>
        ))}
      </dl>
      {data.isOpen ? (
        <form method="post" className="row">
          <PageUserField />
          {issue.state === 'paused' || issue.state === 'held' ? (
            <button name="intent" value="resume">
              {t('Resume sending')}
            </button>
          ) : (
            <button name="intent" value="pause">
              {t('Pause sending')}
            </button>
          )}
          <button name="intent" value="cancel">
            {t('Cancel what is not sent')}
          </button>
        </form>
      ) : null}
      {data.refusals.length > 0 ? (
        <Table columns={[t('Email'), t('Reason')]}>
          {data.refusals.map(({ subscriberId, email, reason }) => (
            <tr key={subscriberId}>
              <td>{email}</td>
              <td data-label={t('Reason')}>
                <bdi dir="ltr">{reason}</bdi>
              </td>
            </tr>
          ))}
        </Table>
      ) : null}
    </>
  );
}
