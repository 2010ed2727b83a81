import type { ActionResult } from '#app/admin/frame/screen.ts';
import { TextField } from '#app/ui/field.tsx';
import { useWords } from '#app/ui/words.ts';

/** The fields of a webhook. */
export function WebhookFields({
  types,
  chosen,
  webhook,
  result,
}: {
  types: readonly string[];
  chosen: readonly string[];
  webhook?: { name: string; url: string };
  result: ActionResult | undefined;
}) {
  const t = useWords();
  const values = { ...webhook, ...result?.values };
  const errors = result?.errors ?? {};
  const field = (name: 'name' | 'url') => ({ name, defaultValue: values[name], errors: errors[name] });
  return (
    <>
      <TextField {...field('name')} label="Name" required maxLength={200} />
      <TextField {...field('url')} label="Address" type="url" required maxLength={2_000} />
      <fieldset className="checks">
        <legend>{t('Events')}</legend>
        {errors.events ? (
          <p className="field-error">{errors.events.map((error) => t.message(error)).join(' ')}</p>
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

/** A new secret. */
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
