import type { AdminContext } from '#app/admin/frame/screen.ts';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';

/** A new secret link, to be copied or opened. It is shown only this once. */
export function NewLink({
  link,
  adminContext,
}: {
  link: { address: string; expiresAt: Date };
  adminContext: AdminContext;
}) {
  const t = useWords();
  return (
    <section className="panel new-link" aria-labelledby="new-link">
      <h2 id="new-link">{t('The new link')}</h2>
      <p className="hint" id="new-link-hint">
        {t.rich('Copy it now: it is not shown again. It works until {time}.', {
          time: <Time instant={link.expiresAt} {...adminContext} />,
        })}
      </p>
      <input
        readOnly
        value={link.address}
        aria-labelledby="new-link"
        aria-describedby="new-link-hint"
        autoFocus
      />
      <p>
        <a href={link.address}>{t('Open it')}</a>
      </p>
    </section>
  );
}
