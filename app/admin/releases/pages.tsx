import type { AdminContext } from '#app/admin/frame/screen.ts';
import { useWords } from '#app/ui/words.ts';
import { Checks } from './item-checks.tsx';
import { ITEMS_A_PAGE } from './items-a-page.ts';
import type { ReleaseProps } from './release.server.ts';

/** Links to all pages of a release's changes. */
export function Pages({ data: { page, pageCount, itemCount, items } }: Pick<ReleaseProps, 'data'>) {
  const t = useWords();
  if (pageCount === 1) return null;
  const before = (page - 1) * ITEMS_A_PAGE;
  return (
    <nav aria-label={t('Pages')} className="release-pages">
      <span>
        {t('Changes {first} to {last} of {total}', {
          first: before + 1,
          last: before + items.length,
          total: itemCount,
        })}
      </span>
      {Array.from({ length: pageCount }, (_, index) => index + 1).map((number) => (
        <a
          key={number}
          href={`?page=${number}`}
          aria-label={t('Page {page}', { page: number })}
          aria-current={number === page ? 'page' : undefined}
        >
          {number}
        </a>
      ))}
    </nav>
  );
}

/** The findings of the checks about changes on other pages. */
export function Elsewhere({
  data,
  adminContext,
}: {
  data: ReleaseProps['data'];
  adminContext: AdminContext;
}) {
  const t = useWords();
  const { elsewhere, moreElsewhere } = data;
  if (elsewhere.length === 0) return null;
  return (
    <details className="panel" open={elsewhere.some(({ problem }) => problem !== null)}>
      <summary>
        {t('On other pages')} ({elsewhere.length + moreElsewhere})
      </summary>
      <ul>
        {elsewhere.map((item) => (
          <li key={item.id}>
            <a href={`?page=${item.page}#item-${item.id}`}>{item.title}</a>{' '}
            <span className="hint">{t('Page {page}', { page: item.page })}</span>
            <Checks item={item} adminContext={adminContext} />
          </li>
        ))}
      </ul>
      {moreElsewhere > 0 ? <p className="hint">{t('{number} more', { number: moreElsewhere })}</p> : null}
    </details>
  );
}
