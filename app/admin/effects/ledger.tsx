import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import type { EffectState } from '#app/effects/plan.ts';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { Ledger as LedgerData } from './ledger.server.ts';

/** Table of the names of the states. */
export const stateWords: Record<EffectState, string> = {
  waiting: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  dead: 'failed for good',
  cancelled: 'cancelled',
  held: 'held',
};

/** What the publication of a post or release caused outside. Shows nothing where nothing was caused. */
export function Ledger({
  ledger: { subject, entries, mayManage },
  adminContext,
}: {
  ledger: LedgerData;
  adminContext: AdminContext;
}) {
  const t = useWords();
  if (entries.length === 0) return null;
  return (
    <details className="panel" id="ledger">
      <summary>{t('What publishing it caused')}</summary>
      <ul className="brief">
        {entries.map(({ id, kind, event, receiver, state, createdAt, finishedAt, dueAt, error }) => (
          <li key={id}>
            <bdi dir="ltr">
              {kind} {event}
            </bdi>
            {receiver ? ` → ${receiver}` : ''}
            <span className="hint">
              {t(stateWords[state])} <Time instant={finishedAt ?? createdAt} {...adminContext} />{' '}
              {error ? t.message(error) : null}{' '}
              {dueAt ? (
                <>
                  {t('Next try')}: <Time instant={dueAt} {...adminContext} />
                </>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      {mayManage ? (
        <p>
          <a href={`${adminUrl(adminContext.adminPath, 'effects')}?subject=${encodeURIComponent(subject)}`}>
            {t('Try again or cancel')}
          </a>
        </p>
      ) : null}
    </details>
  );
}
