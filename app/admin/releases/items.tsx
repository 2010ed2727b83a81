import { Differences } from '#app/admin/differences/differences.tsx';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { LongList } from '#app/ui/deferred.tsx';
import { PastTime } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { ItemChecks } from './checks.server.ts';
import type { ShownItem } from './describe.server.ts';
import type { ReleaseProps } from './release.server.ts';

/** Changes that the server renders in one turn of the event loop. */
const ITEMS_A_TURN = 5;

const actionNames: Record<string, string> = {
  publish: 'goes public',
  update: 'is changed',
  archive: 'is archived',
  restore: 'goes back',
};

/** The names of the kinds of items that are not posts. */
export const kindNames: Record<string, string> = {
  setting: 'Setting',
  category: 'Category',
  tag: 'Tag',
  author: 'Author',
  redirect: 'Redirect',
};

/** A page of the items of a release: what happens to each, who added it, what blocks it. */
export function ReleaseItems({ data, adminContext }: Pick<ReleaseProps, 'data' | 'adminContext'>) {
  const t = useWords();
  const { items, itemCount, release } = data;
  if (itemCount === 0)
    return (
      <p className="empty">{t('Nothing is in this release yet. Add drafts here, or save posts to it.')}</p>
    );
  return (
    <div className="release-items">
      <Pages data={data} />
      <Elsewhere data={data} adminContext={adminContext} />
      <ul>
        <LongList values={items} size={ITEMS_A_TURN}>
          {(batch) =>
            batch.map((item) => (
              <Item
                key={item.id}
                item={item}
                releaseId={release.id}
                isOpen={release.status !== 'published'}
                adminContext={adminContext}
              />
            ))
          }
        </LongList>
      </ul>
      <Pages data={data} />
    </div>
  );
}

interface ItemProps {
  item: ShownItem;
  releaseId: string;
  isOpen: boolean;
  adminContext: AdminContext;
}

function Item({ item, releaseId, isOpen, adminContext }: ItemProps) {
  const t = useWords();
  return (
    <li className="panel" id={`item-${item.id}`}>
      <div className="release-item-head">
        <div>
          <h2>
            <SubjectLink {...{ item, releaseId, isOpen, adminContext }} />
          </h2>
          <p className="hint">
            {item.kind === 'post' ? '' : `${t(kindNames[item.kind] ?? '')} · `}
            {t(actionNames[item.action] ?? '')}
            {item.status && isOpen ? (
              <>
                {' '}
                {t.rich('· now {part}', {
                  part: <span className={`state state-${item.status}`}>{t(item.status)}</span>,
                })}
              </>
            ) : null}
            {' · '}
            {item.author ?? t('a command')}, <PastTime instant={item.changedAt} withTime {...adminContext} />
          </p>
        </div>
        {isOpen ? (
          <form method="post">
            <PageUserField />
            <input type="hidden" name="remove" value={item.id} />
            <button
              className="small"
              name="intent"
              value="save"
              aria-label={t('Remove “{title}”', { title: item.title })}
            >
              {t('Remove')}
            </button>
          </form>
        ) : null}
      </div>
      <Checks item={item} adminContext={adminContext} />
      {item.differences === null ? (
        item.action === 'publish' || item.action === 'archive' ? null : (
          <p>
            <a href={`?show=${item.id}#item-${item.id}`}>{t('Show what changes')}</a>
          </p>
        )
      ) : (
        <Differences
          differences={item.differences}
          none={isOpen ? 'Nothing differs from the published post.' : undefined}
        />
      )}
    </li>
  );
}

function SubjectLink({ item, releaseId, isOpen, adminContext }: ItemProps) {
  const segments = screenOf(item);
  if (segments.length === 0) return <>{item.title}</>;
  const shownIn = isOpen && item.action === 'update' ? `?release=${releaseId}` : '';
  return <a href={`${adminUrl(adminContext.adminPath, ...segments)}${shownIn}`}>{item.title}</a>;
}

const screensOfTexts: Partial<Record<string, string>> = {
  category: 'categories',
  tag: 'tags',
  author: 'users',
};

/** The segments of the address of the screen that edits the thing of an item. */
function screenOf({ kind, subjectId, status, group }: ShownItem): string[] {
  if (kind === 'post') return status === null ? [] : ['posts', subjectId];
  if (kind === 'setting') return group === 'appearance' ? ['appearance'] : ['settings', group ?? 'site'];
  const screen = screensOfTexts[kind];
  return screen ? [screen, subjectId] : [];
}

/** Links to all pages of a release's changes. */
function Pages({ data: { page, pageCount, before, itemCount, items } }: Pick<ReleaseProps, 'data'>) {
  const t = useWords();
  if (pageCount === 1) return null;
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
function Elsewhere({ data, adminContext }: { data: ReleaseProps['data']; adminContext: AdminContext }) {
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

/** What blocks a change, and warnings about it. */
function Checks({ item, adminContext }: { item: ItemChecks; adminContext: AdminContext }) {
  const t = useWords();
  return (
    <>
      {item.problem ? (
        <p className="notice notice-error">
          <strong>{t('Blocks the release.')}</strong> {t.message(item.problem)}
        </p>
      ) : null}
      {item.deadLinks.length > 0 ? (
        <p className="notice notice-wait">
          {t('Links to pages that readers can’t see then: {deadLinks}', {
            deadLinks: item.deadLinks.join(', '),
          })}
        </p>
      ) : null}
      {item.rivals.map(({ id, name, address, bothPublish }) => (
        <p key={`${id} ${address}`} className="notice notice-wait">
          {t.rich(
            bothPublish
              ? 'Also in {link}: the earlier one publishes it.'
              : address === null
                ? 'Also in {link}: the later one wins.'
                : '{link} also uses the address {address}. Whichever is published second will be blocked.',
            {
              link: <a href={adminUrl(adminContext.adminPath, 'releases', id)}>{name}</a>,
              address: <code>{address}</code>,
            },
          )}
        </p>
      ))}
    </>
  );
}
