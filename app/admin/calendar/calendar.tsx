import { useRef, useState, type DragEvent } from 'react';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices, UndoNotice } from '#app/admin/frame/notices.tsx';
import { PageLinks } from '#app/admin/frame/page-links.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext, ViewProps } from '#app/admin/frame/screen.ts';
import { shortHour } from '#app/admin/times/local.ts';
import { OccurrenceChoice } from '#app/admin/times/occurrence-choice.tsx';
import { dateFormat } from '#app/platform/time/format.ts';
import { LongList } from '#app/ui/deferred.tsx';
import { TextField } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useScripted } from '#app/ui/scripts.ts';
import { useWords } from '#app/ui/words.ts';
import type { load, CalendarPost, CalendarRelease } from './calendar.server.ts';

/** Days that the server renders in one turn of the event loop. */
const DAYS_A_TURN = 2;

type Props = ViewProps<typeof load>;

/** Scheduled and published posts in the site's zone: a month with the first posts of each day, or all of one day. */
export default function Calendar({ data, result, adminContext }: Props) {
  const t = useWords();
  const { month, day } = data;
  const base = adminUrl(adminContext.adminPath, 'calendar');
  const format = dateNames(adminContext);
  return (
    <>
      <div className="page-head">
        {month ? (
          <>
            <h1>{format(`${month.month}-01`, { month: 'long', year: 'numeric' })}</h1>
            <nav aria-label={t('Months')} className="row">
              <a
                className="button small"
                href={`${base}?month=${month.previous}`}
                aria-label={t('Previous month')}
              >
                <Icon name="back" />
              </a>
              <a className="button small" href={base}>
                {t('Today')}
              </a>
              <a className="button small" href={`${base}?month=${month.next}`} aria-label={t('Next month')}>
                <Icon name="forward" />
              </a>
            </nav>
          </>
        ) : (
          <>
            <h1>{format(day.date, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}</h1>
            <nav aria-label={t('Days')} className="row">
              <a className="button small" href={`${base}?day=${day.previous}`} aria-label={t('Previous day')}>
                <Icon name="back" />
              </a>
              <a className="button small" href={`${base}?month=${day.date.slice(0, 7)}`}>
                {format(day.date, { month: 'long', year: 'numeric' })}
              </a>
              <a className="button small" href={`${base}?day=${day.next}`} aria-label={t('Next day')}>
                <Icon name="forward" />
              </a>
            </nav>
          </>
        )}
      </div>
      <UndoNotice offer={data.undo} adminPath={adminContext.adminPath} />
      <p className="hint calendar-hint">
        {t('Times shown in {timeZone}', { timeZone: adminContext.timeZone })}
      </p>
      <Notices result={result} />
      {month ? (
        <Month month={month} today={data.today} result={result} adminContext={adminContext} />
      ) : (
        <DayList day={day} result={result} adminContext={adminContext} />
      )}
    </>
  );
}

type MonthData = NonNullable<Props['data']['month']>;

function Month({
  month,
  today,
  result,
  adminContext,
}: { month: MonthData; today: string } & Pick<Props, 'result' | 'adminContext'>) {
  const t = useWords();
  const { days } = month;
  const format = dateNames(adminContext);
  return (
    <>
      <div className="weekdays" aria-hidden="true">
        {days.slice(0, 7).map(({ date }) => (
          <span key={date}>{format(date, { weekday: 'short' })}</span>
        ))}
      </div>
      <ol className="month" {...useDragToDay()}>
        <LongList values={days} size={DAYS_A_TURN}>
          {(batch) =>
            batch.map((day) => (
              <Day
                key={day.date}
                day={day}
                isOutside={!day.date.startsWith(month.month)}
                isToday={day.date === today}
                isPast={day.date < today}
                result={result}
                adminContext={adminContext}
              />
            ))
          }
        </LongList>
      </ol>
      {days.every(({ posts, releases }) => posts.length + releases.length === 0) ? (
        <p className="empty">{t('Nothing is scheduled or published in this month.')}</p>
      ) : null}
    </>
  );
}

function Day({
  day: { date, posts, releases, more },
  isOutside,
  isToday,
  isPast,
  result,
  adminContext,
}: {
  day: MonthData['days'][number];
  isOutside: boolean;
  isToday: boolean;
  isPast: boolean;
} & Pick<Props, 'result' | 'adminContext'>) {
  const t = useWords();
  return (
    <li
      data-day={date}
      className={[
        'day',
        isOutside ? 'day-outside' : '',
        posts.length + releases.length === 0 ? 'day-empty' : '',
        isToday ? 'day-today' : '',
      ].join(' ')}
    >
      <h2 className="day-name" id={`day-${date}`}>
        <time dateTime={date}>
          <span className="day-number">{Number(date.slice(8))}</span>
          <span className="day-full">
            {dateNames(adminContext)(date, { weekday: 'long', day: 'numeric', month: 'long' })}
          </span>
        </time>
        {isToday ? <span className="sr-only"> {t('(today)')}</span> : null}
      </h2>
      {isPast ? null : (
        <a
          className="day-new"
          href={`${adminUrl(adminContext.adminPath, 'posts', 'new')}${isToday ? '' : `?on=${date}`}`}
          title={t('New post')}
          aria-describedby={`day-${date}`}
        >
          <Icon name="plus" />
        </a>
      )}
      <Entries releases={releases} posts={posts} result={result} adminContext={adminContext} isInMonth />
      {more > 0 ? (
        <a
          className="day-more"
          href={`${adminUrl(adminContext.adminPath, 'calendar')}?day=${date}`}
          aria-describedby={`day-${date}`}
        >
          {t('{number} more', { number: more })}
        </a>
      ) : null}
    </li>
  );
}

function DayList({
  day: { date, posts, releases, isFirstPage, nextPage },
  result,
  adminContext,
}: { day: NonNullable<Props['data']['day']> } & Pick<Props, 'result' | 'adminContext'>) {
  const t = useWords();
  const address = `${adminUrl(adminContext.adminPath, 'calendar')}?day=${date}`;
  return (
    <>
      {isFirstPage && posts.length + releases.length === 0 ? (
        <p className="empty">{t('Nothing is scheduled or published on this day.')}</p>
      ) : null}
      <div className="day-list">
        <Entries releases={releases} posts={posts} result={result} adminContext={adminContext} />
      </div>
      <PageLinks
        first={!isFirstPage && address}
        next={nextPage !== null && `${address}&after=${encodeURIComponent(nextPage)}`}
      />
    </>
  );
}

/** Names of dates `YYYY-MM-DD` in the person's language. */
function dateNames({ language }: AdminContext) {
  return (date: string, options: Intl.DateTimeFormatOptions) =>
    dateFormat(language, 'UTC', options).format(new Date(`${date}T00:00:00Z`));
}

/** Posts that the server renders in one turn of the event loop. */
const POSTS_A_TURN = 10;

/** `isInMonth`: a script can drag the entry to another day. */
type EntryProps = Pick<ViewProps<typeof load>, 'result' | 'adminContext'> & { isInMonth?: true };

/** The releases and posts of a day. Scheduled posts can be moved. */
function Entries({
  releases,
  posts,
  ...props
}: { releases: CalendarRelease[]; posts: CalendarPost[] } & EntryProps) {
  const t = useWords();
  return (
    <>
      {releases.map(({ id, name, local, offset, state }) => (
        <article key={id} className={`entry entry-${state}`}>
          <a href={adminUrl(props.adminContext.adminPath, 'releases', id)}>
            {t.rich('{part} Release: {name}', {
              part: <EntryTime local={local} offset={offset} language={props.adminContext.language} />,
              name: <bdi>{name}</bdi>,
            })}
          </a>
          <span className="sr-only">, {t(state)}</span>
        </article>
      ))}
      <LongList values={posts} size={POSTS_A_TURN}>
        {(batch) => batch.map((post) => <Entry key={`${post.id} ${post.local}`} post={post} {...props} />)}
      </LongList>
    </>
  );
}

function Entry({ post, result, adminContext, isInMonth }: { post: CalendarPost } & EntryProps) {
  const t = useWords();
  const state = post.overdue ? 'overdue' : post.status;
  const isScripted = useScripted();
  const isMovable = post.status === 'scheduled' && !post.isUpdate;
  const failed = result?.values?.postId === post.id;
  const opened = (failed && result?.values?.publishedAt) || post.local;
  const [local, setLocal] = useState(opened);
  return (
    <article
      className={`entry entry-${state}`}
      data-movable={isMovable ? '' : undefined}
      draggable={(isInMonth && isScripted && isMovable) || undefined}
    >
      <a href={adminUrl(adminContext.adminPath, 'posts', post.id)}>
        <EntryTime {...post} language={adminContext.language} /> {post.isUpdate ? `${t('Update')}: ` : null}
        <bdi>{post.title}</bdi>
      </a>
      <span className="sr-only">, {t(state)}</span>
      {isMovable ? (
        <details className="entry-move" open={failed}>
          <summary aria-label={t('Move “{title}”', { title: post.title })}>{t('Move')}</summary>
          <form method="post">
            <PageUserField />
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

/** The time of an entry, with its offset if the time occurs twice. */
function EntryTime({
  local,
  offset,
  language,
}: Pick<CalendarPost, 'local' | 'offset'> & Pick<AdminContext, 'language'>) {
  const hour = shortHour(local, { language });
  return <span className="entry-time">{offset ? `${hour} ${offset}` : hour}</span>;
}

/** Lets people drag a scheduled post to another day. The post's form then sends the move. */
function useDragToDay() {
  const dragged = useRef<Element | null>(null);
  const dayOf = ({ target }: DragEvent) => (target as Element).closest<HTMLElement>('[data-day]');
  const mark = ({ currentTarget: list }: DragEvent, day: HTMLElement | null) => {
    list.querySelector('.day-target')?.classList.remove('day-target');
    day?.classList.add('day-target');
  };
  return {
    onDragStart({ target, dataTransfer }: DragEvent) {
      dragged.current = (target as Element).closest('[data-movable]');
      dataTransfer.effectAllowed = 'move';
    },
    onDragOver(event: DragEvent) {
      const day = dayOf(event);
      if (!dragged.current || !day) return;
      event.preventDefault();
      mark(event, day);
    },
    onDragEnd(event: DragEvent) {
      dragged.current = null;
      mark(event, null);
    },
    onDrop(event: DragEvent) {
      const day = dayOf(event)?.dataset.day;
      const form = dragged.current?.querySelector('form');
      const time = form?.querySelector<HTMLInputElement>('[name=publishedAt]');
      if (!day || !form || !time) return;
      event.preventDefault();
      if (time.value.startsWith(day)) return;
      time.value = `${day}${time.value.slice(10)}`;
      form.requestSubmit(form.querySelector<HTMLElement>('button'));
    },
  };
}
