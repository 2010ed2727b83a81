import type { Message } from '#app/platform/message.ts';
import { useWords, type Words } from '#app/ui/words.ts';
import { adminUrl } from './admin-url.ts';
import { PageUserField } from './page-user-field.tsx';
import type { ActionResult } from './screen.ts';

/** The result of the last action, at the top of a screen. */
export function Notices({
  saved,
  result,
}: {
  /** What to say after a redirect; true says "Saved." */
  saved?: boolean | Message | null;
  result: ActionResult | undefined;
}) {
  const t = useWords();
  if (result?.message)
    return (
      <p className="notice notice-error" role="alert">
        {t.message(result.message)}
      </p>
    );
  if (!saved || result) return null;
  return (
    <p className="notice" role="status">
      {t.message(saved === true ? 'Saved.' : saved)}
    </p>
  );
}

/** An action that can be undone, or the result of undoing one. */
export type UndoOffer = { id: string; summary: Message } | { undone: number; kept: number };

/** The message after an action, with a button that undoes it. */
export function UndoNotice({ offer, adminPath }: { offer: UndoOffer | null; adminPath: string }) {
  const t = useWords();
  if (!offer) return null;
  if ('undone' in offer)
    return (
      <p className="notice" role="status">
        {outcome(offer, t)}
      </p>
    );
  return (
    <form method="post" action={adminUrl(adminPath, 'undo')} className="notice undo" role="status">
      <PageUserField />
      <span>{t.message(offer.summary)}</span>
      <button className="small" name="id" value={offer.id}>
        {t('Undo')}
      </button>
    </form>
  );
}

function outcome({ undone, kept }: { undone: number; kept: number }, t: Words): string {
  if (undone === 0 && kept === 0) return t('Nothing to undo.');
  if (kept === 0) return t('Undone.');
  const stays = t.count(
    '{count} has changed since then and is kept as it is.',
    '{count} have changed since then and are kept as they are.',
    kept,
  );
  const done = undone === 0 ? t('Nothing was undone.') : t('Undone for {undone}.', { undone });
  return `${done} ${stays}`;
}
