import { useWords } from '#app/ui/words.ts';
import { adminUrl } from './admin-url.ts';
import type { UndoOffer } from './undo-offer.ts';

/** The message after an action, with a button that undoes it. */
export function UndoNotice({ offer, adminPath }: { offer: UndoOffer | null; adminPath: string }) {
  const t = useWords();
  if (!offer) return null;
  if ('undone' in offer)
    return (
      <p className="notice" role="status">
        {outcome(offer)}
      </p>
    );
  return (
    <form method="post" action={adminUrl(adminPath, 'undo')} className="notice undo" role="status">
      <span>{t(offer.summary)}</span>
      <button className="small" name="id" value={offer.id}>
        {t('Undo')}
      </button>
    </form>
  );
}

function outcome({ undone, kept }: { undone: number; kept: number }): string {
  if (undone === 0 && kept === 0) return 'There is nothing to undo any more.';
  if (kept === 0) return 'Undone.';
  const stays = `${kept} ${kept === 1 ? 'was' : 'were'} changed since and ${kept === 1 ? 'stays' : 'stay'} as ${kept === 1 ? 'it is' : 'they are'}.`;
  return undone === 0 ? `Nothing was undone: ${stays}` : `Undone for ${undone}. ${stays}`;
}
