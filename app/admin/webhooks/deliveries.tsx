import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageLinks } from '#app/admin/frame/page-links.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { PastTime } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { deliveriesScreen } from './webhooks.server.ts';

type Props = ViewProps<typeof deliveriesScreen.load, typeof deliveriesScreen.act>;

/** The log of the tries to deliver messages to a webhook. */
export default function Deliveries({ data, result, adminContext }: Props) {
  const t = useWords();
  const base = adminUrl(adminContext.adminPath, 'webhooks', data.webhook.id);
  const log = `${base}/deliveries`;
  return (
    <>
      <div className="page-head">
        <h1>{t('Deliveries')}</h1>
        <p>
          <a href={base}>{data.webhook.name}</a> · {t('Kept for {keepDays} days', { keepDays: 30 })}
        </p>
      </div>
      <Notices saved={data.replayed ? 'The message will be sent again.' : null} result={result} />
      {data.deliveries.length === 0 ? <p className="empty">{t('None yet.')}</p> : null}
      <ul className="stack">
        {data.deliveries.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} adminContext={adminContext} />
        ))}
      </ul>
      <PageLinks first={!data.isFirstPage && log} next={data.next !== null && `${log}?before=${data.next}`} />
    </>
  );
}

function Delivery({
  delivery,
  adminContext,
}: {
  delivery: Props['data']['deliveries'][number];
  adminContext: Props['adminContext'];
}) {
  const t = useWords();
  const { effectId, event, at, status, durationMs, error, request, response } = delivery;
  return (
    <li className="panel">
      <p>
        <PastTime instant={at} withTime {...adminContext} /> <bdi dir="ltr">{event}</bdi>{' '}
        <span className={`state state-${error ? 'overdue' : 'published'}`}>{status || t('No answer')}</span>{' '}
        {t('{durationMs} ms', { durationMs })}
      </p>
      {error ? <p className="field-error">{t.message(error)}</p> : null}
      <details>
        <summary>
          <code>{effectId}</code>
        </summary>
        <pre dir="ltr">{request}</pre>
        {response ? <pre dir="ltr">{response}</pre> : null}
      </details>
      <form method="post">
        <PageUserField />
        <input type="hidden" name="id" value={effectId} />
        <button name="intent" value="replay">
          {t('Send again')}
        </button>
      </form>
    </li>
  );
}
