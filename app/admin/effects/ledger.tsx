import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import type { Forecast } from '#app/effects/forecast.server.ts';
import type { EffectKind, EffectState } from '#app/effects/events.ts';
import { PastTime, Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { Ledger as LedgerData } from './effects.server.ts';

export const stateWords: Record<EffectState, string> = {
  waiting: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  dead: 'failed permanently',
  cancelled: 'cancelled',
  held: 'held',
};

export const kindWords: Record<EffectKind, string> = {
  webhook: 'Webhook',
  mail: 'Email',
  purge: 'Caches in front',
  websub: 'WebSub hub',
  indexnow: 'IndexNow',
};

/** The colours of the states, which are those of posts. */
const looks: Record<EffectState, string> = {
  waiting: 'draft',
  running: 'draft',
  done: 'published',
  failed: 'scheduled',
  dead: 'overdue',
  cancelled: 'archived',
  held: 'scheduled',
};

export function EffectStateLabel({ state }: { state: EffectState }) {
  const t = useWords();
  return <span className={`state state-${looks[state]}`}>{t(stateWords[state])}</span>;
}

/** What an effect is, to whom, and its type as programs know it. */
export function EffectName({ kind, event, receiver }: { kind: string; event: string; receiver: string }) {
  const t = useWords();
  return (
    <>
      {t(kindWords[kind as EffectKind])}
      {receiver ? ` → ${receiver}` : ''}{' '}
      <code className="hint" dir="ltr">
        {kind} {event}
      </code>
    </>
  );
}

interface Props {
  ledger: LedgerData;
  adminContext: AdminContext;
}

/** What the publication of a post or release caused, on the site and outside. Shows nothing where nothing was caused. */
export function Ledger({ ledger, adminContext }: Props) {
  const t = useWords();
  const { subject, steps, entries, mayManage } = ledger;
  if (entries.length + steps.length === 0) return null;
  return (
    <details className="panel" id="ledger">
      <summary>{t('What publishing it caused')}</summary>
      <ul className="brief">
        {steps.map(({ what, doneAt, reason, dueAt }) => (
          <li key={what}>
            {t(what)}
            <span className="hint">
              {t(stateWords[doneAt ? 'done' : 'waiting'])}{' '}
              {doneAt ? <PastTime instant={doneAt} withTime {...adminContext} /> : reason}
              {dueAt ? <NextTry at={dueAt} adminContext={adminContext} /> : null}
            </span>
          </li>
        ))}
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} ledger={ledger} adminContext={adminContext} />
        ))}
      </ul>
      {mayManage && entries.length > 0 ? (
        <p>
          <a href={`${adminUrl(adminContext.adminPath, 'effects')}?subject=${encodeURIComponent(subject)}`}>
            {t('Effects')}
          </a>
        </p>
      ) : null}
    </details>
  );
}

function Entry({ entry, ledger, adminContext }: Props & { entry: LedgerData['entries'][number] }) {
  const t = useWords();
  const { id, kind, event, receiver, state, createdAt, finishedAt, dueAt, error } = entry;
  return (
    <li>
      <span>
        <EffectName kind={kind} event={event} receiver={receiver} />
      </span>
      <span className="hint">
        <EffectStateLabel state={state} />{' '}
        <PastTime instant={finishedAt ?? createdAt} withTime {...adminContext} />{' '}
        {error ? t.message(error) : null} {dueAt ? <NextTry at={dueAt} adminContext={adminContext} /> : null}
      </span>
      {ledger.mayManage ? (
        <EffectActions
          {...{ id, state }}
          action={adminUrl(adminContext.adminPath, 'effects')}
          subject={ledger.subject}
        />
      ) : null}
    </li>
  );
}

function NextTry({ at, adminContext }: { at: Date; adminContext: AdminContext }) {
  const t = useWords();
  return (
    <>
      {t('Next try')}: <Time instant={at} {...adminContext} />
    </>
  );
}

/** Tries an effect again or ends it. @param subject whose screen follows; absent: the list of effects */
export function EffectActions({
  id,
  state,
  action,
  subject,
  isUnknown = false,
}: {
  id: string;
  state: string;
  action?: string;
  subject?: string;
  /** Whether nobody has acknowledged yet that it failed for good. */
  isUnknown?: boolean;
}) {
  const t = useWords();
  const isOpen = ['waiting', 'failed', 'dead'].includes(state);
  if (!isOpen && state !== 'held') return null;
  return (
    <form method="post" action={action} className="row">
      <PageUserField />
      <input type="hidden" name="id" value={id} />
      {subject === undefined ? null : <input type="hidden" name="subject" value={subject} />}
      {isOpen ? (
        <button className="small" name="intent" value="retry">
          {t('Try again')}
        </button>
      ) : null}
      <button className="small" name="intent" value="cancel">
        {t('Cancel')}
      </button>
      {state === 'dead' && isUnknown ? (
        <button className="small" name="intent" value="acknowledge">
          {t('Acknowledge')}
        </button>
      ) : null}
    </form>
  );
}

/** What will leave the site with a publication. Shows nothing where nothing would. */
export function WillGoOut({
  forecast,
  adminContext,
}: {
  forecast: Forecast | null;
  adminContext: AdminContext;
}) {
  const t = useWords();
  if (!forecast) return null;
  const { issues, more, webhooks, others } = forecast;
  if (issues.length + webhooks.length + others.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="will-go-out">
      <h2 id="will-go-out">{t('What will go out')}</h2>
      <ul className="brief">
        {issues.map(({ id, title, recipients }) => (
          <li key={id}>
            <a href={adminUrl(adminContext.adminPath, 'posts', id, 'mail')}>{title}</a>
            <span className="hint">
              {t.count('Email to {count} subscriber', 'Email to {count} subscribers', recipients)}
            </span>
          </li>
        ))}
        {more > 0 ? (
          <li>{t.count('{count} more post by email', '{count} more posts by email', more)}</li>
        ) : null}
        {webhooks.length > 0 ? (
          <li>
            {t('Webhooks')}: {webhooks.join(', ')}
          </li>
        ) : null}
        {others.map((name) => (
          <li key={name}>{t(name)}</li>
        ))}
      </ul>
    </section>
  );
}
