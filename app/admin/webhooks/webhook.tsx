import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';
import { Secret, WebhookFields } from './fields.tsx';
import type { act, load } from './webhook.server.ts';

/** A webhook: its fields, a test, and what else can be done with it. */
export default function Webhook({ data, result, adminContext }: ViewProps<typeof load, typeof act>) {
  const t = useWords();
  const { webhook, chosen, eventTypes } = data;
  const { adminPath } = adminContext;
  return (
    <>
      <div className="page-head">
        <h1>{webhook.name}</h1>
        <p>
          <a href={adminUrl(adminPath, 'webhooks', webhook.id, 'deliveries')}>{t('Deliveries')}</a> ·{' '}
          <a href={adminUrl(adminPath, 'webhooks')}>{t('Webhooks')}</a>
        </p>
      </div>
      <Notices saved={data.saved} result={result} />
      {webhook.pausedAt ? (
        <p className="notice notice-wait">
          {t('This webhook is paused, and its messages wait.')} {t.message(webhook.pauseReason)}
        </p>
      ) : null}
      {result?.secret ? <Secret secret={result.secret} /> : null}
      {result?.test ? (
        <p className={`notice ${result.test.error ? 'notice-error' : ''}`} role="status">
          {result.test.error
            ? t.message(result.test.error)
            : t('The receiver accepted the test message ({status}).', { status: String(result.test.status) })}
        </p>
      ) : null}
      <form method="post" className="settings">
        <PageUserField />
        <WebhookFields types={eventTypes} chosen={chosen} webhook={webhook} result={result} />
        <div className="row">
          <button className="primary" name="intent" value="save">
            {t('Save')}
          </button>
          <button name="intent" value="test" formNoValidate>
            {t('Send test message')}
          </button>
        </div>
        <div className="panel">
          <div className="row">
            <button name="intent" value={webhook.pausedAt ? 'resume' : 'pause'} formNoValidate>
              {t(webhook.pausedAt ? 'Resume webhook' : 'Pause webhook')}
            </button>
            <button name="intent" value="rotate" formNoValidate>
              {t('Rotate secret')}
            </button>
            <button className="danger" name="intent" value="delete" formNoValidate>
              {t('Delete webhook')}
            </button>
          </div>
          <p className="hint">
            {t('After you rotate the secret, messages are also signed with the old one for 24 hours.')}
          </p>
        </div>
      </form>
    </>
  );
}
