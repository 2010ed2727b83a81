import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';
import { Secret, WebhookFields } from './webhook.tsx';
import type { newWebhookScreen } from './webhooks.server.ts';

/** A new webhook; afterwards its secret. */
export default function NewWebhook({
  data,
  result,
  adminContext,
}: ViewProps<typeof newWebhookScreen.load, typeof newWebhookScreen.act>) {
  const t = useWords();
  const created = result?.created;
  return (
    <>
      <div className="page-head">
        <h1>{t('Add webhook')}</h1>
        <p>
          <a href={adminUrl(adminContext.adminPath, 'webhooks')}>{t('Webhooks')}</a>
        </p>
      </div>
      <Notices result={result} />
      {created ? (
        <>
          <Secret secret={created.secret} />
          <p>
            <a className="button" href={adminUrl(adminContext.adminPath, 'webhooks', created.id)}>
              {t('Continue')}
            </a>
          </p>
        </>
      ) : (
        <form method="post" className="settings">
          <PageUserField />
          <input type="hidden" name="id" value={result?.values?.id ?? data.id} />
          <WebhookFields types={data.eventTypes} chosen={data.eventTypes} result={result} />
          <button className="primary" name="intent" value="save">
            {t('Add webhook')}
          </button>
        </form>
      )}
    </>
  );
}
