import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices } from '#app/admin/frame/notices.tsx';
import { PageLinks } from '#app/admin/frame/page-links.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { PastTime } from '#app/ui/time.tsx';
import { useWords, type Words } from '#app/ui/words.ts';
import type { act, load } from './trash.server.ts';

type Item = ViewProps<typeof load>['data']['items'][number];

const names = { post: 'Post', media: 'File', category: 'Category', tag: 'Tag' } as const;
const doneWords = {
  restored: 'Restored from the trash',
  'restored-post': 'Restored. A post is a draft now.',
  purged: 'Deleted permanently.',
} as const;

export default function Trash({ data, result, adminContext }: ViewProps<typeof load, typeof act>) {
  const t = useWords();
  const base = adminUrl(adminContext.adminPath, 'trash');
  return (
    <>
      <div className="page-head">
        <h1>{t('Trash')}</h1>
      </div>
      <Notices saved={data.done && doneWords[data.done]} result={result} />
      <p className="hint">
        {t(
          'Items in the trash aren’t public. They’re deleted permanently after {days} days. Until then, their addresses stay reserved.',
          { days: data.days },
        )}
      </p>
      {data.items.length === 0 ? (
        <p className="empty">{data.isFirstPage ? t('The trash is empty.') : t('No more items.')}</p>
      ) : (
        <ul className="post-list trash-list">
          {data.items.map((item) => (
            <TrashRow key={`${item.kind} ${item.id}`} item={item} adminContext={adminContext} />
          ))}
        </ul>
      )}
      <PageLinks
        first={!data.isFirstPage && base}
        next={data.next !== null && `${base}?after=${data.next}`}
      />
    </>
  );
}

function TrashRow({ item, adminContext }: { item: Item } & Pick<ViewProps<typeof load>, 'adminContext'>) {
  const t = useWords();
  return (
    <li className="trash-row">
      <div className="trash-row-main">
        <p className="trash-row-title">{item.title}</p>
        <p className="hint">
          {t(names[item.kind])} · {t('deleted')} <PastTime instant={item.trashedAt} {...adminContext} />
          {item.trashedBy ? ` · ${item.trashedBy}` : ''} · {daysLeft(item.daysLeft, t)}
        </p>
        {item.refusal ? <p className="hint">{t.message(item.refusal)}</p> : null}
      </div>
      {item.refusal ? null : <TrashButtons item={item} />}
    </li>
  );
}

function TrashButtons({ item: { id, kind, title } }: { item: Item }) {
  const t = useWords();
  return (
    <form method="post" className="trash-row-buttons">
      <PageUserField />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="kind" value={kind === 'category' || kind === 'tag' ? 'term' : kind} />
      <button className="small" name="intent" value="restore" aria-label={t('Restore “{title}”', { title })}>
        {t('Restore')}
      </button>
      <details>
        <summary aria-label={t('Delete “{title}” permanently…', { title })}>{t('Delete…')}</summary>
        <button
          className="danger small"
          name="intent"
          value="purge"
          aria-label={t('Delete “{title}” permanently', { title })}
        >
          {t('Delete permanently')}
        </button>
      </details>
    </form>
  );
}

function daysLeft(days: number, t: Words): string {
  if (days === 0) return t('deleted by the next trigger');
  return t.count('{count} day left', '{count} days left', days);
}
