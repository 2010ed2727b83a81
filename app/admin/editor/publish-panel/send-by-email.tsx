import type { Publication } from '#app/admin/editor/preview/check.server.ts';
import { useWords } from '#app/ui/words.ts';

/** What the button says that publishes a post and sends it: singular and plural. */
export const PUBLISH_AND_SEND = [
  'Publish and send to {count} subscriber',
  'Publish and send to {count} subscribers',
] as const;

/** Whether the publication is sent by email, to how many people, and how the mail looks. */
export function SendByEmail({
  mail: { recipients, kilobytes },
  isChosen,
  onChange,
  preview,
}: {
  mail: NonNullable<Publication['mail']>;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
  /** Null for a post that is not saved yet. */
  preview: { formId: string; url: string } | null;
}) {
  const t = useWords();
  return (
    <section aria-labelledby="publish-mail">
      <h3 id="publish-mail">{t('Newsletter')}</h3>
      <label className="check">
        <input type="checkbox" checked={isChosen} onChange={({ target }) => onChange(target.checked)} />{' '}
        {t.count('Send to {count} subscriber', 'Send to {count} subscribers', recipients)}
      </label>
      <p className="hint">{t('{size} KB of 102 KB, at which Gmail cuts a mail', { size: kilobytes })}</p>
      {preview ? <PreviewMail {...preview} /> : null}
    </section>
  );
}

/** Shows the mail of what is in the form in a page of its own. */
export function PreviewMail({ formId, url }: { formId?: string; url: string }) {
  const t = useWords();
  return (
    <button
      form={formId}
      className="small"
      formAction={url}
      formMethod="post"
      formTarget="_blank"
      formNoValidate
      name="intent"
      value="preview-mail"
    >
      {t('Preview the mail')}
    </button>
  );
}
