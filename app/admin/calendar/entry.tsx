import { useState } from 'react';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { AdminContext, ViewProps } from '#app/admin/frame/screen.ts';
import { OccurrenceChoice } from '#app/admin/times/occurrence-choice.tsx';
import { shortHour } from '#app/admin/times/short.ts';
import { TextField } from '#app/ui/field.tsx';
import { LongList } from '#app/ui/render-in-turns.tsx';
import { useWords } from '#app/ui/words.ts';
import type { CalendarPost, CalendarRelease, load } from './calendar.server.ts';

/** Posts that the server renders in one turn of the event loop. */
const POSTS_A_TURN = 10;

type Props = Pick<ViewProps<typeof load>, 'result' | 'adminContext'>;

/** The releases and posts of a day. Scheduled posts can be moved. */
export function Entries({
  releases,
  posts,
  result,
  adminContext,
}: { releases: CalendarRelease[]; posts: CalendarPost[] } & Props) {
  const t = useWords();
  return (
    <>
      {releases.map(({ id, name, local, offset, state }) => (
        <article key={id} className={`entry entry-${state}`}>
          <a href={adminUrl(adminContext.adminPath, 'releases', id)}>
            {t.rich('{part} Release: {name}', {
              part: <EntryTime local={local} offset={offset} language={adminContext.language} />,
              name: <bdi>{name}</bdi>,
            })}
          </a>
          <span className="sr-only">, {t(state)}</span>
        </article>
      ))}
      <LongList values={posts} size={POSTS_A_TURN}>
        {(batch) =>
          batch.map((post) => (
            <Entry key={`${post.id} ${post.local}`} post={post} result={result} adminContext={adminContext} />
          ))
        }
      </LongList>
    </>
  );
}

function Entry({ post, result, adminContext }: { post: CalendarPost } & Props) {
  const t = useWords();
  const state = post.overdue ? 'overdue' : post.status;
  const isMovable = post.status === 'scheduled' && !post.isUpdate;
  const failed = result?.values?.postId === post.id;
  const opened = (failed && result?.values?.publishedAt) || post.local;
  const [local, setLocal] = useState(opened);
  return (
    <article className={`entry entry-${state}`} data-movable={isMovable ? '' : undefined}>
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
