import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageLinks } from '#app/admin/frame/page-links.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { ViewProps } from '#app/admin/frame/screen.ts';
import { UndoNotice } from '#app/admin/frame/undo-notice.tsx';
import { postStatuses } from '#app/posts/fields/states.ts';
import { LongList } from '#app/ui/render-in-turns.tsx';
import { Time } from '#app/ui/time.tsx';
import { useScripted } from '#app/ui/use-scripted.ts';
import { useWords } from '#app/ui/words.ts';
import { bulkActions } from './bulk-actions.ts';
import { Filters } from './filters.tsx';
import { listAddress } from './list-address.ts';
import type { ListedPost } from './list-posts.server.ts';
import type { load } from './posts.server.ts';

/** Posts that are rendered in one turn of the event loop. */
const POSTS_A_TURN = 20;

type Props = Pick<ViewProps<typeof load>, 'data' | 'adminContext'>;

/** The list of posts, with filters, sorting and bulk actions. */
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
          {t.count('Done: {count} post changed.', 'Done: {count} posts changed.', data.changed)}
        </p>
      )}
      <StateTabs data={data} base={base} language={adminContext.language} />
      <Filters data={data} base={base} />
      {data.isCut ? (
        <p className="hint">{t('The best matches are shown. Add a word to find others.')}</p>
      ) : null}
      {data.posts.length === 0 ? (
        <p className="empty">
          {t.rich('No posts here. {link}', { link: <a href={base}>{t('Show all')}</a> })}
        </p>
      ) : (
        <PostTable data={data} adminContext={adminContext} />
      )}
      <PageLinks
        previous={data.newer !== null && listAddress(base, query, { before: data.newer })}
        next={data.older !== null && listAddress(base, query, { after: data.older })}
      />
    </>
  );
}

function StateTabs({ data, base, language }: { data: Props['data']; base: string; language: string }) {
  const t = useWords();
  const { counts } = data;
  const all = counts && postStatuses.reduce((sum, status) => sum + counts[status], 0);
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
      {tab(undefined, 'all', all)}
      {postStatuses.map((status) => tab(status, status, counts && counts[status]))}
    </nav>
  );
}

function PostTable({ data, adminContext }: Props) {
  const t = useWords();
  return (
    <form method="post" action={adminUrl(adminContext.adminPath, 'posts', 'bulk')} className="bulk">
      <PageUserField />
      <div className="bulk-bar">
        <ChooseAll />
        <label className="sr-only" htmlFor="bulk-action">
          {t('With the chosen posts')}
        </label>
        <select id="bulk-action" name="action" defaultValue="">
          <option value="">{t('With the chosen posts…')}</option>
          {data.actions.map((action) => (
            <option key={action} value={action}>
              {t(bulkActions[action].label)}
            </option>
          ))}
        </select>
        <button>{t('Continue')}</button>
      </div>
      <ul className="post-list">
        <LongList values={data.posts} size={POSTS_A_TURN}>
          {(batch) =>
            batch.map((post) => (
              <PostRow key={post.id} post={post} now={data.now} adminContext={adminContext} />
            ))
          }
        </LongList>
      </ul>
    </form>
  );
}

function PostRow({
  post,
  now,
  adminContext,
}: {
  post: ListedPost;
  now: Date;
  adminContext: Props['adminContext'];
}) {
  const t = useWords();
  const overdue = post.status === 'scheduled' && post.publishedAt !== null && post.publishedAt <= now;
  return (
    <li className="post-row">
      <label className="pick">
        <input type="checkbox" name="ids" value={post.id} />
        <span className="sr-only">{t('Choose “{title}”', { title: post.title })}</span>
      </label>
      <span className="post-row-cover" aria-hidden>
        {post.cover ? <img src={post.cover} alt="" loading="lazy" decoding="async" /> : null}
      </span>
      <div className="post-row-main">
        <a className="post-row-title" href={adminUrl(adminContext.adminPath, 'posts', post.id)}>
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
          <Time instant={post.publishedAt} {...adminContext} />
        ) : (
          <>{t.rich('Changed {time}', { time: <Time instant={post.updatedAt} {...adminContext} /> })}</>
        )}
      </p>
    </li>
  );
}

/** Chooses all posts of the page. It needs scripts; before they run its space is empty, so that nothing moves. */
function ChooseAll() {
  const t = useWords();
  return (
    <label className={useScripted() ? 'pick' : 'pick waits-for-script'}>
      <input
        type="checkbox"
        onChange={({ currentTarget }) => {
          const boxes = currentTarget.form!.querySelectorAll<HTMLInputElement>('input[name=ids]');
          for (const each of boxes) each.checked = currentTarget.checked;
        }}
      />
      <span className="sr-only">{t('Choose all on this page')}</span>
    </label>
  );
}
