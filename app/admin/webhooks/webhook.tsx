import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps, ActionResult } from '#app/admin/frame/screen.ts';
import { fieldOf, TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';
import type { webhookScreen } from './webhooks.server.ts';

/** A webhook: its fields, a test, and what else can be done with it. */
export default function Webhook({
  data,
  result,
  adminContext,
}: ViewProps<typeof webhookScreen.load, typeof webhookScreen.act>) {
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

interface WebhookFieldsProps {
  types: readonly string[];
  chosen: readonly string[];
  webhook?: { name: string; url: string };
  result: ActionResult | undefined;
}

export function WebhookFields({ types, chosen, webhook, result }: WebhookFieldsProps) {
  const t = useWords();
  const field = fieldOf(result);
  const problems = result?.errors?.events;
  return (
    <>
      <TextField {...field('name', webhook?.name)} label="Name" required maxLength={200} />
      <TextField {...field('url', webhook?.url)} label="Address" type="url" required maxLength={2_000} />
      <fieldset className="checks">
        <legend>{t('Events')}</legend>
        {problems ? (
          <p className="field-error">{problems.map((problem) => t.message(problem)).join(' ')}</p>
        ) : null}
        {types.map((type) => (
          <label key={type} className="check">
            <input type="checkbox" name="events" value={type} defaultChecked={chosen.includes(type)} />
            <code dir="ltr">{type}</code>
          </label>
        ))}
      </fieldset>
    </>
  );
}

export function Secret({ secret }: { secret: string }) {
  const t = useWords();
  return (
    <div className="notice" role="status">
      <p>{t('The secret, shown only this once. The receiver needs it to check the signatures.')}</p>
      <p>
        <code>{secret}</code>
      </p>
    </div>
  );
}
