import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { ChooseAll, LiveList } from '#app/admin/frame/live-list.tsx';
import { UndoNotice } from '#app/admin/frame/notices.tsx';
import { listAddress, PageLinks } from '#app/admin/frame/page-links.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { postStatuses, type PostStatus } from '#app/posts/fields/states.ts';
import { LongList } from '#app/ui/deferred.tsx';
import { Options } from '#app/ui/field.tsx';
import { PastTime, Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { bulkActions } from './bulk-actions.ts';
import { sorts } from './list-address.ts';
import type { load } from './posts.server.ts';
import { RowActions, RowForms, rowKeys } from './row-actions.tsx';

/** Posts that are rendered in one turn of the event loop. */
const POSTS_A_TURN = 20;

type Props = Pick<ViewProps<typeof load>, 'data' | 'adminContext'>;

export default function Posts({ data, adminContext }: ViewProps<typeof load>) {
  const t = useWords();
  const base = adminUrl(adminContext.adminPath, 'posts');
  const { query } = data;
  return (
    <>
      <div className="page-head">
        <h1>{t('Posts')}</h1>
        <a className="button primary" href={adminUrl(adminContext.adminPath, 'posts', 'new')}>
          {t('New post')}
        </a>
      </div>
      <UndoNotice offer={data.undo} adminPath={adminContext.adminPath} />
      {data.changed === null || data.undo ? null : (
        <p className="notice" role="status">
          {t.count('{count} post changed.', '{count} posts changed.', data.changed)}
        </p>
      )}
      <LiveList filters={<Filters data={data} base={base} />} keys={rowKeys}>
        <StateTabs data={data} base={base} language={adminContext.language} />
        <Found data={data} />
        {data.posts.length === 0 ? (
          <p className="empty">
            {t.rich('No posts found. {link}', { link: <a href={base}>{t('Show all')}</a> })}
          </p>
        ) : (
          <PostTable data={data} adminContext={adminContext} />
        )}
        <PageLinks
          previous={data.newer !== null && listAddress(base, query, { before: data.newer })}
          next={data.older !== null && listAddress(base, query, { after: data.older })}
        />
      </LiveList>
    </>
  );
}

/** How many posts a search or a filter has found. */
function Found({ data: { counts, query, isCut } }: Pick<Props, 'data'>) {
  const t = useWords();
  const isFiltered = [query.q, query.author, query.category, query.tag].some(Boolean);
  if (!isFiltered) return null;
  const found = counts && (query.status ? counts[query.status] : totalOf(counts));
  return (
    <p className="hint" data-found>
      {found === null ? null : t.count('{count} post found.', '{count} posts found.', found)}{' '}
      {isCut ? t('Add a word to narrow the search.') : null}
    </p>
  );
}

const totalOf = (counts: Record<PostStatus, number>): number =>
  postStatuses.reduce((sum, status) => sum + counts[status], 0);

function StateTabs({ data, base, language }: { data: Props['data']; base: string; language: string }) {
  const t = useWords();
  const { counts } = data;
  const tab = (status: (typeof postStatuses)[number] | undefined, label: string, count: number | null) => (
    <a
      key={label}
      href={listAddress(base, data.query, { status })}
      aria-current={data.query.status === status ? 'page' : undefined}
    >
      {t(label)} {count === null ? null : <span>{count.toLocaleString(language)}</span>}
    </a>
  );
  return (
    <nav aria-label={t('Filter by state')} className="tabs">
      {tab(undefined, 'all', counts && totalOf(counts))}
      {postStatuses.map((status) => tab(status, status, counts && counts[status]))}
    </nav>
  );
}

function PostTable({ data, adminContext }: Props) {
  const t = useWords();
  return (
    <>
      <RowForms {...adminContext} />
      <form method="post" action={adminUrl(adminContext.adminPath, 'posts', 'bulk')} className="bulk">
        <PageUserField />
        <div className="bulk-bar">
          <ChooseAll />
          <label className="sr-only" htmlFor="bulk-action">
            {t('With the selected posts')}
          </label>
          <select id="bulk-action" name="action" defaultValue="">
            <option value="">{t('With the selected posts…')}</option>
            <Options of={data.actions.map((action) => [action, t(bulkActions[action].label)])} />
          </select>
          <button>{t('Continue')}</button>
        </div>
        <ul className="post-list">
          <LongList values={data.posts} size={POSTS_A_TURN}>
            {(batch) =>
              batch.map((post) => <PostRow key={post.id} post={post} adminContext={adminContext} />)
            }
          </LongList>
        </ul>
      </form>
    </>
  );
}

function PostRow({
  post,
  adminContext,
}: {
  post: Props['data']['posts'][number];
  adminContext: Props['adminContext'];
}) {
  const t = useWords();
  const { now } = adminContext;
  const overdue = post.status === 'scheduled' && post.publishedAt !== null && post.publishedAt <= now;
  return (
    <li className="post-row" data-row>
      <label className="pick">
        <input type="checkbox" name="ids" value={post.id} />
        <span className="sr-only">{t('Select “{title}”', { title: post.title })}</span>
      </label>
      <span className="post-row-cover" aria-hidden>
        {post.cover ? <img src={post.cover} alt="" loading="lazy" decoding="async" /> : null}
      </span>
      <div className="post-row-main">
        <a
          id={`title-${post.id}`}
          className="post-row-title"
          href={adminUrl(adminContext.adminPath, 'posts', post.id)}
          data-open
        >
          {post.title}
        </a>
        <p className="hint">
          {[post.author?.displayName, post.category?.name, post.tags.map((tag) => `#${tag}`).join(' ')]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {post.scheduledUpdate ? (
          <p className="hint">
            {t.rich('Scheduled update: {time}', {
              time: <Time instant={post.scheduledUpdate.dueAt} {...adminContext} />,
            })}
          </p>
        ) : null}
      </div>
      <p className="post-row-state">
        <span className={`state state-${overdue ? 'overdue' : post.status}`}>
          {t(overdue ? 'overdue' : post.status)}
        </span>
      </p>
      <p className="post-row-time hint">
        {post.publishedAt && post.status !== 'draft' ? (
          <PastTime instant={post.publishedAt} {...adminContext} />
        ) : (
          <>{t.rich('Updated {time}', { time: <PastTime instant={post.updatedAt} {...adminContext} /> })}</>
        )}
      </p>
      <RowActions post={post} {...adminContext} />
    </li>
  );
}

/** The list's filters: a GET form, so that a filtered list has an address. */
function Filters({ data, base }: { data: Props['data']; base: string }) {
  const t = useWords();
  const { query, choices } = data;
  return (
    <form method="get" action={base} className="filters" role="search" aria-label={t('Filter posts')}>
      {query.status ? <input type="hidden" name="status" value={query.status} /> : null}
      <input
        type="search"
        name="q"
        aria-label={t('Search posts')}
        placeholder={t('Search posts')}
        defaultValue={query.q}
      />
      <div className="filters-more">
        <Select
          name="author"
          label={t('Author')}
          chosen={query.author}
          options={choices.authors.map(({ id, displayName }) => [id, displayName])}
        />
        <Select
          name="category"
          label={t('Category')}
          chosen={query.category}
          options={[
            ['none', 'Without a category'],
            ...choices.categories.map(({ id, name }): [string, string] => [id, name]),
          ]}
        />
        <Select
          name="tag"
          label={t('Tag')}
          chosen={query.tag}
          options={choices.tags.map(({ id, name }) => [id, name])}
        />
        <select name="sort" aria-label={t('Sort by')} defaultValue={query.sort ?? 'updated'}>
          <Options of={Object.entries(sorts).map(([name, { label }]) => [name, t(label)])} />
        </select>
        <button>{t('Filter')}</button>
        <a className="filters-clear" href={listAddress(base, { status: query.status })}>
          {t('Clear')}
        </a>
      </div>
    </form>
  );
}

function Select({
  name,
  label,
  chosen,
  options,
}: {
  name: string;
  label: string;
  chosen: string | undefined;
  options: [value: string, label: string][];
}) {
  const t = useWords();
  return (
    <select name={name} aria-label={label} defaultValue={chosen ?? ''}>
      <option value="">{t('{label}: any', { label })}</option>
      <Options of={options} />
    </select>
  );
}
