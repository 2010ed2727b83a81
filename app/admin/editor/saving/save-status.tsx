import { adminUrl, loginUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { SCHEDULED_TEXT, type EditedText } from '#app/posts/fields/states.ts';
import { Time } from '#app/ui/time.tsx';
import { useWords } from '#app/ui/words.ts';
import type { LostPress, SaveState } from './state.ts';
import type { Saving } from './use-session.ts';

type Shown = Pick<Saving, 'state' | 'data'> & { edit: EditedText; adminContext: AdminContext };

/** Whether the text on the screen is saved, and when. It is in the action bar. */
export function SaveStatus({ state, data, edit, adminContext }: Shown) {
  const t = useWords();
  const savedAt = (edit === SCHEDULED_TEXT && data.post?.change?.savedAt) || data.post?.updatedAt;
  return (
    <span className={`save-state hint save-${state.kind}`} role="status">
      {t(words(state) ?? '')}
      {state.kind === 'clean' && savedAt ? (
        <>{t.rich('Saved {time}', { time: <Time instant={savedAt} {...adminContext} /> })}</>
      ) : null}
      {state.kind === 'saved' ? <SavedAt {...{ state, data, edit, adminContext }} /> : null}
    </span>
  );
}

function words(state: SaveState): string | null {
  switch (state.kind) {
    case 'typing':
      return 'Unsaved';
    case 'saving':
      return 'Saving…';
    case 'leftOut':
      return 'Saved in part';
    case 'offline':
      return state.isKept ? 'Offline, kept on this device' : 'Offline, not saved';
    case 'login':
    case 'failed':
    case 'choose':
      return 'Not saved';
    case 'changedRemotely':
      return state.isDirty ? 'Not saved: changed elsewhere' : 'Changed elsewhere';
    default:
      return null;
  }
}

/** What makes an unsaved copy part of the post, by the post's state; `update`: part of the scheduled update. */
const consequences: Record<string, string> = {
  published: ', not public until you update',
  scheduled: ', not in the scheduled post until you save',
  update: ', not in the scheduled update until you save',
};

function SavedAt({
  state,
  data,
  edit,
  adminContext,
}: Omit<Shown, 'state'> & { state: Extract<SaveState, { kind: 'saved' }> }) {
  const t = useWords();
  const { language, timeZone } = adminContext;
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone });
  const status = data.post?.status ?? 'draft';
  return (
    <>
      {state.in === 'post' ? t('Saved') : t('Unsaved changes kept')}{' '}
      <time dateTime={state.at.toISOString()}>{time.format(state.at)}</time>
      {state.in === 'copy' ? t(consequences[edit === SCHEDULED_TEXT ? 'update' : status] ?? '') : null}
    </>
  );
}

/** Why the text cannot be saved, and what to do about that. It is below the action bar. */
export function SaveProblem({ saving, adminContext }: { saving: Saving; adminContext: AdminContext }) {
  const t = useWords();
  const { state, leftOut, lostPress, openPage } = saving;
  switch (state.kind) {
    case 'offline':
      return (
        <>
          {state.isKept ? null : (
            <p className="notice notice-wait" role="alert">
              {t('This browser is out of storage. Copy your text before you leave.')}
            </p>
          )}
          <LostPressNotice press={lostPress} />
        </>
      );
    case 'login':
      return (
        <p className="notice notice-wait" role="alert">
          {t.rich(
            state.isOther
              ? 'This browser is now logged in with another account. Your text is kept on this device. {link} and continue here; it is saved then.'
              : 'Your session has ended. Your text is kept on this device. {link} and continue here; it is saved then.',
            {
              link: (
                <a href={loginUrl(adminContext.adminPath, { again: true })} target="_blank" rel="noreferrer">
                  {t('Log in in another tab')}
                </a>
              ),
            },
          )}
        </p>
      );
    case 'failed':
      return state.message ? (
        <p className="notice notice-error" role="alert">
          {t('Not saved: {message} Your text is kept on this device.', { message: t.message(state.message) })}
        </p>
      ) : null;
    case 'choose':
      return (
        <div className="notice notice-wait row" role="alert">
          <span>{t('{message} Nothing has changed yet.', { message: t.message(state.message) })}</span>
          <button type="button" className="small" onClick={() => openPage(state.intent)}>
            {t('Compare and choose')}
          </button>
        </div>
      );
    case 'changedRemotely':
      return <ChangedElsewhere {...{ saving, state, adminContext }} />;
    default:
      return (
        <>
          {leftOut ? (
            <p className="notice notice-error" role="alert">
              {t('Saved, except: {message}', { message: t.message(leftOut) })}
            </p>
          ) : null}
          <LostPressNotice press={lostPress} />
        </>
      );
  }
}

/** Stays until the button is done or pressed again: a saved text is not a published one. */
function LostPressNotice({ press }: { press: LostPress | null }) {
  const t = useWords();
  if (!press) return null;
  const intent = t(names[press.intent] ?? press.intent);
  return (
    <p className="notice notice-wait" role="alert">
      {press.isNotDone
        ? t('The post wasn’t changed ({intent}). Press the button again.', { intent })
        : t(
            'The server cannot be reached, so the post may not have been changed ({intent}). Press the button again when you are online.',
            { intent },
          )}
    </p>
  );
}

const names: Record<string, string> = {
  publish: 'publish',
  schedule: 'schedule',
  draft: 'back to draft',
  archive: 'archive',
  delete: 'delete',
  prepare: 'schedule the update',
  'cancel-change': 'Drop the scheduled update',
};

function ChangedElsewhere({
  saving: { data, openPage },
  state,
  adminContext,
}: {
  saving: Saving;
  state: Extract<SaveState, { kind: 'changedRemotely' }>;
  adminContext: AdminContext;
}) {
  const t = useWords();
  if (state.isDeleted)
    return (
      <div className="notice notice-wait row" role="alert">
        <span>{t('This post was deleted. Your text is still here.')}</span>
        <button type="button" className="small" onClick={() => openPage('save')}>
          {t('Save as a new draft…')}
        </button>
      </div>
    );
  const who = state.by ?? t('Someone');
  const time = state.at ? <Time instant={state.at} {...adminContext} /> : null;
  const isSelf = state.by !== null && state.by === adminContext.user?.displayName;
  return (
    <div className="notice notice-wait row" role="alert">
      <span>
        {isSelf
          ? t.rich(time ? 'You changed this post elsewhere, {time}.' : 'You changed this post elsewhere.', {
              time,
            })
          : t.rich(time ? '{who} changed this post, {time}.' : '{who} changed this post.', {
              who,
              time,
            })}{' '}
        {state.isDirty ? t('Your text is not saved over it.') : t('This page shows the earlier text.')}
      </span>
      {state.isDirty ? (
        <button type="button" className="small" onClick={() => openPage('save')}>
          {t('Compare both')}
        </button>
      ) : (
        <>
          <button type="button" className="small" onClick={() => window.location.reload()}>
            {t('Show the new version')}
          </button>
          <a
            className="button small quiet"
            href={`${adminUrl(adminContext.adminPath, 'posts', data.postId, 'revisions')}?since=${data.post?.version}`}
          >
            {t('Compare both')}
          </a>
        </>
      )}
    </div>
  );
}
