import { useEffect, useState, type RefObject } from 'react';
import type { ViewSettings } from '#app/admin/editor/model/view-settings.ts';
import { useFormValues } from '#app/admin/editor/model/use-form-values.ts';
import type { PublishIntent } from '#app/admin/editor/publish-panel/fields.tsx';
import { SaveStatus } from '#app/admin/editor/saving/save-status.tsx';
import type { Saving } from '#app/admin/editor/saving/use-session.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import { roughInstant } from '#app/admin/times/local.ts';
import { shortTime } from '#app/admin/times/short.ts';
import { SCHEDULED_TEXT, type EditedText } from '#app/posts/fields/states.ts';
import { Icon } from '#app/ui/icon.tsx';
import { useWords } from '#app/ui/words.ts';
import { keyOf, MoreMenu } from './more-menu.tsx';
import { TextSwitch } from './text-switch.tsx';

/**
 * The bar that is always visible: where one is, the post's state, that of saving, one button with the next step, and
 * everything else behind "…". With scripts, the button opens the publish panel, which publishes or schedules.
 */
export function ActionBar({
  saving,
  edit,
  adminContext,
  form,
  values,
  view,
  onView,
  onPublish,
}: {
  saving: Saving;
  /** The text on the page. */
  edit: EditedText;
  adminContext: AdminContext;
  form: RefObject<HTMLFormElement | null>;
  values: Record<string, string>;
  view: ViewSettings;
  onView: (part: Partial<ViewSettings>) => void;
  /** Opens the publish panel. */
  onPublish: (intent: PublishIntent) => void;
}) {
  const t = useWords();
  const { post, may, now } = saving.data;
  const status = post?.status ?? 'draft';
  const { publishedAt, publishedAtOccurrence } = useFormValues(form, timeNames, values);
  const time = roughInstant(publishedAt, adminContext.timeZone);
  const isLater = time !== null && time > now;
  const isWaiting = may.publish && status !== 'published' && status !== 'scheduled';
  const open = (intent: PublishIntent) => ({
    name: 'intent',
    value: intent,
    onClick: (event: { preventDefault: () => void }) => {
      event.preventDefault();
      onPublish(intent);
    },
  });
  const scheduleLabel = isLater
    ? t('Schedule for {shortTime}', {
        shortTime: shortTime(publishedAt, adminContext, publishedAtOccurrence),
      })
    : t('Schedule');
  const saveLabel =
    edit === SCHEDULED_TEXT || status === 'scheduled'
      ? t('Save scheduled version')
      : status === 'published'
        ? t('Update')
        : t('Save');
  // The next step of the post.
  const primary = isWaiting ? (
    isLater ? (
      <button {...open('schedule')} className="primary">
        {scheduleLabel}
      </button>
    ) : (
      <button {...open('publish')} className="primary">
        {t('Publish…')}
      </button>
    )
  ) : may.save ? (
    <button name="intent" value="save" className="primary">
      {saveLabel}
    </button>
  ) : null;
  return (
    <div className="editor-bar">
      <div className="editor-bar-state">
        <nav className="editor-back" aria-label={t('Breadcrumb')}>
          <a href={adminUrl(adminContext.adminPath, 'posts')}>
            <Icon name="back" /> {t('Posts')}
          </a>
        </nav>
        {post?.change?.fields ? null : <span className={`state state-${status}`}>{t(status)}</span>}
        <TextSwitch data={saving.data} edit={edit} adminContext={adminContext} />
        <Present names={saving.present} postId={saving.data.postId} />
        <SaveStatus {...saving} edit={edit} adminContext={adminContext} />
      </div>
      <div className="editor-bar-buttons">
        <button name="intent" value="preview" className="quiet editor-preview">
          {t('Preview')}
        </button>
        {primary}
        <MoreMenu {...{ saving, edit, adminContext, view, onView }}>
          {isWaiting && may.save ? (
            <button name="intent" value="save">
              {saveLabel} <kbd>{keyOf('save')}</kbd>
            </button>
          ) : null}
          {isWaiting ? (
            <button {...open(isLater ? 'publish' : 'schedule')}>
              {isLater ? t('Publish now') : scheduleLabel}
            </button>
          ) : null}
          {may.publish && status === 'scheduled' ? (
            <button {...open('publish')}>{t('Publish now')}</button>
          ) : null}
        </MoreMenu>
      </div>
    </div>
  );
}

/** Who else has the post open, and whether another tab has: one knows before one types. */
function Present({ names, postId }: { names: string[]; postId: string }) {
  const t = useWords();
  const isInOtherTab = useOtherTab(postId);
  return (
    <span className="present" role="status">
      {names.length > 0 ? (
        <>
          <Icon name="people" /> <span>{t('Also here: {people}', { people: names.join(', ') })}</span>
        </>
      ) : isInOtherTab ? (
        <span>{t('You have this post open in another tab')}</span>
      ) : null}
    </span>
  );
}

/** How often a page looks for another tab with its post. */
const LOOK_EVERY_MS = 2_000;

/** True while another tab of this browser has the post open. Each holds a lock, which ends with it, frozen or not. */
function useOtherTab(postId: string): boolean {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    // Browsers have locks on HTTPS and on the own computer only.
    const { locks } = navigator as { locks?: LockManager };
    if (!locks) return;
    const name = `post ${postId}`;
    const ended = new AbortController();
    const look = async () => {
      const { held = [] } = await locks.query();
      setOpen(held.filter((lock) => lock.name === name).length > 1);
    };
    void locks.request(name, { mode: 'shared' }, () => {
      void look();
      return new Promise((leave) => ended.signal.addEventListener('abort', leave));
    });
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [postId]);
  return isOpen;
}

const timeNames = ['publishedAt', 'publishedAtOccurrence'] as const;
