import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { listAddress, PageLinks } from '#app/admin/frame/page-links.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { Table } from '#app/admin/frame/table.tsx';
import { effectKinds, effectStates, type EffectState } from '#app/effects/events.ts';
import { Choice, Options } from '#app/ui/field.tsx';
import { PastTime, Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { act, load } from './effects.server.ts';
import { EffectActions, EffectName, EffectStateLabel, kindWords, stateWords } from './ledger.tsx';

type Props = ViewProps<typeof load, typeof act>;

/** What changes cause outside: what waits, what failed and why. */
export default function Effects({ data, result, adminContext }: Props) {
  const t = useWords();
  const base = adminUrl(adminContext.adminPath, 'effects');
  return (
    <>
      <div className="page-head">
        <h1>{t('Effects')}</h1>
        <p>
          <a href={adminUrl(adminContext.adminPath, 'webhooks')}>{t('Webhooks')}</a>
        </p>
      </div>
      <Notices saved={data.saved} result={result} />
      {data.isHeld ? <Held /> : null}
      <form className="filters" role="search" action={base}>
        <Choice name="state" label="State" defaultValue={data.filter.state}>
          <option value="">{t('All states')}</option>
          <Options of={effectStates.map((state) => [state, t(stateWords[state])])} />
        </Choice>
        <Choice name="kind" label="Kind" defaultValue={data.filter.kind}>
          <option value="">{t('All kinds')}</option>
          <Options of={effectKinds.map((kind) => [kind, t(kindWords[kind])])} />
        </Choice>
        {data.filter.subject ? <input type="hidden" name="subject" value={data.filter.subject} /> : null}
        <button>{t('Filter entries')}</button>
      </form>
      {data.effects.length === 0 ? (
        <p className="empty">
          {data.filter.state || data.filter.kind || data.filter.subject
            ? t('No entries match.')
            : t('Nothing sent yet.')}
        </p>
      ) : null}
      {data.effects.length > 0 ? <Rows data={data} adminContext={adminContext} /> : null}
      <PageLinks
        first={!data.isFirstPage && listAddress(base, data.filter)}
        next={data.next !== null && listAddress(base, data.filter, { before: data.next })}
      />
    </>
  );
}

function Held() {
  const t = useWords();
  return (
    <form method="post" className="notice notice-wait">
      <PageUserField />
      <p>
        {t(
          'This instance was restored or copied, so webhooks and other deliveries are paused. Resume them only if no other instance sends them.',
        )}
      </p>
      <button name="intent" value="release">
        {t('Release held effects')}
      </button>
    </form>
  );
}

function Rows({ data, adminContext }: Pick<Props, 'data' | 'adminContext'>) {
  const t = useWords();
  return (
    <Table columns={[t('When'), t('What'), t('State'), t('Next try'), t('Actions')]} label={t('Effects')}>
      {data.effects.map((effect) => (
        <tr key={effect.id}>
          <td>
            <PastTime instant={effect.createdAt} withTime {...adminContext} />
          </td>
          <td>
            <EffectName {...effect} />
          </td>
          <td data-label={t('State')}>
            <EffectStateLabel state={effect.state as EffectState} />
            {effect.lastError ? <span className="hint"> {t.message(effect.lastError)}</span> : null}
          </td>
          <td data-label={t('Next try')}>
            {effect.dueAt ? <Time instant={effect.dueAt} {...adminContext} /> : null}
          </td>
          <td>
            <EffectActions id={effect.id} state={effect.state} isUnknown={effect.acknowledgedAt === null} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
