import { useState } from 'react';
import { WillGoOut, Ledger } from '#app/admin/effects/ledger.tsx';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import { Notices, UndoNotice } from '#app/admin/frame/notices.tsx';
import { Crumbs } from '#app/admin/frame/page-links.tsx';
import { PageUserField } from '#app/admin/frame/page-user-field.tsx';
import type { Message } from '#app/platform/message.ts';
import { fieldOf, TextField } from '#app/ui/field.tsx';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import { ReleaseItems } from './items.tsx';
import { ReleaseFields } from './new.tsx';
import type { ReleaseProps } from './release.server.ts';
import { ReleaseState } from './releases.tsx';

/** A release: its time, its changes, and its actions. */
export default function Release({ data, result, adminContext }: ReleaseProps) {
  const t = useWords();
  const { release } = data;
  const isOpen = release.status !== 'published';
  return (
    <>
      <Crumbs
        adminContext={adminContext}
        trail={[{ label: 'Releases', segments: ['releases'] }]}
        current={release.name}
      />
      <div className="page-head">
        <h1>{release.name}</h1>
        <ReleaseState
          release={release}
          isBlocked={data.isBlocked}
          isRolledBack={data.isRolledBack}
          now={data.now}
        />
      </div>
      {result?.changedSince ? (
        <RollbackConflict result={result} adminContext={adminContext} />
      ) : (
        <Notices saved={data.notice} result={result} />
      )}
      <UndoNotice offer={data.undo} adminPath={adminContext.adminPath} />
      {release.problem ? (
        <p className="notice notice-error" role="alert">
          {t('The last run couldn’t publish it: {problem}', {
            problem: t.message(release.problem),
          })}
        </p>
      ) : null}
      <div className="beside release">
        <ReleaseItems data={data} adminContext={adminContext} />
        <div className="stack">
          {isOpen ? (
            <>
              <OpenForm data={data} result={result} adminContext={adminContext} />
              <WillGoOut forecast={data.forecast} adminContext={adminContext} />
              <AddPosts choices={data.choices} errors={result?.errors?.add} />
              <AddRedirect result={result} />
            </>
          ) : (
            <PublishedPanel data={data} result={result} adminContext={adminContext} />
          )}
          <Ledger ledger={data.ledger} adminContext={adminContext} />
        </div>
      </div>
    </>
  );
}

function OpenForm({ data, result, adminContext }: ReleaseProps) {
  const t = useWords();
  const { release } = data;
  const { name, publishAt, status } = release;
  const isScheduled = status === 'scheduled';
  return (
    <form method="post" className="panel">
      <PageUserField />
      <h2>{isScheduled ? t('Scheduled') : t('When')}</h2>
      <ReleaseFields
        values={{ name, publishAt: data.localTime, ...result?.values }}
        errors={result?.errors ?? {}}
        adminContext={adminContext}
      />
      <input type="hidden" name="shownName" value={result?.values?.shownName ?? name} />
      <input type="hidden" name="shownPublishAt" value={result?.values?.shownPublishAt ?? data.localTime} />
      <div className="row">
        <button className="primary" name="intent" value="save">
          {t('Save')}
        </button>
        {isScheduled ? (
          <button name="intent" value="unschedule">
            {t('Unschedule')}
          </button>
        ) : (
          <button name="intent" value="schedule">
            {t('Schedule')}
          </button>
        )}
        <button name="intent" value="publish">
          {t('Publish now')}
        </button>
      </div>
      <p className="hint">
        {isScheduled && publishAt && publishAt > data.now ? (
          <>
            {t.rich(
              data.itemCount === 0
                ? 'It has no changes yet, so nothing is published at {time}.'
                : 'Everything is published at {time}. If one item fails, nothing is published.',
              { time: <Time instant={publishAt} {...adminContext} /> },
            )}
          </>
        ) : (
          t('Everything is published together. If one item fails, nothing is published.')
        )}
      </p>
      <details className="delete">
        <summary>{t('Delete…')}</summary>
        <p className="hint">{t('The posts are unchanged; their changes in this release are lost.')}</p>
        <button className="danger" name="intent" value="delete">
          {t('Delete release')}
        </button>
      </details>
    </form>
  );
}

function AddRedirect({ result }: Pick<ReleaseProps, 'result'>) {
  const t = useWords();
  const field = fieldOf(result);
  return (
    <form method="post" className="panel">
      <PageUserField />
      <h2>{t('Add a redirect')}</h2>
      <TextField
        {...field('redirectFrom')}
        label="Old address"
        required
        help="Such as /old-name; nothing may be there"
      />
      <TextField
        {...field('redirectTo')}
        label="Redirects to"
        help="The address of a post, page, category or tag. Leave blank to end a redirect"
      />
      <button name="intent" value="save">
        {t('Add redirect')}
      </button>
      <p className="hint">
        {t('Settings, appearance, navigation, categories, tags and authors are added from their own forms.')}
      </p>
    </form>
  );
}

function PublishedPanel({ data, result, adminContext }: ReleaseProps) {
  const t = useWords();
  const { release, rollbacks, isRolledBack } = data;
  return (
    <form method="post" className="panel">
      <PageUserField />
      <h2>{isRolledBack ? t('Rolled back') : t('Published')}</h2>
      {release.publishedAt ? (
        <p>
          <Time instant={release.publishedAt} {...adminContext} />
        </p>
      ) : null}
      {rollbacks.length > 0 ? (
        <ul className="links">
          {rollbacks.map(({ id, name, status }) => (
            <li key={id}>
              <a href={adminUrl(adminContext.adminPath, 'releases', id)}>{name}</a> ({t(status)})
            </li>
          ))}
        </ul>
      ) : null}
      {isRolledBack ? null : <RollbackFields result={result} adminContext={adminContext} />}
    </form>
  );
}

function RollbackFields({ result, adminContext }: Pick<ReleaseProps, 'result' | 'adminContext'>) {
  const t = useWords();
  const field = fieldOf(result);
  return (
    <>
      <TextField
        {...field('rollbackAt')}
        label="Roll back at"
        type="datetime-local"
        help={t('{timeZone} time. Leave blank to roll back now', { timeZone: adminContext.timeZone })}
      />
      <button name="intent" value="rollback">
        {t('Roll back')}
      </button>
      <p className="hint">
        {t('Restores what this release changed, except later edits. You can undo the rollback, too.')}
      </p>
    </>
  );
}

/** What a rollback would not undo, shown before it. */
function RollbackConflict({ result, adminContext }: Pick<ReleaseProps, 'result' | 'adminContext'>) {
  const t = useWords();
  return (
    <form
      method="post"
      className="panel notice-wait release-conflict"
      role="alert"
      aria-labelledby="changed-since"
    >
      <PageUserField />
      <h2 id="changed-since">{t('Changed since')}</h2>
      <p>
        {t('{message} These stay as they are; everything else is restored.', {
          message: t.message(result?.message ?? ''),
        })}
      </p>
      <ul className="links">
        {result?.changedSince?.map(({ kind, subjectId, title, what }) => (
          <li key={`${kind} ${subjectId}`}>
            {kind === 'post' ? (
              <a href={adminUrl(adminContext.adminPath, 'posts', subjectId)}>{title}</a>
            ) : (
              title
            )}
            : {what.map((label) => t(label)).join(', ')}
          </li>
        ))}
      </ul>
      <input type="hidden" name="confirmed" value="yes" />
      <input type="hidden" name="rollbackAt" value={result?.values?.rollbackAt ?? ''} />
      <button className="primary" name="intent" value="rollback">
        {t('Roll back the rest')}
      </button>
    </form>
  );
}

interface AddPostsProps {
  choices: readonly { id: string; title: string; status: string }[];
  errors: Message[] | undefined;
}

/** A longer list of posts has a field to filter it, if scripts run. */
const MANY = 8;

/** Unpublished posts to be added to a release. */
function AddPosts({ choices, errors }: AddPostsProps) {
  const t = useWords();
  const [filter, setFilter] = useState('');
  const isShown = (title: string) => title.toLowerCase().includes(filter.trim().toLowerCase());
  return (
    <form method="post" className="panel">
      <PageUserField />
      <h2 id="add-posts">{t('Add posts')}</h2>
      {choices.length > MANY ? (
        <input
          type="search"
          className="with-scripts"
          placeholder={t('Filter by title')}
          aria-label={t('Filter by title')}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      ) : null}
      {choices.length > 0 ? (
        <div className="choices" role="group" aria-labelledby="add-posts">
          {choices.map(({ id, title, status }) => (
            <div key={id} hidden={!isShown(title)}>
              <label className="check">
                <input type="checkbox" name="add" value={id} />
                <span>
                  {title} <span className="hint">{t(status)}</span>
                </span>
              </label>
            </div>
          ))}
        </div>
      ) : (
        <p className="hint">{t('There are no drafts to add.')}</p>
      )}
      {errors ? <p className="field-error">{errors.map((error) => t.message(error)).join(' ')}</p> : null}
      {choices.length > 0 ? (
        <button name="intent" value="save">
          {t('Add')}
        </button>
      ) : null}
      <p className="hint">
        {t('To change a published post with this release, open it and save it to the release.')}
      </p>
    </form>
  );
}
