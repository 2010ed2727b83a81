import { useRef, useState } from 'react';
import { Notices } from '#app/admin/notices.tsx';
import { adminUrl } from '#app/admin/admin-url.ts';
import { OccurrenceChoice } from '#app/admin/editor/occurrence-choice.tsx';
import { UndoNotice } from '#app/admin/undo-notice.tsx';
import type { ViewProps } from '#app/admin/screen.ts';
import { dateFormat } from '#app/platform/date-format.ts';
import { Icon } from '#app/ui/icon.tsx';
import { TextField } from '#app/ui/field.tsx';
import { InTurns } from '#app/ui/in-turns.tsx';
import { useWords } from '#app/ui/words.ts';
import type { CalendarPost, load } from './calendar.server.ts';
import { useDragToDay } from './use-drag-to-day.ts';

/** Days, and posts of a day, that the server renders in one turn of the event loop. */
const DAYS_A_TURN = 1;
const POSTS_A_TURN = 10;

type Props = ViewProps<typeof load>;

/** A month of scheduled and published posts in the site's zone; scheduled ones can be moved. */
export default function Calendar({ data, result, adminContext }: Props) {
  const t = useWords();
  const { grid, posts } = data;
  const list = useRef<HTMLOListElement>(null);
  useDragToDay(list);
  const base = adminUrl(adminContext.adminPath, 'calendar');
  const format = dateNames(adminContext);
  const monthName = format(`${grid.month}-01`, { month: 'long', year: 'numeric' });
  return (
    <>
      <div className="page-head">
        <h1>{monthName}</h1>
        <nav aria-label={t('Months')} className="row">
          <a
            className="button small"
            href={`${base}?month=${grid.previous}`}
            aria-label={t('Previous month')}
          >
            <Icon name="back" />
          </a>
          <a className="button small" href={base}>
            {t('Today')}
          </a>
          <a className="button small" href={`${base}?month=${grid.next}`} aria-label={t('Next month')}>
            <Icon name="forward" />
          </a>
        </nav>
      </div>
      <UndoNotice offer={data.undo} adminPath={adminContext.adminPath} />
      <p className="hint calendar-hint">
        {t('Times are {timeZone} time.', { timeZone: adminContext.timeZone })}
        {data.more ? ` ${t('This month has more posts than are shown here.')}` : ''}
      </p>
      <Notices result={result} />
      <div className="weekdays" aria-hidden="true">
        {grid.days.slice(0, 7).map((day) => (
          <span key={day}>{format(day, { weekday: 'short' })}</span>
        ))}
      </div>
      <ol className="month" ref={list}>
        <InTurns values={grid.days} size={DAYS_A_TURN}>
          {(batch) =>
            batch.map((day) => (
              <Day key={day} day={day} data={data} result={result} adminContext={adminContext} />
            ))
          }
        </InTurns>
      </ol>
      {posts.length + data.releases.length === 0 ? (
        <p className="empty">{t('Nothing is scheduled or published in this month.')}</p>
      ) : null}
    </>
  );
}

function Day({ day, data, result, adminContext }: { day: string } & Props) {
  const t = useWords();
  const { grid, today } = data;
  const isHere = ({ local }: { local: string }) => local.startsWith(day);
  const [posts, releases] = [data.posts.filter(isHere), data.releases.filter(isHere)];
  return (
    <li
      data-day={day}
      className={[
        'day',
        day.startsWith(grid.month) ? '' : 'day-outside',
        posts.length + releases.length === 0 ? 'day-empty' : '',
        day === today ? 'day-today' : '',
      ].join(' ')}
    >
      <h2 className="day-name">
        <time dateTime={day}>
          <span className="day-number">{Number(day.slice(8))}</span>
          <span className="day-full">
            {dateNames(adminContext)(day, { weekday: 'long', day: 'numeric', month: 'long' })}
          </span>
        </time>
        {day === today ? <span className="sr-only"> {t('(today)')}</span> : null}
      </h2>
      {releases.map(({ id, name, local, offset, state }) => (
        <article key={id} className={`entry entry-${state}`}>
          <a href={adminUrl(adminContext.adminPath, 'releases', id)}>
            {t.rich('{part} Release: {name}', {
              part: <EntryTime local={local} offset={offset} />,
              name,
            })}
          </a>
          <span className="sr-only">, {t(state)}</span>
        </article>
      ))}
      <InTurns values={posts} size={POSTS_A_TURN}>
        {(batch) =>
          batch.map((post) => (
            <Entry key={`${post.id} ${post.local}`} post={post} result={result} adminContext={adminContext} />
          ))
        }
      </InTurns>
    </li>
  );
}

function Entry({
  post,
  result,
  adminContext,
}: { post: CalendarPost } & Pick<Props, 'result' | 'adminContext'>) {
  const t = useWords();
  const state = post.overdue ? 'overdue' : post.status;
  const isMovable = post.status === 'scheduled' && !post.isUpdate;
  const failed = result?.values?.postId === post.id;
  const opened = (failed && result?.values?.publishedAt) || post.local;
  const [local, setLocal] = useState(opened);
  return (
    <article className={`entry entry-${state}`} data-movable={isMovable ? '' : undefined}>
      <a href={adminUrl(adminContext.adminPath, 'posts', post.id)}>
        <EntryTime {...post} /> {post.isUpdate ? `${t('Update')}: ` : null}
        {post.title}
      </a>
      <span className="sr-only">, {t(state)}</span>
      {isMovable ? (
        <details className="entry-move" open={failed}>
          <summary aria-label={t('Move “{title}”', { title: post.title })}>{t('Move')}</summary>
          <form method="post">
            <input type="hidden" name="postId" value={post.id} />
            <input type="hidden" name="version" value={post.version} />
            <TextField
              id={`move-${post.id}`}
              name="publishedAt"
              label="New time"
              type="datetime-local"
              defaultValue={opened}
              errors={failed ? result?.errors?.publishedAt : undefined}
              required
              onChange={({ target }) => setLocal(target.value)}
            />
            <OccurrenceChoice
              id={`move-occurrence-${post.id}`}
              name="publishedAtOccurrence"
              local={local}
              defaultValue={failed ? result?.values?.publishedAtOccurrence : post.occurrence}
              adminContext={adminContext}
            />
            <button className="small" name="intent" value="move">
              {t('Move')}
            </button>
          </form>
        </details>
      ) : null}
    </article>
  );
}

/** Names of dates `YYYY-MM-DD` in the person's language. */
function dateNames({ language }: Props['adminContext']) {
  return (date: string, options: Intl.DateTimeFormatOptions) =>
    dateFormat(language, 'UTC', options).format(new Date(`${date}T00:00:00Z`));
}

/** The time of an entry, with its offset if the time occurs twice. */
function EntryTime({ local, offset }: Pick<CalendarPost, 'local' | 'offset'>) {
  return <span className="entry-time">{offset ? `${local.slice(11)} ${offset}` : local.slice(11)}</span>;
}
